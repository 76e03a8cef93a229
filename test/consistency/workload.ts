import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call as send } from '../support/client.ts';
import type { Call } from './history.ts';

export interface Target {
  url: string;
}

interface Account {
  email: string;
  password: string;
  /** The keys that the account's clients have seen, oldest first. */
  keys: string[];
}

export interface Workload {
  history: Call[];
  /** Unexpected responses: neither a success, nor 401, nor 503 with Retry-After. */
  surprises: string[];
  /** Resolves while the target is rotating a key. */
  untilRotating(target: Target): Promise<void>;
  /** Lets the clients finish their calls, then verifies every account's current and former keys once more. */
  stop(): Promise<void>;
}

export interface WorkloadOptions {
  clientCount?: number;
  /** How long each client pauses after a call. */
  pauseMs?: number;
  /**
   * Whether a throttled log-in (429) waits and retries instead of counting as unexpected. A log-in that a fault interrupts counts as a
   * failed attempt, and each account has to log in at the end.
   */
  waitsIfThrottled?: boolean;
}

const accountCount = 10;
const rotateShare = 0.15;
// Clients give up after this time, which is longer than the service ever makes a caller wait, even when it is paused.
const giveUpMs = 20_000;

/**
 * Starts clients that verify and rotate the keys of a few accounts at random targets and record every call. The list of targets may change
 * while the clients run.
 */
export async function startWorkload(
  targets: readonly Target[],
  { clientCount = 24, pauseMs = 0, waitsIfThrottled = false }: WorkloadOptions = {},
): Promise<Workload> {
  const history: Call[] = [];
  const surprises: string[] = [];
  const rotating = new Map<Target, Set<() => void>>();
  let running = true;

  async function record(kind: Call['kind'], account: Account, key: string, target = pick(targets)): Promise<Call> {
    const start = performance.now();
    if (kind === 'rotate') for (const notify of rotating.get(target) ?? []) setImmediate(notify);
    // The call is recorded before it is sent, because other clients may see its effect before its response arrives.
    const call: Call = { kind, account: account.email, key: isGiven(kind) ? key : '', start, end: Infinity, outcome: 'unknown' };
    history.push(call);
    const { outcome, received } = await request(kind, account, key, target);
    if (!isGiven(kind)) call.key = received ?? '';
    if (kind === 'rotate' && received !== undefined) call.newKey = received;
    return Object.assign(call, { end: performance.now(), outcome });
  }

  async function request(kind: Call['kind'], { email, password }: Account, key: string, target: Target) {
    const [method, path] = requests[kind];
    const options = isGiven(kind) ? { key } : { body: { email, password } };
    try {
      const { status, body, headers } = await send(target, method, path, { ...options, signal: AbortSignal.timeout(giveUpMs) });
      const received = (body as { token?: string }).token;
      if (status === 200 || status === 201) return { outcome: 'accepted' as const, received };
      if (status === 401) return { outcome: 'refused' as const, received };
      const retryAfter = headers.get('retry-after');
      if (status === 429 && retryAfter !== null && kind === 'log in' && waitsIfThrottled) await rest(Number(retryAfter) * 1000);
      else if (status !== 503 || retryAfter === null) surprises.push(`${kind}: ${status} ${JSON.stringify(body)}`);
    } catch (err) {
      if (err instanceof Error && err.name === 'TimeoutError') surprises.push(`${kind}: no response within ${giveUpMs} ms`);
      // If an instance is killed, its clients see a broken connection.
    }
    return { outcome: 'unknown' as const, received: undefined };
  }

  /** Waits, but stops when the clients do. */
  async function rest(ms: number): Promise<void> {
    for (const end = performance.now() + ms; running && performance.now() < end; ) await delay(100);
  }

  /** Returns whether there was a response. */
  async function verifySome(account: Account): Promise<boolean> {
    const key = Math.random() < 0.5 ? account.keys.at(-1) : account.keys.at(-1 - Math.ceil(Math.random() * 3));
    if (key === undefined) return false;
    const { outcome } = await record('verify', account, key);
    if (outcome === 'refused' && key === account.keys.at(-1)) return learnKey(account);
    return outcome !== 'unknown';
  }

  async function rotate(account: Account): Promise<boolean> {
    const key = account.keys.at(-1) ?? '';
    const { outcome, newKey } = await record('rotate', account, key);
    if (newKey !== undefined) account.keys.push(newKey);
    return outcome === 'unknown' ? learnKey(account) : true;
  }

  /** Logs in, which is the only way to learn the current key after a rotation without a response. */
  async function learnKey(account: Account): Promise<boolean> {
    const { key, outcome } = await record('log in', account, '');
    if (outcome === 'accepted' && !account.keys.includes(key)) account.keys.push(key);
    if (outcome === 'unknown') await delay(50);
    return outcome !== 'unknown';
  }

  async function runClient(accounts: Account[]): Promise<void> {
    while (running) {
      const account = pick(accounts);
      const isServed = await (Math.random() < rotateShare ? rotate(account) : verifySome(account));
      if (!isServed || pauseMs > 0) await delay(isServed ? pauseMs : pauseMs + 5);
    }
  }

  const accounts: Account[] = [];
  while (accounts.length < accountCount) {
    const account: Account = { email: `${randomUUID()}@example.com`, password: 'a long enough password', keys: [] };
    const { key, outcome } = await record('register', account, '');
    if (outcome !== 'accepted') throw new Error(`Cannot register: ${surprises}`);
    account.keys.push(key);
    accounts.push(account);
  }
  const clients = Array.from({ length: clientCount }, () => runClient(accounts));

  return {
    history,
    surprises,
    async untilRotating(target) {
      const { promise, resolve } = Promise.withResolvers<void>();
      rotating.set(target, new Set([resolve]));
      await promise;
      rotating.delete(target);
    },
    async stop() {
      running = false;
      await Promise.all(clients);
      for (const account of accounts) {
        while (!(await learnKey(account)) && waitsIfThrottled) await delay(1000);
        for (const target of targets) for (const key of account.keys.slice(-20)) await record('verify', account, key, target);
      }
    },
  };
}

/** Returns whether the client sends a key, rather than receiving one. */
function isGiven(kind: Call['kind']): boolean {
  return kind === 'verify' || kind === 'rotate';
}

const requests = {
  register: ['POST', '/api/auth/register'],
  'log in': ['POST', '/api/auth/token'],
  verify: ['GET', '/api/auth/token'],
  rotate: ['DELETE', '/api/auth/token'],
} as const;

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('Nothing to pick from');
  return item;
}
