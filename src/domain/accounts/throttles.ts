import { hash } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';
import { AppError } from '../../errors.ts';
import type { Client } from '../actor.ts';
import type { Context } from '../context.ts';

/** Who tries to sign in: the account is named by what was typed, so that unknown addresses are slowed down just the same. */
export interface Attempt {
  email: string;
  client: Client;
}

// A person mistypes a few times; an office shares one address.
const freeFailures = { email: 5, address: 50 };
const freeResetRequests = { email: 3, address: 20 };
const longestWaitSeconds = 15 * 60;
const forgetAfterMs = 60 * 60 * 1000;

/** Refuses an attempt while earlier failures hold it back. */
export async function assertNotThrottled(ctx: Context, attempt: Attempt): Promise<void> {
  await assertFree(ctx, [emailName(attempt), addressName(attempt)]);
}

/** Counts a failure. Past the free ones each doubles the wait: 1 s, 2 s, 4 s, up to 15 minutes. */
export async function recordFailure(ctx: Context, attempt: Attempt): Promise<void> {
  await countAndBlock(ctx, emailName(attempt), freeFailures.email);
  await countAndBlock(ctx, addressName(attempt), freeFailures.address);
}

/** A good password shows that the owner is back. The address keeps its count: it may be trying others. */
export async function recordSuccess(ctx: Context, attempt: Attempt): Promise<void> {
  await ctx.store.throttles.clear(emailName(attempt));
}

/** Counts a request for a reset link and refuses it when there were too many, whether or not the account exists. */
export async function takeResetRequest(ctx: Context, attempt: Attempt): Promise<void> {
  const names = { email: `reset-${emailName(attempt)}`, address: `reset-${addressName(attempt)}` };
  await assertFree(ctx, Object.values(names), 'Too many reset links were asked for, try again later');
  await countAndBlock(ctx, names.email, freeResetRequests.email);
  await countAndBlock(ctx, names.address, freeResetRequests.address);
}

async function assertFree(ctx: Context, names: string[], text?: string): Promise<void> {
  const until = await ctx.store.throttles.findBlockedUntil(names);
  if (!until) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000));
  throw new AppError('too_many_attempts', { retryAfterSeconds, ...(text && { text }) });
}

async function countAndBlock(ctx: Context, name: string, free: number): Promise<void> {
  const failures = await ctx.store.throttles.countFailure(name, new Date(Date.now() - forgetAfterMs));
  if (failures < free) return;
  const waitSeconds = Math.min(longestWaitSeconds, 2 ** (failures - free));
  await ctx.store.throttles.blockUntil(name, new Date(Date.now() + waitSeconds * 1000));
}

/** Digested: what people type here is personal, and now and then it is their password. */
function emailName({ email }: Attempt): string {
  return `email:${hash('sha256', email.trim().toLowerCase(), 'base64url')}`;
}

/** One IPv6 customer has a whole /64. */
function addressName({ client: { address } }: Attempt): string {
  return `address:${isIPv6(address) ? networkOf(address) : address}`;
}

function networkOf(text: string): string {
  // One address has many spellings, and a proxy passes on what it was told.
  const { address } = new SocketAddress({ address: text.split('%')[0] ?? text, family: 'ipv6' });
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}
