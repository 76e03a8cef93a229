import type { CallCount, PromptCount, RenderErrorCount, UsageCounts } from '../../store/statistics/usage-counts.ts';
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
  readonly workspaces: Map<string, WorkspaceCounts>;
  /** By account. */
  readonly keyUses: Map<string, KeyUse>;
  /** Counters refer to a route by its index in this list. */
  readonly routes: string[];
  /** The number of call counters, and of key uses by members. */
  entries: number;
  /** The number of prompt and render error counters. */
  promptEntries: number;
}

interface KeyUse {
  /** The newest key that was used. */
  serial: number;
  /** When it was last used, in ms since 1970. */
  lastUsedMs: number;
}

interface WorkspaceCounts {
  /** By route index, status and duration bucket, packed into one number. */
  readonly calls: Map<number, number>;
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
  return { hour, workspaces: new Map(), keyUses: new Map(), routes: [], entries: 0, promptEntries: 0 };
}

export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / hourMs);
}

/** Counts a call. Returns false if it needs a new counter and there is no room for one. */
export function countCall(counts: HourlyCounts, call: Call, nowMs: number, capacity: Capacity): boolean {
  let workspace = counts.workspaces.get(call.workspaceId);
  if (!workspace) {
    if (!capacity.hasRoom()) return false;
    workspace = { calls: new Map(), prompts: undefined, renderErrors: undefined };
    counts.workspaces.set(call.workspaceId, workspace);
  }

  const key = (routeIndex(counts.routes, call.route) * statusRange + call.status) * bucketRange + bucketOf(call.durationMs);
  const count = workspace.calls.get(key);
  if (count === undefined) {
    if (!capacity.hasRoom()) return false;
    counts.entries += 1;
  }
  workspace.calls.set(key, (count ?? 0) + 1);
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

/** Without room for the use of a key, the call still counts. */
function noteKeyUse(counts: HourlyCounts, { workspaceId, accountId, keySerial }: Call, nowMs: number, capacity: Capacity): void {
  let use = counts.keyUses.get(accountId);
  if (!use) {
    // An owner has counters of their own, but many members may share those of one workspace.
    const isMember = accountId !== workspaceId;
    if (isMember && !capacity.hasRoom()) return;
    if (isMember) counts.entries += 1;
    use = { serial: 0, lastUsedMs: 0 };
    counts.keyUses.set(accountId, use);
  }
  if (keySerial >= use.serial) {
    use.serial = keySerial;
    use.lastUsedMs = nowMs;
  }
}

function routeIndex(routes: string[], route: string): number {
  const index = routes.indexOf(route);
  return index === -1 ? routes.push(route) - 1 : index;
}

/** Without room for a prompt counter, the call still counts in the totals. */
function countPrompt(counts: HourlyCounts, workspace: WorkspaceCounts, prompt: ServedPrompt, status: number, capacity: Capacity): void {
  const key = `${prompt.promptId}\n${prompt.version ?? 0}\n${prompt.label ?? ''}\n${status}`;
  workspace.prompts ??= new Map();
  const count = workspace.prompts.get(key);
  if (count === undefined) {
    if (!capacity.hasPromptRoom()) return;
    counts.promptEntries += 1;
  }
  workspace.prompts.set(key, (count ?? 0) + 1);
}

function countRenderError(
  counts: HourlyCounts,
  workspace: WorkspaceCounts,
  promptId: string,
  error: RenderError,
  capacity: Capacity,
): void {
  const key = `${promptId}\n${error.code}\n${error.name}`;
  workspace.renderErrors ??= new Map();
  const known = workspace.renderErrors.get(key);
  if (known) known.calls += 1;
  else if (capacity.hasPromptRoom()) {
    counts.promptEntries += 1;
    workspace.renderErrors.set(key, { promptId, ...error, calls: 1 });
  }
}

/** Converts the counts to rows. */
export function toCounts({ hour, workspaces, keyUses, routes }: HourlyCounts): UsageCounts {
  const time = new Date(hour * hourMs).toISOString().slice(0, '2026-03-01T14'.length);
  const calls: CallCount[] = [];
  const prompts: PromptCount[] = [];
  const renderErrors: RenderErrorCount[] = [];
  // The store says `accountId` for the workspace too: the account is the workspace.
  for (const [accountId, workspace] of workspaces) {
    for (const [key, count] of workspace.calls) {
      const routeAndStatus = Math.floor(key / bucketRange);
      const route = routes[Math.floor(routeAndStatus / statusRange)] ?? '';
      calls.push({ accountId, time, route, status: routeAndStatus % statusRange, bucket: key % bucketRange, calls: count });
    }
    for (const counted of workspace.renderErrors?.values() ?? []) renderErrors.push({ accountId, time, ...counted });
    for (const [key, count] of workspace.prompts ?? []) {
      const [promptId = '', version, label = '', status] = key.split('\n');
      prompts.push({ accountId, time, promptId, version: Number(version), label, status: Number(status), calls: count });
    }
  }
  const uses = [...keyUses].map(([accountId, { serial, lastUsedMs }]) => ({ accountId, keySerial: serial, lastUsedMs }));
  return { calls, prompts, renderErrors, keyUses: uses };
}
