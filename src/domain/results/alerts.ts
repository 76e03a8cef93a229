import type { HistoryEntry } from '../../contract/history.ts';
import { resultAlertDays } from '../../contract/limits.ts';
import { type Repeating, repeat } from '../../platform/scheduling/repeat.ts';
import type { DeployedVersion } from '../../store/prompts/result-alerts.ts';
import type { ComparedRows } from '../../store/statistics/compared-results.ts';
import type { WithStore } from '../../store/store.ts';
import { firstIdAt } from '../ids.ts';
import type { WithReports } from '../statistics/statistics.ts';
import { ignoreDeletedWorkspace } from '../workspaces/change-workspace.ts';
import type { WithResults } from './result-recorder.ts';
import { findWorsenings, type VersionCalls, type Worsening } from './worsening.ts';

const intervalMs = 60_000;
const watchedMs = resultAlertDays * 24 * 60 * 60 * 1000;
/** The maximum number of a workspace's prompts that are compared at a time. All other prompts wait for the next comparison. */
const maxPrompts = 100;

/** Every minute, compares the versions of the prompts whose calls this instance has recorded since the previous comparison. */
export function startComparingResults(
  ctx: WithStore & WithReports & WithResults,
  { onError, ...options }: { onError(err: unknown): void; intervalMs?: number },
): Repeating {
  return repeat((signal) => compareCalledPrompts(ctx, signal), { intervalMs, ...options, onError });
}

/**
 * Compares one workspace at a time, so that the other slots for statistics queries remain free. If the comparison of a workspace fails, the
 * comparison is retried the next time.
 */
async function compareCalledPrompts(ctx: WithStore & WithReports & WithResults, signal: AbortSignal): Promise<void> {
  const { calledPrompts } = ctx.results;
  const errors: unknown[] = [];
  for (const [workspaceId, prompts] of calledPrompts.takeAll()) {
    if (signal.aborted) return;
    const promptIds = [...prompts];
    const compared = promptIds.splice(0, maxPrompts);
    for (const promptId of promptIds) calledPrompts.add(workspaceId, promptId);
    try {
      await checkResults(ctx, { workspaceId, promptIds: compared }, new Date(), signal);
    } catch (err) {
      for (const promptId of compared) calledPrompts.add(workspaceId, promptId);
      errors.push(err);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'The results of some workspaces could not be compared');
}

/** A version to which a label was moved in the last days, and the version that had the label before. */
interface Watched extends DeployedVersion {
  from: number;
}

/**
 * Compares the versions at the labels of the given prompts with the versions before them. If a version is worse, adds an event to the
 * workspace. Each version at a label causes at most one event for each metric.
 */
export async function checkResults(
  ctx: WithStore & WithReports,
  { workspaceId, promptIds }: { workspaceId: string; promptIds: string[] },
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const since = new Date(now.getTime() - watchedMs);
  const watched = await listWatched(ctx, { workspaceId, promptIds }, since);
  for (const [promptId, group] of Map.groupBy(watched, (version) => version.promptId)) {
    if (signal?.aborted) return;
    const compared = group.map(({ label, version, from }) => ({ label, versions: [version, from] }));
    const owner = { accountId: workspaceId, promptId, since: since.toISOString().slice(0, '2026-03-01T14'.length) };
    const rows = await ctx.reports.run(workspaceId, () => ctx.store.statistics.readComparedVersions(owner, compared), signal);
    for (const version of group) {
      const found = findWorsenings(sumCalls(rows, version.label, version.version), sumCalls(rows, version.label, version.from));
      await addAlerts(ctx, version, found, now);
    }
  }
}

async function listWatched(
  { store }: WithStore,
  { workspaceId, promptIds }: { workspaceId: string; promptIds: string[] },
  since: Date,
): Promise<Watched[]> {
  return store.readSnapshot(workspaceId, async ({ resultAlerts }) => {
    const moves = await resultAlerts.listMoves(workspaceId, promptIds, firstIdAt('e', since));
    const moved = new Map<string, Move>();
    for (const { promptId, detail } of moves) {
      const move = parseMove(detail);
      // The moves are listed newest first.
      const key = `${promptId} ${move.label}`;
      if (!moved.has(key)) moved.set(key, move);
    }
    const deployed = await resultAlerts.listDeployed(workspaceId, [...new Set(moves.map(({ promptId }) => promptId))]);
    return deployed.flatMap((version) => {
      const move = moved.get(`${version.promptId} ${version.label}`);
      return move?.to === version.version && typeof move.from === 'number' ? [{ ...version, from: move.from }] : [];
    });
  });
}

type Move = Pick<Partial<HistoryEntry>, 'label' | 'from' | 'to'>;

function parseMove(detail: string): Move {
  // `recordEvent` wrote the detail from the fields of an entry.
  return JSON.parse(detail) as Move;
}

function sumCalls({ sums, durations }: ComparedRows, label: string, version: number): VersionCalls {
  const isOfVersion = (row: { label: string; version: number }) => row.label === label && row.version === version;
  const { calls, errors } = sums.find(isOfVersion) ?? { calls: 0, errors: 0 };
  return { calls, errors, durations: new Map(durations.filter(isOfVersion).map(({ name, calls }) => [Number(name), calls])) };
}

async function addAlerts({ store }: WithStore, { from, ...version }: Watched, found: Worsening[], now: Date): Promise<void> {
  if (found.length === 0) return;
  // Usually, the alert was already sent. In that case, nothing is written, because a change to the workspace would invalidate its cached
  // responses.
  const known = await store.resultAlerts.listMetrics(version);
  const worse = found.filter(({ metric }) => !known.includes(metric));
  if (worse.length === 0) return;
  const at = now.toISOString();
  await store
    .changeWorkspace(version.accountId, async ({ resultAlerts, events }) => {
      const prompt = await resultAlerts.findDeployed(version);
      if (!prompt) return;
      for (const { metric, ...values } of worse) {
        if (!(await resultAlerts.insert({ ...version, metric, at }))) continue;
        const detail = JSON.stringify({ label: version.label, version: version.version, from, metric, ...values });
        events.add({ type: 'results.worsened', at, by: null, prompt, detail });
      }
    })
    .catch(ignoreDeletedWorkspace);
}
