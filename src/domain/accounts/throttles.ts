import { hash } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';
import { AppError } from '../../errors.ts';
import type { Client } from '../actor.ts';
import type { Context } from '../context.ts';

/** A sign-in attempt. It has the email as typed, so that unknown accounts are throttled just like existing ones. */
export interface Attempt {
  email: string;
  client: Client;
}

// A few for a person who mistypes, more for an office that shares one address.
const freeFailures = { email: 5, address: 50 };
const freeResetRequests = { email: 3, address: 20 };
const maxWaitSeconds = 15 * 60;
const forgetAfterMs = 60 * 60 * 1000;

/** Throws while the email or the address is blocked because of earlier failures. */
export async function assertNotThrottled(ctx: Context, attempt: Attempt): Promise<void> {
  await assertNotBlocked(ctx, [emailName(attempt), addressName(attempt)]);
}

/** Counts a failure. After the free ones, each doubles the wait: 1 s, 2 s, 4 s, up to 15 minutes. */
export async function recordFailure(ctx: Context, attempt: Attempt): Promise<void> {
  await countAndBlock(ctx, emailName(attempt), freeFailures.email);
  await countAndBlock(ctx, addressName(attempt), freeFailures.address);
}

/** Clears the failures of the email, but not those of the address, which may be trying other accounts. */
export async function recordSuccess(ctx: Context, attempt: Attempt): Promise<void> {
  await ctx.store.throttles.clear(emailName(attempt));
}

/** Counts a request for a reset link and throws after too many, whether or not the account exists. */
export async function countResetRequest(ctx: Context, attempt: Attempt): Promise<void> {
  const names = { email: `reset-${emailName(attempt)}`, address: `reset-${addressName(attempt)}` };
  await assertNotBlocked(ctx, Object.values(names), 'Too many reset links were requested, try again later');
  await countAndBlock(ctx, names.email, freeResetRequests.email);
  await countAndBlock(ctx, names.address, freeResetRequests.address);
}

async function assertNotBlocked(ctx: Context, names: string[], text?: string): Promise<void> {
  const until = await ctx.store.throttles.findBlockedUntil(names);
  if (!until) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000));
  throw new AppError('too_many_attempts', { retryAfterSeconds, ...(text && { text }) });
}

async function countAndBlock(ctx: Context, name: string, freeAttempts: number): Promise<void> {
  const count = await ctx.store.throttles.countFailure(name, new Date(Date.now() - forgetAfterMs));
  if (count < freeAttempts) return;
  const waitSeconds = Math.min(maxWaitSeconds, 2 ** (count - freeAttempts));
  await ctx.store.throttles.blockUntil(name, new Date(Date.now() + waitSeconds * 1000));
}

/** Digested, because the input is personal data and sometimes a password typed into the wrong field. */
function emailName({ email }: Attempt): string {
  return `email:${hash('sha256', email.trim().toLowerCase(), 'base64url')}`;
}

/** IPv6 addresses are throttled by /64, because one customer has a whole network of that size. */
function addressName({ client: { address } }: Attempt): string {
  return `address:${isIPv6(address) ? networkOf(address) : address}`;
}

function networkOf(text: string): string {
  // Normalized, because an IPv6 address can be written in many ways and a proxy may forward any of them.
  const { address } = new SocketAddress({ address: text.split('%')[0] ?? text, family: 'ipv6' });
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}
