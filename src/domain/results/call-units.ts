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

/** Returns a function that finds the unit of a release for which a call counts. Calls without a release cost no query. */
export async function createUnitFinder(
  { store }: WithStore,
  workspaceId: string,
  calls: ReportedCall[],
  findPromptId: (prompt: string) => string | undefined,
): Promise<(called: Called, call: ReportedCall, nowMs: number) => MeasuredUnit | undefined> {
  const named = new Set<string>();
  for (const { release, key, prompt } of calls) {
    const promptId = release === undefined || key === undefined ? undefined : findPromptId(prompt);
    if (promptId !== undefined) named.add(promptId);
  }
  const active = await store.releases.listActive(workspaceId, [...named]);
  const releases = new Map(active.map((release) => [release.split.id, release]));

  return (called, call, nowMs) => {
    const release = call.release === undefined ? undefined : releases.get(call.release);
    if (!release || call.key === undefined || !isOf(release, called)) return undefined;
    // A caller that does not name the number of the version may have got another one than the label has now.
    if (!isNumber(call.version) || !isSettled(release, startOf(call, nowMs))) return undefined;
    // Another version was not chosen by the weights, or not by the current ones.
    if (assignByWeights(release, call.key) !== called.version) return undefined;
    return toUnit(release, { version: called.version, hash: hashUnit(release.split.id, call.key) });
  };
}

function isOf(release: ReleaseRecord, { promptId, label }: Called): boolean {
  return release.promptId === promptId && (label === '' || label === release.label);
}

function isNumber(version: ReportedCall['version']): boolean {
  return typeof version === 'number' || /^v?\d+$/.test(version ?? '');
}

/** Returns when a call started, at the latest. The clock of the program may be ahead. */
function startOf({ startedAtMs, endedAtMs, durationMs = 0 }: ReportedCall, nowMs: number): number {
  return Math.min(startedAtMs ?? (endedAtMs ?? nowMs) - durationMs, nowMs - durationMs);
}
