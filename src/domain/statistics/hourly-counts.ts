import type { CallCount, PromptCount, RenderErrorCount, UsageBatch } from '../../store/statistics/usage-batches.ts';
import { bucketOf } from './durations.ts';
import type { RenderError } from './render-errors.ts';

/** A request made with an API key, as the statistics count it. */
export interface Call {
  accountId: string;
  keySerial: number;
  /** Method and pattern, such as `GET /api/prompts/{name}`. */
  route: string;
  status: number;
  durationMs: number;
  servedPrompt?: ServedPrompt | undefined;
}

/** The prompt version in a response. */
export interface ServedPrompt {
  promptId: string;
  version: number | undefined;
  label: string | undefined;
  /** Why it could not be rendered. */
  renderErrors?: RenderError[];
}

/** The calls of one hour, counted in memory. */
export interface HourlyCounts {
  /** Hours since 1970. */
  readonly hour: number;
  readonly accounts: Map<string, AccountCounts>;
  /** Counters refer to a route by its index in this list. */
  readonly routes: string[];
  /** The number of call counters. */
  entries: number;
  /** The number of prompt and render error counters. */
  promptEntries: number;
}

interface AccountCounts {
  /** The newest key that was used. */
  keySerial: number;
  /** When it was last used, in ms since 1970. */
  lastUsedMs: number;
  /** By route index, status and duration bucket, packed into one number. */
  readonly calls: Map<number, number>;
  /** By prompt, version, label and status. Created when the account is first served a prompt. */
  prompts: Map<string, number> | undefined;
  renderErrors: Map<string, Omit<RenderErrorCount, 'accountId' | 'time'>> | undefined;
}

/** Limits the number of counters. Checked only when a call needs a new counter, which is rare. */
export interface Capacity {
  hasRoom(): boolean;
  hasPromptRoom(): boolean;
  limitRenderErrors(call: { accountId: string; hour: number; promptId: string; errors: RenderError[] }): RenderError[];
}

const hourMs = 3_600_000;
// Upper bounds for packing route index, status and bucket into one number.
const bucketRange = 128;
const statusRange = 1000;

export function createHourlyCounts(hour: number): HourlyCounts {
  return { hour, accounts: new Map(), routes: [], entries: 0, promptEntries: 0 };
}

export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / hourMs);
}

/** Counts a call. Returns false if it needs a new counter and there is no room for one. */
export function countCall(counts: HourlyCounts, call: Call, nowMs: number, capacity: Capacity): boolean {
  let account = counts.accounts.get(call.accountId);
  if (!account) {
    if (!capacity.hasRoom()) return false;
    account = { keySerial: 0, lastUsedMs: 0, calls: new Map(), prompts: undefined, renderErrors: undefined };
    counts.accounts.set(call.accountId, account);
  }
  if (call.keySerial >= account.keySerial) {
    account.keySerial = call.keySerial;
    account.lastUsedMs = nowMs;
  }

  const key = (routeIndex(counts.routes, call.route) * statusRange + call.status) * bucketRange + bucketOf(call.durationMs);
  const count = account.calls.get(key);
  if (count === undefined) {
    if (!capacity.hasRoom()) return false;
    counts.entries += 1;
  }
  account.calls.set(key, (count ?? 0) + 1);
  if (call.servedPrompt) countPrompt(counts, account, call.servedPrompt, call.status, capacity);
  if (call.servedPrompt?.renderErrors) {
    const { promptId, renderErrors } = call.servedPrompt;
    const { accountId } = call;
    const errors = capacity.limitRenderErrors({ accountId, hour: counts.hour, promptId, errors: renderErrors });
    for (const error of errors) countRenderError(counts, account, promptId, error, capacity);
  }
  return true;
}

function routeIndex(routes: string[], route: string): number {
  const index = routes.indexOf(route);
  return index === -1 ? routes.push(route) - 1 : index;
}

/** Without room for a prompt counter, the call still counts in the totals. */
function countPrompt(counts: HourlyCounts, account: AccountCounts, prompt: ServedPrompt, status: number, capacity: Capacity): void {
  const key = `${prompt.promptId}\n${prompt.version ?? 0}\n${prompt.label ?? ''}\n${status}`;
  account.prompts ??= new Map();
  const count = account.prompts.get(key);
  if (count === undefined) {
    if (!capacity.hasPromptRoom()) return;
    counts.promptEntries += 1;
  }
  account.prompts.set(key, (count ?? 0) + 1);
}

function countRenderError(counts: HourlyCounts, account: AccountCounts, promptId: string, error: RenderError, capacity: Capacity): void {
  const key = `${promptId}\n${error.code}\n${error.name}`;
  account.renderErrors ??= new Map();
  const known = account.renderErrors.get(key);
  if (known) known.calls += 1;
  else if (capacity.hasPromptRoom()) {
    counts.promptEntries += 1;
    account.renderErrors.set(key, { promptId, ...error, calls: 1 });
  }
}

/** Converts the counts to rows, sorted so that all instances lock rows in the same order and cannot deadlock. */
export function toBatch({ hour, accounts, routes }: HourlyCounts): Pick<UsageBatch, 'calls' | 'prompts' | 'renderErrors' | 'keyUses'> {
  const time = new Date(hour * hourMs).toISOString().slice(0, '2026-03-01T14'.length);
  const calls: CallCount[] = [];
  const prompts: PromptCount[] = [];
  const renderErrors: RenderErrorCount[] = [];
  const keyUses: UsageBatch['keyUses'] = [];
  for (const [accountId, account] of sorted(accounts)) {
    keyUses.push({ accountId, keySerial: account.keySerial, lastUsedAt: new Date(account.lastUsedMs).toISOString() });
    const counted = [...account.calls].map(([key, count]): CallCount => {
      const routeAndStatus = Math.floor(key / bucketRange);
      const route = routes[Math.floor(routeAndStatus / statusRange)] ?? '';
      return { accountId, time, route, status: routeAndStatus % statusRange, bucket: key % bucketRange, calls: count };
    });
    calls.push(...counted.sort(byRoute));
    if (account.renderErrors) {
      for (const [, counted] of sorted(account.renderErrors)) renderErrors.push({ accountId, time, ...counted });
    }
    if (!account.prompts) continue;
    for (const [key, count] of sorted(account.prompts)) {
      const [promptId = '', version, label = '', status] = key.split('\n');
      prompts.push({ accountId, time, promptId, version: Number(version), label, status: Number(status), calls: count });
    }
  }
  return { calls, prompts, renderErrors, keyUses };
}

function sorted<Key extends string | number, Value>(map: Map<Key, Value>): [Key, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function byRoute(a: CallCount, b: CallCount): number {
  if (a.route !== b.route) return a.route < b.route ? -1 : 1;
  return a.status - b.status || a.bucket - b.bucket;
}
