import { randomInt } from 'node:crypto';
import type { CliSignIn, NewCliSignIn, StartedCliSignIn } from '../../contract/cli-sign-ins.ts';
import type { TokenInfo } from '../../contract/keys.ts';
import { AppError } from '../../errors.ts';
import { networkOf } from '../../platform/networks.ts';
import type { WithStore } from '../../store/store.ts';
import { type Client, type SessionActor, sessionCredentialOf } from '../actor.ts';
import type { WithLinks } from '../links.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';
import { cliCodeLimits, cliSignInLimits } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { showKey } from './keys.ts';
import { countAttempt } from './throttles.ts';

const lifetimeMs = 10 * 60 * 1000;
const intervalSeconds = 3;
/** Consonants, so that no code forms a word, as RFC 8628 recommends. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const tooManySignIns = 'Too many command-line sign-ins from your address. Try again later.';

/**
 * Starts a command-line sign-in. A person approves it in the dashboard, in a session of their own. Nothing is known about the person
 * until then.
 */
export async function startCliSignIn(
  ctx: WithStore & WithLinks,
  { challenge, computer, port, client }: NewCliSignIn & { client: Client },
): Promise<StartedCliSignIn> {
  await countAttempt(ctx, cliSignInLimits(client), tooManySignIns);
  const userCode = newUserCode();
  const expiresAt = new Date(Date.now() + lifetimeMs);
  const { address } = client;
  const request = {
    id: challenge,
    userCode,
    computer: toPlain(computer),
    address,
    port: port === undefined ? null : String(port),
    expiresAt,
  };
  if (!(await ctx.store.cliSignIns.insert(request))) throw new AppError('invalid_cli_sign_in');
  // The link contains the code only if the key is delivered to the computer on which the browser runs. Otherwise, attackers could start a
  // sign-in of their own, send its link to someone else, and receive that person's key.
  const path = port === undefined ? '/cli' : `/cli?code=${userCode}`;
  return { userCode, url: `${ctx.publicOrigin ?? ''}${path}`, expiresAt: expiresAt.toISOString(), intervalSeconds };
}

/** Finds a sign-in that waits for an answer, by the code that the person sees in the terminal. Wrong codes are counted. */
export async function getCliSignIn(
  ctx: WithStore,
  { accountId }: SessionActor,
  { code, client }: { code: string; client: Client },
): Promise<CliSignIn> {
  const found = await countGuess(ctx, accountId, () => ctx.store.cliSignIns.findPending(toUserCode(code)));
  const { userCode, computer, address, port, createdAt, expiresAt } = found;
  const sameNetwork = networkOf(address) === networkOf(client.address);
  return { userCode, computer, address, sameNetwork, returnsToBrowser: port !== null, createdAt, expiresAt };
}

/** Approves a sign-in. If the command waits on a local port, returns the URL that takes the browser back to the command. */
export async function approveCliSignIn(
  ctx: WithAudit,
  actor: SessionActor,
  { code, client }: { code: string; client: Client },
): Promise<string | null> {
  const oneTimeCode = newToken();
  const approved = await answer(ctx, actor, { code, codeDigest: digestToken(oneTimeCode) });
  ctx.audit({ type: 'cli_sign_in_approved', accountId: actor.accountId, client, detail: { name: approved.computer } });
  return toRedirect(approved, oneTimeCode);
}

/**
 * Denies a sign-in. If the command waits on a local port, returns the URL that takes the browser back to the command. The command learns
 * that the sign-in was denied.
 */
export async function denyCliSignIn(ctx: WithStore, actor: SessionActor, code: string): Promise<string | null> {
  return toRedirect(await answer(ctx, actor, { code, codeDigest: null }), newToken());
}

function toRedirect({ port }: { port: string | null }, code: string): string | null {
  return port === null ? null : `http://127.0.0.1:${port}/?code=${code}`;
}

/**
 * Returns the key of the account whose owner has approved the sign-in. Returns it only once. The session that approved the sign-in must
 * still be active, so that ending all sessions also ends approvals that nobody has used yet.
 */
export async function claimCliSignIn(
  ctx: WithStore & WithKeyring,
  { verifier, code }: { verifier: string; code?: string | undefined },
): Promise<TokenInfo> {
  const state = await ctx.store.cliSignIns.claim(digestToken(verifier), code === undefined ? undefined : digestToken(code));
  if (state === 'unknown') throw new AppError('invalid_cli_sign_in');
  if (state === 'pending') throw new AppError('cli_sign_in_pending');
  if (state === 'denied') throw new AppError('cli_sign_in_denied');
  const account = await ctx.store.accounts.findBySession(state.accountId, state.sessionId);
  if (!account) throw new AppError('invalid_cli_sign_in');
  return showKey(ctx, account);
}

function answer(ctx: WithStore, actor: SessionActor, { code, codeDigest }: { code: string; codeDigest: string | null }) {
  const userCode = toUserCode(code);
  return countGuess(ctx, actor.accountId, () => ctx.store.cliSignIns.answer(sessionCredentialOf(actor), { userCode, codeDigest }));
}

/** Runs a task that returns undefined if the code is wrong, and limits how often an account may guess. */
async function countGuess<T>(ctx: WithStore, accountId: string, find: () => Promise<T | undefined>): Promise<T> {
  const attempt = await countAttempt(ctx, cliCodeLimits(accountId));
  const found = await find();
  if (found !== undefined) {
    await attempt.succeed();
    return found;
  }
  await attempt.fail();
  throw new AppError('cli_sign_in_not_found');
}

function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Returns a code as it is stored, however it was typed. */
function toUserCode(text: string): string {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Removes the characters with which the name of a computer could imitate other text. */
function toPlain(text: string): string {
  return (
    text
      .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
      .toWellFormed()
      .trim() || 'unknown'
  );
}
