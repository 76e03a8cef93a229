import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { digestToken } from '../secrets/tokens.ts';

/**
 * The data that a browser has to bring back from a provider. The data is encrypted in a cookie, so that starting a sign-in writes nothing
 * to the database.
 */
export interface Flow {
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
  /** The page to open afterwards. */
  next: string;
  /** Whether the person must have signed in at the provider after the flow started. */
  isFresh: boolean;
  /** The session that links the identity to its account. Undefined for a sign-in. */
  link?: { accountId: string; sessionId: string } | undefined;
  expiresAt: number;
}

/** The time in which a person has to sign in at the provider. */
export const flowLifetimeMs = 10 * 60 * 1000;
/** The difference that is accepted between the clocks of this service and of a provider. */
const clockToleranceMs = 60 * 1000;
const owner = 'sign-in at a provider';

export function sealFlow(ctx: WithKeyring, flow: Omit<Flow, 'expiresAt'>): string {
  return ctx.keyring.seal(JSON.stringify({ ...flow, expiresAt: Date.now() + flowLifetimeMs }), owner);
}

/** Returns the data that a browser brings back, if the given state equals the state in the browser's cookie. */
export function openFlow(ctx: WithKeyring, { cookie, state }: { cookie: string | undefined; state: string | null }): Flow {
  const plain = cookie === undefined ? undefined : ctx.keyring.open(cookie, owner);
  // Only this service can encrypt the text.
  const flow = plain === undefined ? undefined : (JSON.parse(plain) as Flow);
  if (!flow || flow.expiresAt <= Date.now() || state === null || !isEqual(flow.state, state)) throw new AppError('sign_in_expired');
  return flow;
}

/** Throws if a flow needs a new sign-in at the provider, but the provider states that the person signed in earlier. */
export function assertFresh({ isFresh, expiresAt }: Flow, authenticatedAt: Date | undefined): void {
  const startedAt = expiresAt - flowLifetimeMs;
  const isOld = authenticatedAt !== undefined && authenticatedAt.getTime() < startedAt - clockToleranceMs;
  if (isFresh && isOld) throw new AppError('sign_in_not_fresh');
}

/** Marks the state as used. Throws if it was used before, on any instance. */
export async function useFlow(ctx: WithStore, { state, expiresAt }: Flow): Promise<void> {
  if (!(await ctx.store.identities.useToken({ digest: digestToken(`state ${state}`), expiresAt: new Date(expiresAt) })))
    throw new AppError('sign_in_expired');
}

/** Returns a page of this service to open after a sign-in. Any other address is replaced with the dashboard. */
export function safePage(next = ''): string {
  // The text is resolved in the same way as in a browser, because `/\x` and `/a/..//x` are addresses of another host or page.
  const url = next.length <= 2000 && /^\/[\x21-\x7e]*$/.test(next) ? URL.parse(next, base) : null;
  const isPage = url?.origin === base && /^\/(?:dashboard(?:\/|$)|invitations\/|(?:verify|confirm-email|cli)$)/.test(url.pathname);
  return isPage ? url.href.slice(base.length) : '/dashboard';
}

const base = 'http://local.invalid';

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
