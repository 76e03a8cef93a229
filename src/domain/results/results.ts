import type { HistoryEntry } from '../../contract/history.ts';
import { productionLabel } from '../../contract/label-names.ts';
import type { DropReason, PromptResults, ResultsQuery, WorkspaceResults, WorkspaceResultsQuery } from '../../contract/results.ts';
import type { CountRow, Grouped, ScoreRow, SumRow } from '../../store/statistics/results.ts';
import type { Store, WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { toStorable } from '../ids.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { listReportedReleases } from '../releases/period-releases.ts';
import { findInterval } from '../statistics/series.ts';
import type { WithReports } from '../statistics/statistics.ts';
import { describeRange, parseRange, type Range, startOf, toCounted } from '../statistics/time-range.ts';
import { byKey, summarize, summarizeCalls } from './summaries.ts';

const maxVersions = 50;
const maxDeployments = 100;

/** Returns what programs reported about the calls of a prompt in a time range. */
export async function getPromptResults(
  ctx: WithStore & WithReports,
  actor: Actor,
  name: string,
  query: ResultsQuery,
): Promise<PromptResults> {
  const now = new Date();
  const range = parseRange(query, now);
  const { workspaceId } = actor;
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  const [label, model] = [query.label, query.model].map((text) => (text === undefined ? undefined : toStorable(text)));
  const counted = { accountId: workspaceId, promptId, ...toCounted(range) };
  const rows = await ctx.reports.run(workspaceId, () =>
    ctx.store.statistics.readPromptResults({ ...counted, version: query.version, label, model }),
  );
  const moves = await listDeployments(ctx.store, { accountId: workspaceId, promptId });
  const last = moves.findLast((move) => move.label === (label ?? productionLabel));
  return {
    ...describeRange(range, now),
    totals: summarize(rows.versionSums, rows.versionCounts, rows.versionScores),
    versions: summarizeVersions(rows)
      .slice(0, maxVersions)
      .sort((a, b) => (b.version ?? 0) - (a.version ?? 0)),
    models: summarizeGroups(rows.modelSums, rows.modelCounts).map(({ key, ...sums }) => ({ model: String(key) || null, ...sums })),
    series: fillSeries(range, rows.seriesSums, rows.seriesCounts).map(({ rows: points, ...sums }) => ({
      ...sums,
      versions: sumVersions(points),
    })),
    deployments: moves.filter(({ at }) => at >= range.from.toISOString() && at < range.to.toISOString()).slice(-maxDeployments),
    comparison: last ? await compareVersions(ctx, last, { ...counted, model }) : null,
    releases: await ctx.reports.run(workspaceId, () => listReportedReleases(ctx, { accountId: workspaceId, promptId, range, label })),
  };
}

type Deployment = PromptResults['deployments'][number];

/** Lists the latest moves of labels, oldest first. */
async function listDeployments(store: Store, owner: { accountId: string; promptId: string }): Promise<Deployment[]> {
  const moves = await store.read(owner.accountId).history.listDeployments(owner);
  const deployments = moves.map(({ at, detail }) => {
    // `recordEvent` wrote the detail from the fields of an entry.
    const { label = '', from, to } = JSON.parse(detail) as Partial<HistoryEntry>;
    return { at, label, version: Number(to), from: typeof from === 'number' ? from : null };
  });
  return deployments.reverse();
}

/** Compares the version at a label with the version that had the label before. */
async function compareVersions(
  ctx: WithStore & WithReports,
  { label, version, from, at }: Deployment,
  counted: { accountId: string; promptId: string; model: string | undefined } & ReturnType<typeof toCounted>,
): Promise<PromptResults['comparison']> {
  if (from === null || from === version) return null;
  const rows = await ctx.reports.run(counted.accountId, () =>
    ctx.store.statistics.readPromptResults({ ...counted, label, version: undefined }),
  );
  const found = summarizeVersions(rows);
  const [current, previous] = [version, from].map((number) => found.find((row) => row.version === number));
  if (!current || !previous) return null;
  return { label, since: at, current: { ...current, version }, previous: { ...previous, version: from } };
}

interface VersionRows {
  versionSums: Grouped<SumRow>[];
  versionCounts: Grouped<CountRow>[];
  versionScores: Grouped<ScoreRow>[];
}

/** Adds up the counters of each version, most calls first. */
function summarizeVersions({ versionSums, versionCounts, versionScores }: VersionRows) {
  const [sums, counts, scores] = [byKey(versionSums), byKey(versionCounts), byKey(versionScores)];
  const versions = [...new Set([...sums.keys(), ...scores.keys()])];
  return versions
    .map((version) => ({
      version: Number(version) || null,
      ...summarize(sums.get(version) ?? [], counts.get(version) ?? [], scores.get(version) ?? []),
    }))
    .sort((a, b) => b.calls - a.calls);
}

function summarizeGroups(sumRows: Grouped<SumRow>[], countRows: Grouped<CountRow>[]) {
  const counts = byKey(countRows);
  return [...byKey(sumRows)]
    .map(([key, rows]) => ({ key, ...summarizeCalls(rows, counts.get(key) ?? []) }))
    .sort((a, b) => b.cost - a.cost || b.calls - a.calls || (a.key < b.key ? -1 : 1));
}

/** Returns every interval of a range with its sums, including intervals without calls. */
function fillSeries<Row extends Grouped<SumRow>>(range: Range, sums: Row[], counts: Grouped<CountRow>[]) {
  const sumsByInterval = Map.groupBy(sums, ({ key }) => findInterval(range, String(key)));
  const countsByInterval = Map.groupBy(counts, ({ key }) => findInterval(range, String(key)));
  return range.starts.map((start, index) => {
    const rows = sumsByInterval.get(index) ?? [];
    return { time: new Date(start).toISOString(), ...summarizeCalls(rows, countsByInterval.get(index) ?? []), rows };
  });
}

function sumVersions(rows: { version: number; calls: number; errors: number }[]) {
  return [...Map.groupBy(rows, ({ version }) => version)]
    .map(([version, group]) => ({
      version: version || null,
      calls: group.reduce((sum, { calls }) => sum + calls, 0),
      errors: group.reduce((sum, { errors }) => sum + errors, 0),
    }))
    .sort((a, b) => (b.version ?? 0) - (a.version ?? 0));
}

/** Returns what programs reported about all calls of a workspace in a time range. */
export async function getResults(ctx: WithStore & WithReports, actor: Actor, query: WorkspaceResultsQuery): Promise<WorkspaceResults> {
  const now = new Date();
  const range = parseRange(query, now);
  const { workspaceId: accountId } = actor;
  const { statistics } = ctx.store;
  const rows = await ctx.reports.run(accountId, () => statistics.readWorkspaceResults({ accountId, ...toCounted(range) }));
  const prompts = summarizeGroups(rows.promptSums, rows.promptCounts).map(({ key, ...sums }) => ({ promptId: String(key), ...sums }));
  const names = await statistics.findPromptNames(
    accountId,
    prompts.map(({ promptId }) => promptId),
  );
  return {
    ...describeRange(range, now),
    totals: summarizeCalls(rows.seriesSums, rows.seriesCounts),
    prompts: prompts.map(({ promptId, ...sums }) => ({ promptId, name: names.get(promptId) ?? null, ...sums })),
    models: summarizeGroups(rows.modelSums, rows.modelCounts).map(({ key, ...sums }) => ({ model: String(key) || null, ...sums })),
    series: fillSeries(range, rows.seriesSums, rows.seriesCounts).map(({ rows: _, ...sums }) => sums),
    // `recordReport` counted the dropped items with these reasons as names.
    dropped: rows.dropped.map(({ name, calls }) => ({ reason: name as DropReason, count: calls })),
    lastReportedAt: rows.lastTime === null ? null : new Date(startOf(rows.lastTime)).toISOString(),
  };
}
