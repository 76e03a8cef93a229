import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import type { MeasuredUnit } from '../../store/statistics/result-batch.ts';
import type { WithStore } from '../../store/store.ts';
import { assignByWeights, hashUnit, isSettled, toUnit } from '../releases/release-units.ts';
import type { ReportedCall } from './report.ts';

/** The version of a call, as it is counted in the results of the prompt. */
interface Called {
  promptId: string;
  version: number;
  label: string;
}

/** Finds the units of releases for which calls count. */
export interface UnitFinder {
  /** Returns the unit for which a call counts. */
  find(called: Called, call: ReportedCall, nowMs: number): MeasuredUnit | undefined;
  /**
   * Returns whether a call has a key, but does not name the release that divides the callers of its prompt. Such a call does not count for
   * the release.
   */
  lacksRelease(called: Called, call: ReportedCall): boolean;
}

/** Reads the releases of calls with a key. Calls without a key cost no query. */
export async function createUnitFinder(
  { store }: WithStore,
  workspaceId: string,
  calls: ReportedCall[],
  findPromptId: (prompt: string) => string | undefined,
): Promise<UnitFinder> {
  const named = new Set<string>();
  for (const { key, prompt } of calls) {
    const promptId = key === undefined ? undefined : findPromptId(prompt);
    if (promptId !== undefined) named.add(promptId);
  }
  const active = await store.releases.listActive(workspaceId, [...named]);
  const releases = new Map(active.map((release) => [release.split.id, release]));

  const find = (called: Called, call: ReportedCall, nowMs: number): MeasuredUnit | undefined => {
    const release = call.release === undefined ? undefined : releases.get(call.release);
    if (!release || call.key === undefined || !isOf(release, called)) return undefined;
    // The version of a call that reports no version number is unknown: the label may have moved since the caller read it.
    if (!isNumber(call.version) || !isSettled(release, startOf(call, nowMs))) return undefined;
    // A version other than the assigned version was chosen by a rule, or by weights that are no longer current.
    if (assignByWeights(release, call.key) !== called.version) return undefined;
    return toUnit(release, { version: called.version, hash: hashUnit(release.split.id, call.key) });
  };
  const lacksRelease = (called: Called, { release, key }: ReportedCall) =>
    release === undefined && key !== undefined && active.some((each) => each.state === 'running' && isOf(each, called));
  return { find, lacksRelease };
}

function isOf(release: ReleaseRecord, { promptId, label }: Called): boolean {
  return release.promptId === promptId && (label === '' || label === release.label);
}

function isNumber(version: ReportedCall['version']): boolean {
  return typeof version === 'number' || /^v?\d+$/.test(version ?? '');
}

/** Returns the latest time at which a call can have started. The clock of the program may be ahead. */
function startOf({ startedAtMs, endedAtMs, durationMs = 0 }: ReportedCall, nowMs: number): number {
  return Math.min(startedAtMs ?? (endedAtMs ?? nowMs) - durationMs, nowMs - durationMs);
}
