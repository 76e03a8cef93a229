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
  /** The row of each account: the calls that count for its workspace, and the use of its own key. */
  readonly rows: Map<string, number>;
  /**
   * The fields of all rows in turn. Numbers in one array instead of objects, because a million accounts may call within a minute, and the
   * garbage collector would have to move and mark their objects.
   */
  numbers: Float64Array;
  /** What few accounts have, by row. */
  readonly details: Map<number, Details>;
  /** Counters refer to a route by its index in this list. */
  readonly routes: string[];
  /** The number of call counters, and of members whose key was used. */
  entries: number;
  /** The number of prompt and render error counters. */
  promptEntries: number;
}

/** The newest key that was used; 0 if none was. */
const keySerialAt = 0;
/** When it was last used, in ms since 1970. */
const lastUsedMsAt = 1;
/** Route index, status and duration bucket of the first counter, packed into one number. */
const keyAt = 2;
/** Calls of the first counter; 0 if there is none. */
const callsAt = 3;
const rowSize = 4;

/** Each is created when it is first needed. */
interface Details {
  /** Counters after the first. */
  calls: Map<number, number> | undefined;
  /** By prompt, version, label and status. */
  prompts: Map<string, number> | undefined;
  renderErrors: Map<string, Omit<RenderErrorCount, 'accountId' | 'time'>> | undefined;
}

/** Limits the number of counters. Checked only when a call needs a new counter, which is rare. */
export interface Capacity {
  hasRoom(): boolean;
  /** `own` is how many the workspace has already, so that one cannot take the room of others. */
  hasPromptRoom(own: number): boolean;
  limitRenderErrors(call: { workspaceId: string; hour: number; promptId: string; errors: RenderError[] }): RenderError[];
}

const hourMs = 3_600_000;
// Upper bounds for packing route index, status and bucket into one number.
const bucketRange = 128;
const statusRange = 1000;
const firstRows = 64;

/** The memory of counts that are no longer needed can be used again. */
export function createHourlyCounts(hour: number, numbers: Float64Array = new Float64Array(firstRows * rowSize)): HourlyCounts {
  return { hour, rows: new Map(), numbers, details: new Map(), routes: [], entries: 0, promptEntries: 0 };
}

export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / hourMs);
}

/** Counts a call. Returns false if it needs a new counter and there is no room for one. */
export function countCall(counts: HourlyCounts, call: Call, nowMs: number, capacity: Capacity): boolean {
  const row = counts.rows.get(call.workspaceId) ?? (capacity.hasRoom() ? addRow(counts, call.workspaceId) : undefined);
  if (row === undefined) return false;
  const key = (routeIndex(counts.routes, call.route) * statusRange + call.status) * bucketRange + bucketOf(call.durationMs);
  if (!raiseCounter(counts, row, key, capacity)) return false;
  noteKeyUse(counts, row, { call, nowMs, capacity });
  if (call.servedPrompt) countPrompt(counts, row, { prompt: call.servedPrompt, status: call.status, capacity });
  if (call.servedPrompt?.renderErrors) {
    const { promptId, renderErrors } = call.servedPrompt;
    const { workspaceId } = call;
    const errors = capacity.limitRenderErrors({ workspaceId, hour: counts.hour, promptId, errors: renderErrors });
    for (const error of errors) countRenderError(counts, row, { promptId, error, capacity });
  }
  return true;
}

function addRow(counts: HourlyCounts, accountId: string): number {
  const row = counts.rows.size;
  const start = row * rowSize;
  if (start === counts.numbers.length) {
    const { numbers } = counts;
    counts.numbers = new Float64Array(numbers.length * 2);
    counts.numbers.set(numbers);
  }
  counts.numbers.fill(0, start, start + rowSize);
  counts.rows.set(accountId, row);
  return row;
}

function raiseCounter(counts: HourlyCounts, row: number, key: number, capacity: Capacity): boolean {
  const { numbers } = counts;
  const start = row * rowSize;
  const firstCalls = numbers[start + callsAt] ?? 0;
  if (firstCalls > 0 && numbers[start + keyAt] === key) {
    numbers[start + callsAt] = firstCalls + 1;
    return true;
  }
  const count = firstCalls === 0 ? undefined : counts.details.get(row)?.calls?.get(key);
  if (count === undefined) {
    if (!capacity.hasRoom()) return false;
    counts.entries += 1;
  }
  if (firstCalls === 0) {
    numbers[start + keyAt] = key;
    numbers[start + callsAt] = 1;
  } else {
    const details = detailsOf(counts, row);
    details.calls ??= new Map();
    details.calls.set(key, (count ?? 0) + 1);
  }
  return true;
}

function detailsOf({ details }: HourlyCounts, row: number): Details {
  let found = details.get(row);
  if (!found) {
    found = { calls: undefined, prompts: undefined, renderErrors: undefined };
    details.set(row, found);
  }
  return found;
}

/** Without room for the use of a key, the call still counts. */
function noteKeyUse(
  counts: HourlyCounts,
  workspaceRow: number,
  { call: { accountId, workspaceId, keySerial }, nowMs, capacity }: { call: Call; nowMs: number; capacity: Capacity },
): void {
  // An owner has counters of their own, but many members may share those of one workspace.
  const row = accountId === workspaceId ? workspaceRow : (counts.rows.get(accountId) ?? addMember(counts, accountId, capacity));
  if (row === undefined) return;
  const { numbers } = counts;
  const start = row * rowSize;
  if (keySerial < (numbers[start + keySerialAt] ?? 0)) return;
  numbers[start + keySerialAt] = keySerial;
  numbers[start + lastUsedMsAt] = nowMs;
}

function addMember(counts: HourlyCounts, accountId: string, capacity: Capacity): number | undefined {
  if (!capacity.hasRoom()) return undefined;
  counts.entries += 1;
  return addRow(counts, accountId);
}

function routeIndex(routes: string[], route: string): number {
  const index = routes.indexOf(route);
  return index === -1 ? routes.push(route) - 1 : index;
}

/** Without room for a prompt counter, the call still counts in the totals. */
function countPrompt(
  counts: HourlyCounts,
  row: number,
  { prompt, status, capacity }: { prompt: ServedPrompt; status: number; capacity: Capacity },
): void {
  const details = detailsOf(counts, row);
  details.prompts ??= new Map();
  const key = `${prompt.promptId}\n${prompt.version ?? 0}\n${prompt.label ?? ''}\n${status}`;
  const count = details.prompts.get(key);
  if (count === undefined) {
    if (!capacity.hasPromptRoom(details.prompts.size)) return;
    counts.promptEntries += 1;
  }
  details.prompts.set(key, (count ?? 0) + 1);
}

function countRenderError(
  counts: HourlyCounts,
  row: number,
  { promptId, error, capacity }: { promptId: string; error: RenderError; capacity: Capacity },
): void {
  const details = detailsOf(counts, row);
  details.renderErrors ??= new Map();
  const key = `${promptId}\n${error.code}\n${error.name}`;
  const known = details.renderErrors.get(key);
  if (known) known.calls += 1;
  else if (capacity.hasPromptRoom(details.renderErrors.size)) {
    counts.promptEntries += 1;
    details.renderErrors.set(key, { promptId, ...error, calls: 1 });
  }
}

/** Totals, routes and durations are kept. */
export function dropPromptCounters(counts: HourlyCounts): void {
  for (const details of counts.details.values()) {
    details.prompts = undefined;
    details.renderErrors = undefined;
  }
  counts.promptEntries = 0;
}

/** The counts as lines of a block. */
export function toLines(counts: HourlyCounts): UsageLines {
  return {
    times: [new Date(counts.hour * hourMs).toISOString().slice(0, '2026-03-01T14'.length)],
    routes: counts.routes,
    accountIds: [...counts.rows.keys()],
    lineOf: (accountId) => toLine(counts, accountId),
  };
}

/** The store says `accountId` for the workspace too: the account is the workspace. */
function toLine({ rows, numbers, details }: HourlyCounts, accountId: string): AccountLine {
  const row = rows.get(accountId) ?? 0;
  const field = (at: number) => numbers[row * rowSize + at] ?? 0;
  const [keySerial, lastUsedMs, calls] = [field(keySerialAt), field(lastUsedMsAt), field(callsAt)];
  const line: AccountLine = { accountId, keySerial, lastUsedMs, calls: [], prompts: [], renderErrors: [] };
  if (calls > 0) addCounter(line.calls, field(keyAt), calls);
  const more = details.get(row);
  if (more) addDetails(line, more);
  return line;
}

function addDetails(line: AccountLine, { calls, prompts, renderErrors }: Details): void {
  for (const [key, count] of calls ?? []) addCounter(line.calls, key, count);
  for (const [key, count] of prompts ?? []) {
    const [promptId = '', version, label = '', status] = key.split('\n');
    line.prompts.push(0, promptId, Number(version), label, Number(status), count);
  }
  for (const { promptId, code, name, calls: count } of renderErrors?.values() ?? []) {
    line.renderErrors.push(0, promptId, code, name, count);
  }
}

/** Adds time, route, status, bucket and calls. All counts are of one hour, the first of the times. */
function addCounter(fields: number[], key: number, calls: number): void {
  const routeAndStatus = Math.floor(key / bucketRange);
  fields.push(0, Math.floor(routeAndStatus / statusRange), routeAndStatus % statusRange, key % bucketRange, calls);
}
