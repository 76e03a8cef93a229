import type { AccountLine, UsageLines } from '../../store/statistics/usage-block.ts';
import type { RenderErrorCount } from '../../store/statistics/usage-counts.ts';
import { bucketOf } from './durations.ts';
import type { RenderError } from './render-errors.ts';

/** A request made with an API key, as the statistics count it. */
export interface Call {
  /** Where the call counts. */
  workspaceId: string;
  /** Whose key was used. */
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
  /** The number of call counters, and of members whose key was used. */
  entries: number;
  /** The number of prompt and render error counters. */
  promptEntries: number;
}

/** The calls that count for the workspace of an account, and the use of the account's own key. One object, because there may be a million. */
interface AccountCounts {
  /** The newest key that was used; 0 if none was. */
  keySerial: number;
  /** When it was last used, in ms since 1970. */
  lastUsedMs: number;
  /** Route index, status and duration bucket of the first counter, packed into one number. */
  key: number;
  /** Calls of the first counter; 0 if there is none. */
  calls: number;
  /** Further counters, which many callers do not have. */
  others: Map<number, number> | undefined;
  /** By prompt, version, label and status. Created when the workspace first serves a prompt. */
  prompts: Map<string, number> | undefined;
  renderErrors: Map<string, Omit<RenderErrorCount, 'accountId' | 'time'>> | undefined;
}

/** Limits the number of counters. Checked only when a call needs a new counter, which is rare. */
export interface Capacity {
  hasRoom(): boolean;
  hasPromptRoom(): boolean;
  limitRenderErrors(call: { workspaceId: string; hour: number; promptId: string; errors: RenderError[] }): RenderError[];
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
  const workspace = counts.accounts.get(call.workspaceId) ?? (capacity.hasRoom() ? addAccount(counts, call.workspaceId) : undefined);
  if (!workspace) return false;
  const key = (routeIndex(counts.routes, call.route) * statusRange + call.status) * bucketRange + bucketOf(call.durationMs);
  if (!raiseCounter(counts, workspace, key, capacity)) return false;
  noteKeyUse(counts, call, nowMs, capacity);
  if (call.servedPrompt) countPrompt(counts, workspace, call.servedPrompt, call.status, capacity);
  if (call.servedPrompt?.renderErrors) {
    const { promptId, renderErrors } = call.servedPrompt;
    const { workspaceId } = call;
    const errors = capacity.limitRenderErrors({ workspaceId, hour: counts.hour, promptId, errors: renderErrors });
    for (const error of errors) countRenderError(counts, workspace, promptId, error, capacity);
  }
  return true;
}

function addAccount(counts: HourlyCounts, accountId: string): AccountCounts {
  const account = newAccountCounts();
  counts.accounts.set(accountId, account);
  return account;
}

function newAccountCounts(): AccountCounts {
  return { keySerial: 0, lastUsedMs: 0, key: 0, calls: 0, others: undefined, prompts: undefined, renderErrors: undefined };
}

function raiseCounter(counts: HourlyCounts, workspace: AccountCounts, key: number, capacity: Capacity): boolean {
  if (workspace.calls > 0 && workspace.key === key) {
    workspace.calls += 1;
    return true;
  }
  const count = workspace.others?.get(key);
  if (count === undefined) {
    if (!capacity.hasRoom()) return false;
    counts.entries += 1;
  }
  if (workspace.calls === 0) {
    workspace.key = key;
    workspace.calls = 1;
  } else {
    workspace.others ??= new Map();
    workspace.others.set(key, (count ?? 0) + 1);
  }
  return true;
}

/** Without room for the use of a key, the call still counts. */
function noteKeyUse(counts: HourlyCounts, { accountId, keySerial }: Call, nowMs: number, capacity: Capacity): void {
  let account = counts.accounts.get(accountId);
  if (!account) {
    // An owner has counters of their own, but many members may share those of one workspace.
    if (!capacity.hasRoom()) return;
    counts.entries += 1;
    account = addAccount(counts, accountId);
  }
  if (keySerial >= account.keySerial) {
    account.keySerial = keySerial;
    account.lastUsedMs = nowMs;
  }
}

function routeIndex(routes: string[], route: string): number {
  const index = routes.indexOf(route);
  return index === -1 ? routes.push(route) - 1 : index;
}

/** Without room for a prompt counter, the call still counts in the totals. */
function countPrompt(counts: HourlyCounts, workspace: AccountCounts, prompt: ServedPrompt, status: number, capacity: Capacity): void {
  const key = `${prompt.promptId}\n${prompt.version ?? 0}\n${prompt.label ?? ''}\n${status}`;
  workspace.prompts ??= new Map();
  const count = workspace.prompts.get(key);
  if (count === undefined) {
    if (!capacity.hasPromptRoom()) return;
    counts.promptEntries += 1;
  }
  workspace.prompts.set(key, (count ?? 0) + 1);
}

function countRenderError(counts: HourlyCounts, workspace: AccountCounts, promptId: string, error: RenderError, capacity: Capacity): void {
  const key = `${promptId}\n${error.code}\n${error.name}`;
  workspace.renderErrors ??= new Map();
  const known = workspace.renderErrors.get(key);
  if (known) known.calls += 1;
  else if (capacity.hasPromptRoom()) {
    counts.promptEntries += 1;
    workspace.renderErrors.set(key, { promptId, ...error, calls: 1 });
  }
}

/** The counts as lines of a block. */
export function toLines({ hour, accounts, routes }: HourlyCounts): UsageLines {
  return {
    times: [new Date(hour * hourMs).toISOString().slice(0, '2026-03-01T14'.length)],
    routes,
    accountIds: [...accounts.keys()],
    lineOf: (accountId) => toLine(accountId, accounts.get(accountId) ?? newAccountCounts()),
  };
}

/** The store says `accountId` for the workspace too: the account is the workspace. */
function toLine(accountId: string, account: AccountCounts): AccountLine {
  const { keySerial, lastUsedMs } = account;
  const line: AccountLine = { accountId, keySerial, lastUsedMs, calls: [], prompts: [], renderErrors: [] };
  if (account.calls > 0) addCounter(line.calls, account.key, account.calls);
  for (const [key, calls] of account.others ?? []) addCounter(line.calls, key, calls);
  for (const [key, calls] of account.prompts ?? []) {
    const [promptId = '', version, label = '', status] = key.split('\n');
    line.prompts.push(0, promptId, Number(version), label, Number(status), calls);
  }
  for (const { promptId, code, name, calls } of account.renderErrors?.values() ?? []) {
    line.renderErrors.push(0, promptId, code, name, calls);
  }
  return line;
}

/** Adds time, route, status, bucket and calls. All counts are of one hour, the first of the times. */
function addCounter(fields: number[], key: number, calls: number): void {
  const routeAndStatus = Math.floor(key / bucketRange);
  fields.push(0, Math.floor(routeAndStatus / statusRange), routeAndStatus % statusRange, key % bucketRange, calls);
}
