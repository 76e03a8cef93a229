import type { AssignedRelease } from '../../contract/release-assignment.ts';
import { nameRenders, renderedCode, sentCode } from '../../store/statistics/tables.ts';
import type { KeyUse, PromptCount, ReleaseCount, RenderErrorCount, UsageCounts } from '../../store/statistics/usage-counts.ts';
import { type CountedCall, createCallCounters } from './call-counters.ts';
import { createHourlyLimit } from './hourly-limit.ts';
import { type CountedKey, createKeyCounters } from './key-counters.ts';
import { createRenderErrorLimit, type RenderError, type SentVariables } from './render-errors.ts';
import { type CountedRun, createRunCounters } from './run-counters.ts';
import { takeSorted } from './take-sorted.ts';

/** A request with an API key, with the fields that the statistics count. */
export interface Call extends CountedCall {
  keySerial: number;
  servedPrompt?: ServedPrompt | undefined;
}

/** The prompt version that a response contains. */
export interface ServedPrompt {
  promptId: string;
  version: number | undefined;
  label: string | undefined;
  /** How a release of the label chose the version. */
  release?: AssignedRelease | undefined;
  /** The key that the caller sent. */
  key?: string | undefined;
  /** The reasons why the prompt could not be rendered. */
  renderErrors?: RenderError[];
  /** For a successful render, the variables that the caller sent. */
  sent?: SentVariables;
}

const hourMs = 3_600_000;
/** Returns the number of hours since 1970. */
export const hourOf = (ms: number) => Math.floor(ms / hourMs);

interface CounterLimits {
  entries: number;
  promptEntries: number;
  promptEntriesOfWorkspace: number;
  memberEntriesOfWorkspace: number;
  runEntriesOfWorkspace: number;
  promptsWithKeys: number;
  sketchesPerWrite: number;
}

/** Counts calls in memory. The counters stay in memory until they are taken and written. */
export function createCounters(limits: CounterLimits) {
  const calls = createCallCounters(limits);
  const runs = createRunCounters(limits);
  const prompts = new Map<string, PromptCount>();
  const renderErrors = new Map<string, RenderErrorCount>();
  const releases = new Map<string, ReleaseCount>();
  const keys = createKeyCounters(limits);
  const keyUses = new Map<string, KeyUse>();
  const limitRenderErrors = createRenderErrorLimit();
  /** Sent variables have a separate limit, so that callers who send many do not displace the causes of errors. */
  const limitSent = createRenderErrorLimit();
  const isAdmitted = createHourlyLimit(limits.promptEntriesOfWorkspace);
  let hour = 0;
  let time = '';
  let day = '';

  function setTime(nowMs: number): void {
    if (hourOf(nowMs) === hour) return;
    hour = hourOf(nowMs);
    time = new Date(nowMs).toISOString().slice(0, '2026-03-01T14'.length);
    day = time.slice(0, '2026-03-01'.length);
  }

  function hasPromptRoom(workspaceId: string, key: string): boolean {
    return prompts.size + releases.size + renderErrors.size < limits.promptEntries && isAdmitted({ hour, owner: workspaceId, key });
  }

  /** Counts a call of a prompt. If the limit of counters is reached, the call still counts in the totals. */
  function countPrompt({ workspaceId: accountId, status }: Call, { promptId, version = 0, label = '' }: ServedPrompt): void {
    const key = `${accountId}\n${time}\n${promptId}\n${version}\n${label}\n${status}`;
    const known = prompts.get(key);
    if (known) known.calls += 1;
    else if (hasPromptRoom(accountId, key)) prompts.set(key, { accountId, time, promptId, version, label, status, calls: 1 });
  }

  /** Counts a version that a release chose. */
  function countRelease(accountId: string, { id: releaseId, reason }: AssignedRelease, version = 0): void {
    const key = `${accountId}\n${time}\n${releaseId}\n${version}\n${reason}`;
    const known = releases.get(key);
    if (known) known.calls += 1;
    else if (hasPromptRoom(accountId, key)) releases.set(key, { accountId, time, releaseId, version, reason, calls: 1 });
  }

  /** Counts the key of a caller that has read a label, and the version that a release chose for it. */
  function countCaller(workspaceId: string, { promptId, version, label, release, key }: ServedPrompt): void {
    if (key !== undefined && label !== undefined) keys.count({ workspaceId, promptId, key }, day);
    if (release) countRelease(workspaceId, release, version);
  }

  function countRenderErrors(accountId: string, promptId: string, errors: RenderError[]): void {
    for (const error of limitRenderErrors(errors, { hour, workspaceId: accountId, promptId })) addRenderCount(accountId, promptId, error);
  }

  /** Counts renders by label and required variables, and the other variables that were sent. */
  function countRender(accountId: string, { promptId, label }: ServedPrompt, { required, unrequired }: SentVariables): void {
    if (label === undefined) return;
    addRenderCount(accountId, promptId, { code: renderedCode, name: nameRenders(label, required) });
    for (const variable of unrequired) {
      const sent = { code: sentCode, name: variable === '' ? '' : `${label} ${variable}` };
      // This loop runs for every render, so limits are checked only for new counters.
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

  function countServed(call: Call, served: ServedPrompt): void {
    const { workspaceId } = call;
    countPrompt(call, served);
    countCaller(workspaceId, served);
    if (served.renderErrors) countRenderErrors(workspaceId, served.promptId, served.renderErrors);
    if (served.sent) countRender(workspaceId, served, served.sent);
  }

  /** Records when a key was last used. The call counts even if the limit of keys is reached. */
  function noteKeyUse({ accountId, keySerial }: Call, lastUsedMs: number): void {
    const known = keyUses.get(accountId);
    if (!known) {
      if (keyUses.size < limits.entries) keyUses.set(accountId, { accountId, keySerial, lastUsedMs });
    } else if (keySerial >= known.keySerial) {
      known.keySerial = keySerial;
      known.lastUsedMs = lastUsedMs;
    }
  }

  return {
    /** Counts a call. Returns false if it needs a new counter and the limit is reached. */
    count(call: Call, calledAtMs: number): boolean {
      setTime(calledAtMs);
      if (!calls.count(call, hour, time)) return false;
      noteKeyUse(call, calledAtMs);
      const { servedPrompt } = call;
      if (servedPrompt) countServed(call, servedPrompt);
      return true;
    },

    /** Counts a request to a model. Returns false if it needs a new counter and the limit is reached. */
    countRun(run: CountedRun, endedAtMs: number): boolean {
      setTime(endedAtMs);
      return runs.count(run, hour, time);
    },

    /** Counts a version that a release chose, and the key of its caller, but no call. */
    countServed(workspaceId: string, served: ServedPrompt, nowMs: number): void {
      setTime(nowMs);
      countCaller(workspaceId, served);
    },

    /** Counts a key of a prompt. */
    countKey(counted: CountedKey, nowMs: number): void {
      setTime(nowMs);
      keys.count(counted, day);
    },

    /** Removes and returns up to `max` counters of each kind. */
    take: (max: number): UsageCounts => ({
      ...calls.take(max),
      prompts: takeSorted(prompts, max),
      renderErrors: takeSorted(renderErrors, max),
      runs: runs.take(max),
      releases: takeSorted(releases, max),
      keyUses: takeSorted(keyUses, max),
      promptKeys: keys.take(),
    }),

    get size() {
      return calls.size + prompts.size + renderErrors.size + runs.size + releases.size + keys.size;
    },
  };
}
