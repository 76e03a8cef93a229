import type { CallCount, PromptCount, UsageBatch } from '../../store/statistics/usage-batches.ts';
import { bucketOf } from './durations.ts';

/** A call made with a key, as it is counted. */
export interface Call {
  accountId: string;
  /** Which of the account's keys it was made with. */
  keySerial: number;
  /** Method and pattern, such as `GET /api/prompts/{name}`. */
  route: string;
  status: number;
  durationMs: number;
  /** The prompt it was answered with, if there was one. */
  servedPrompt?: ServedPrompt | undefined;
}

/** The version of a prompt that a call was answered with. */
export interface ServedPrompt {
  promptId: string;
  version: number | undefined;
  label: string | undefined;
}

/** The calls of one hour, counted in memory. */
export interface HourlyCounts {
  /** Hours since 1970. */
  readonly hour: number;
  readonly accounts: Map<string, AccountCounts>;
  /** The routes called, each by its place here. */
  readonly routes: string[];
  /** How many counters it holds: of calls, and of prompts. */
  entries: number;
  promptEntries: number;
}

interface AccountCounts {
  /** The latest key it called with, and when it last did, in ms since 1970. */
  keySerial: number;
  lastUsed: number;
  /** By route, status and bucket in one number. */
  readonly calls: Map<number, number>;
  /** By prompt, version, label and status. Made with the first prompt that is servedPrompt. */
  prompts: Map<string, number> | undefined;
}

/** Asked only when a new counter is needed, which is seldom. */
export interface Room {
  hasEntry(): boolean;
  hasPromptEntry(): boolean;
}

const hourMs = 3_600_000;
// More than there are of each, so that route, status and bucket fit in one number and can be told apart again.
const bucketRange = 128;
const statusRange = 1000;

export function createHourlyCounts(hour: number): HourlyCounts {
  return { hour, accounts: new Map(), routes: [], entries: 0, promptEntries: 0 };
}

export function hourOf(time: number): number {
  return Math.floor(time / hourMs);
}

/** Counts a call. False when it needs a new counter and there is no room for one. */
export function countCall(counts: HourlyCounts, call: Call, now: number, room: Room): boolean {
  let account = counts.accounts.get(call.accountId);
  if (!account) {
    if (!room.hasEntry()) return false;
    account = { keySerial: 0, lastUsed: 0, calls: new Map(), prompts: undefined };
    counts.accounts.set(call.accountId, account);
  }
  if (call.keySerial >= account.keySerial) {
    account.keySerial = call.keySerial;
    account.lastUsed = now;
  }

  const key = (placeOf(counts.routes, call.route) * statusRange + call.status) * bucketRange + bucketOf(call.durationMs);
  const count = account.calls.get(key);
  if (count === undefined) {
    if (!room.hasEntry()) return false;
    counts.entries += 1;
  }
  account.calls.set(key, (count ?? 0) + 1);
  if (call.servedPrompt) countPrompt(counts, account, call.servedPrompt, call.status, room);
  return true;
}

function placeOf(routes: string[], route: string): number {
  const place = routes.indexOf(route);
  return place === -1 ? routes.push(route) - 1 : place;
}

/** Without room the call still counts in all but the prompt's own metrics. */
function countPrompt(counts: HourlyCounts, account: AccountCounts, servedPrompt: ServedPrompt, status: number, room: Room): void {
  const key = `${servedPrompt.promptId}\n${servedPrompt.version ?? 0}\n${servedPrompt.label ?? ''}\n${status}`;
  account.prompts ??= new Map();
  const count = account.prompts.get(key);
  if (count === undefined) {
    if (!room.hasPromptEntry()) return;
    counts.promptEntries += 1;
  }
  account.prompts.set(key, (count ?? 0) + 1);
}

/** The counts as they are stored. All instances write in the same order, so that they cannot wait for each other in a circle. */
export function toBatch({ hour, accounts, routes }: HourlyCounts): Pick<UsageBatch, 'calls' | 'prompts' | 'keyUses'> {
  const time = new Date(hour * hourMs).toISOString().slice(0, '2026-03-01T14'.length);
  const calls: CallCount[] = [];
  const prompts: PromptCount[] = [];
  const keyUses: UsageBatch['keyUses'] = [];
  for (const [accountId, account] of sorted(accounts)) {
    keyUses.push({ accountId, keySerial: account.keySerial, lastUsedAt: new Date(account.lastUsed).toISOString() });
    const counted = [...account.calls].map(([key, count]): CallCount => {
      const routeAndStatus = Math.floor(key / bucketRange);
      const route = routes[Math.floor(routeAndStatus / statusRange)] ?? '';
      return { accountId, time, route, status: routeAndStatus % statusRange, bucket: key % bucketRange, calls: count };
    });
    calls.push(...counted.sort(byRoute));
    if (!account.prompts) continue;
    for (const [key, count] of sorted(account.prompts)) {
      const [promptId = '', version, label = '', status] = key.split('\n');
      prompts.push({ accountId, time, promptId, version: Number(version), label, status: Number(status), calls: count });
    }
  }
  return { calls, prompts, keyUses };
}

function sorted<Key extends string | number, Value>(map: Map<Key, Value>): [Key, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function byRoute(a: CallCount, b: CallCount): number {
  if (a.route !== b.route) return a.route < b.route ? -1 : 1;
  return a.status - b.status || a.bucket - b.bucket;
}
