import { renderedCode, sentCode } from '../../store/statistics/tables.ts';
import type { CallCount, KeyUse, PromptCount, RenderErrorCount, UsageCounts } from '../../store/statistics/usage-counts.ts';
import { bucketOf } from './durations.ts';
import { createHourlyLimit } from './hourly-limit.ts';
import { createRenderErrorLimit, type RenderError } from './render-errors.ts';

/** A request made with an API key, as the statistics count it. */
export interface Call {
  /** The workspace in which the call counts. */
  workspaceId: string;
  /** The account whose key was used. */
  accountId: string;
  keySerial: number;
  /** The method and pattern, such as `GET /api/prompts/{name}`. */
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
  /** The reasons why it could not be rendered. */
  renderErrors?: RenderError[];
  /** For a successful render, the variables that were sent although they are not required. */
  unrequired?: string[];
}

const hourMs = 3_600_000;
/** Returns the number of hours since 1970. */
export const hourOf = (ms: number) => Math.floor(ms / hourMs);

interface CounterLimits {
  entries: number;
  promptEntries: number;
  promptEntriesOfWorkspace: number;
}

/** Counts calls in memory until the counters are taken to be written. */
export function createCounters(limits: CounterLimits) {
  /** The counters of each workspace. Their keys are numbers, because building a string for every call would cost more than counting it. */
  const calls = new Map<string, Map<number, CallCount>>();
  const routeNumbers = new Map<string, number>();
  let callEntries = 0;
  const prompts = new Map<string, PromptCount>();
  const renderErrors = new Map<string, RenderErrorCount>();
  const keyUses = new Map<string, KeyUse>();
  const limitRenderErrors = createRenderErrorLimit();
  /** Sent variables have a separate limit, so that callers who send many do not displace the causes of errors. */
  const limitSent = createRenderErrorLimit();
  const isAdmitted = createHourlyLimit(limits.promptEntriesOfWorkspace);
  let hour = 0;
  let time = '';

  function hasPromptRoom(workspaceId: string, key: string): boolean {
    return prompts.size + renderErrors.size < limits.promptEntries && isAdmitted({ hour, owner: workspaceId, key });
  }

  /** Counts a call of a prompt. If there is no room for a new counter, the call still counts in the totals. */
  function countPrompt({ workspaceId: accountId, status }: Call, { promptId, version = 0, label = '' }: ServedPrompt): void {
    const key = `${accountId}\n${time}\n${promptId}\n${version}\n${label}\n${status}`;
    const known = prompts.get(key);
    if (known) known.calls += 1;
    else if (hasPromptRoom(accountId, key)) prompts.set(key, { accountId, time, promptId, version, label, status, calls: 1 });
  }

  function countRenderErrors(accountId: string, promptId: string, errors: RenderError[]): void {
    for (const error of limitRenderErrors(errors, { hour, workspaceId: accountId, promptId })) addRenderCount(accountId, promptId, error);
  }

  /** Counts renders by label, and the variables that were sent. Labels need no limit, because a prompt has few. */
  function countRender(accountId: string, { promptId, label }: ServedPrompt, unrequired: string[]): void {
    if (label === undefined) return;
    addRenderCount(accountId, promptId, { code: renderedCode, name: label });
    for (const variable of unrequired) {
      const sent = { code: sentCode, name: variable === '' ? '' : `${label} ${variable}` };
      // This runs for every render, so limits are checked only for new counters.
      if (addToKnown(keyOfRender(accountId, promptId, sent))) continue;
      for (const counted of limitSent([sent], { hour, workspaceId: accountId, promptId })) addRenderCount(accountId, promptId, counted);
    }
  }

  function keyOfRender(accountId: string, promptId: string, { code, name }: RenderError): string {
    return `${accountId}\n${time}\n${promptId}\n${code}\n${name}`;
  }

  function addToKnown(key: string): boolean {
    const known = renderErrors.get(key);
    if (known) known.calls += 1;
    return known !== undefined;
  }

  function addRenderCount(accountId: string, promptId: string, { code, name }: RenderError): void {
    const key = keyOfRender(accountId, promptId, { code, name });
    if (addToKnown(key) || !hasPromptRoom(accountId, key)) return;
    renderErrors.set(key, { accountId, time, promptId, code, name, calls: 1 });
  }

  /** Records when a key was last used. If there is no room for that, the call still counts. */
  function noteKeyUse({ accountId, keySerial }: Call, lastUsedMs: number): void {
    const known = keyUses.get(accountId);
    if (!known) {
      if (keyUses.size < limits.entries) keyUses.set(accountId, { accountId, keySerial, lastUsedMs });
    } else if (keySerial >= known.keySerial) {
      known.keySerial = keySerial;
      known.lastUsedMs = lastUsedMs;
    }
  }

  /** Counts a call in the totals. Returns false if there is no room for a new counter. */
  function countInTotals({ workspaceId: accountId, route, status, durationMs }: Call): boolean {
    const bucket = bucketOf(durationMs);
    const routeNumber = routeNumbers.get(route) ?? routeNumbers.size;
    routeNumbers.set(route, routeNumber);
    const key = ((hour * 1000 + routeNumber) * 1000 + status) * 100 + bucket;
    const counters = calls.get(accountId);
    const known = counters?.get(key);
    if (known) {
      known.calls += 1;
      return true;
    }
    if (callEntries >= limits.entries) return false;
    const counter = { accountId, time, route, status, bucket, calls: 1 };
    if (counters) counters.set(key, counter);
    else calls.set(accountId, new Map([[key, counter]]));
    callEntries += 1;
    return true;
  }

  function takeCalls(max: number): CallCount[] {
    const taken = new Map<string, CallCount>();
    for (const [accountId, counters] of calls) {
      for (const [key, counter] of counters) {
        if (taken.size === max) break;
        taken.set(Object.values(counter).join('\n'), counter);
        counters.delete(key);
      }
      if (counters.size === 0) calls.delete(accountId);
      if (taken.size === max) break;
    }
    callEntries -= taken.size;
    return takeSorted(taken, max);
  }

  return {
    /** Counts a call. Returns false if it needs a new counter and there is no room for one. */
    count(call: Call, calledAtMs: number): boolean {
      const hourOfCall = hourOf(calledAtMs);
      if (hourOfCall !== hour) {
        hour = hourOfCall;
        time = new Date(calledAtMs).toISOString().slice(0, '2026-03-01T14'.length);
      }
      if (!countInTotals(call)) return false;
      noteKeyUse(call, calledAtMs);
      const { servedPrompt } = call;
      if (servedPrompt) countPrompt(call, servedPrompt);
      if (servedPrompt?.renderErrors) countRenderErrors(call.workspaceId, servedPrompt.promptId, servedPrompt.renderErrors);
      if (servedPrompt?.unrequired) countRender(call.workspaceId, servedPrompt, servedPrompt.unrequired);
      return true;
    },

    /** Takes up to `max` counters of each kind. */
    take: (max: number): UsageCounts => ({
      calls: takeCalls(max),
      prompts: takeSorted(prompts, max),
      renderErrors: takeSorted(renderErrors, max),
      keyUses: takeSorted(keyUses, max),
    }),

    get size() {
      return callEntries + prompts.size + renderErrors.size;
    },
  };
}

/** Takes counters in sorted order, so that instances that write the same rows at the same time do not deadlock. */
function takeSorted<Counter>(counters: Map<string, Counter>, max: number): Counter[] {
  const taken: [string, Counter][] = [];
  for (const entry of counters) {
    if (taken.push(entry) === max) break;
  }
  for (const [key] of taken) counters.delete(key);
  return taken.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, counter]) => counter);
}
