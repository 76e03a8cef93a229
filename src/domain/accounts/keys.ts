import { randomBytes } from 'node:crypto';
import type { TokenInfo } from '../../contract/keys.ts';
import { AppError } from '../../errors.ts';
import type { AccountCredentials } from '../../store/accounts/accounts.ts';
import { digestKey } from '../../store/accounts/key-digest.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, type Client, credentialOf, type RequestActor, type SessionActor, systemCredential, toPerson } from '../actor.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { secretOwners } from '../secrets/stored-secrets.ts';
import type { WithAudit } from './audit.ts';
import { isServiceAccount } from './own-account.ts';

/** Generates an API key: `ph_` and 256 random bits in hexadecimal. */
export function newKey(): string {
  return `ph_${randomBytes(32).toString('hex')}`;
}

/** Creates a key for an account. Returns the key and the digest and cipher to store. */
export function makeKey(ctx: WithKeyring, accountId: string): { token: string; stored: { keyDigest: string; keyCipher: string } } {
  const token = newKey();
  return { token, stored: { keyDigest: digestKey(token), keyCipher: ctx.keyring.seal(token, secretOwners.key(accountId)) } };
}

/** Returns a key and its owner, in the shape on which clients depend. */
export function toTokenInfo(token: string, { accountId: userId, email, name }: Pick<Actor, 'accountId' | 'email' | 'name'>): TokenInfo {
  return { token, userId, email, name };
}

/** Returns the actor's key: the key of the request or, for a browser session, the stored key. */
export async function getKey(ctx: WithStore & WithKeyring, actor: RequestActor): Promise<TokenInfo> {
  if (actor.via === 'key') return toTokenInfo(actor.key, actor);
  return showKey(ctx, await getCredentials(ctx, actor));
}

/** Decrypts the stored key to show it to its owner again. */
export function showKey(ctx: WithKeyring, { id: accountId, email, name, keyCipher }: AccountCredentials): TokenInfo {
  const token = ctx.keyring.get(keyCipher, secretOwners.key(accountId));
  return toTokenInfo(token, { accountId, email, name });
}

/** Replaces the actor's key. If several requests reset the same key at the same time, exactly one succeeds. */
export async function resetKey(ctx: WithKeyring & WithAudit, actor: RequestActor, client: Client): Promise<string> {
  const { accountId } = actor;
  const currentDigest = actor.via === 'key' ? digestKey(actor.key) : (await getCredentials(ctx, actor)).keyDigest;
  const { token, stored: next } = makeKey(ctx, accountId);
  const event = { type: 'key.reset', at: new Date().toISOString(), by: toPerson(actor), prompt: null, detail: '{}' };
  if (!(await ctx.store.keys.replace(credentialOf(actor), currentDigest, next, event))) {
    throw new AppError(actor.via === 'key' ? 'unauthorized' : 'key_changed');
  }
  const by = { userId: accountId, name: actor.name };
  ctx.audit({ type: 'key_reset', accountId, client, by });
  if (isServiceAccount(actor)) {
    // Nobody sees the activity of a service account, so the event is recorded in its workspace.
    ctx.audit({ type: 'service_account_key_reset', accountId: actor.workspaceId, client, by, detail: by });
  }
  return token;
}

/**
 * Replaces the key of an account on behalf of the operator. Only the account's owner can see the new key. Returns false if the account was
 * deleted.
 */
export async function replaceKey(ctx: WithKeyring & WithAudit, accountId: string): Promise<boolean> {
  const account = await ctx.store.accounts.findById(accountId);
  if (!account) return false;
  const { stored: next } = makeKey(ctx, accountId);
  const event = { type: 'key.reset', at: new Date().toISOString(), by: null, prompt: null, detail: '{}' };
  const isReplaced = await ctx.store.keys.replace(systemCredential(accountId), account.keyDigest, next, event);
  if (isReplaced) ctx.audit({ type: 'key_reset', accountId });
  return isReplaced;
}

/**
 * Replaces the keys of all accounts on behalf of the operator, and returns the number of accounts. Accounts that are created in the
 * meantime may keep their keys.
 */
export async function replaceAllKeys(ctx: WithKeyring & WithAudit): Promise<number> {
  let count = 0;
  let afterId = '';
  for (;;) {
    const page = await ctx.store.accounts.list(afterId, 500);
    for (const { id } of page) if (await replaceKey(ctx, id)) count += 1;
    const last = page.at(-1);
    if (!last) return count;
    afterId = last.id;
  }
}

/** Reads the credentials together with the session, so that a session that has just ended cannot see the new key. */
async function getCredentials(ctx: WithStore, { accountId, sessionId }: SessionActor): Promise<AccountCredentials> {
  const credentials = await ctx.store.accounts.findBySession(accountId, sessionId);
  if (!credentials) throw new AppError('unauthorized');
  return credentials;
}
