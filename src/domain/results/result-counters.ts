import { addToCount } from '../../platform/add-to-count.ts';
import type { CalledVersion, CommentRow, NewResults, ResultRows } from '../../store/statistics/result-batch.ts';
import type { ResultKind, ScoreKind } from '../../store/statistics/tables.ts';
import type { ResultCount, ResultSum, ScoreCount } from '../../store/statistics/usage-counts.ts';
import { newId } from '../ids.ts';
import { bucketOf } from '../statistics/durations.ts';
import { takeSorted } from '../statistics/take-sorted.ts';
import { maxDurationMs } from './intake/measurements.ts';
import { createUnitCounter } from './unit-counters.ts';

/** The measurements of a call. */
export interface Measured {
  /** The hour in which the call is counted. */
  time: string;
  endedAtMs: number;
  durationMs: number | undefined;
  firstChunkMs: number | undefined;
  /** When the first part of the response arrived, for calls whose start is already stored. */
  firstChunkAtMs: number | undefined;
  inputTokens: number;
  outputTokens: number;
  /** Undefined if the cost is unknown. */
  cost: number | undefined;
  error: string | undefined;
}

export interface Dropped {
  accountId: string;
  reason: string;
  count: number;
}

/** The counters of one version, label and model in one hour. */
interface Group {
  sum: ResultSum;
  /** The number of calls by kind and name. */
  counts: Record<Exclude<ResultKind, 'dropped'>, Map<string, number>>;
}

/** Adds up new results, so that each row of the database is written once. */
export function countResults(results: NewResults<Measured>, { at, dropped = [] }: { at: Date; dropped?: Dropped[] }): ResultRows {
  const arrival = at.toISOString().slice(0, '2026-03-01T14'.length);
  const groups = new Map<string, Group>();
  const scores = new Map<string, ScoreCount>();
  const comments: CommentRow[] = [];
  const units = createUnitCounter();

  for (const { version, measured, startedMs, unit } of results.calls) {
    const complete = withTimes(measured, startedMs);
    addCall(groupOf(version, measured.time), complete);
    if (unit) units.addCall(version.accountId, unit, complete);
  }
  for (const { version, score, unit } of results.scores) {
    if (unit) units.addScore(version.accountId, unit, score);
    const { kind, value, number } = toScore(score.value);
    const key = `${nameOf(version, arrival)}\n${score.name}\n${kind}\n${value}`;
    const sum = scores.get(key) ?? { ...keyOf(version, arrival), name: score.name, kind, value, calls: 0, total: 0, squares: 0 };
    scores.set(key, sum);
    sum.calls += 1;
    sum.total += number;
    sum.squares += number * number;
    if (score.comment) {
      comments.push({
        ...version,
        id: newId('fb'),
        at: at.toISOString(),
        name: score.name,
        value: String(score.value),
        comment: score.comment,
      });
    }
  }
  const sorted = takeSorted(groups, groups.size);
  const counts = sorted.flatMap(({ sum, counts: byKind }) => toCounts(sum, byKind));
  const drops = Map.groupBy(dropped, ({ accountId, reason }) => `${accountId}\n${reason}`);
  const droppedCounts = [...drops.keys()].sort().flatMap((key) => toDroppedCount(drops.get(key) ?? [], arrival));
  return {
    counts: {
      resultSums: sorted.map(({ sum }) => sum),
      resultCounts: [...droppedCounts, ...counts],
      resultScores: takeSorted(scores, scores.size),
    },
    units: units.finish(),
    comments,
  };

  function groupOf(version: CalledVersion, time: string): Group {
    const name = nameOf(version, time);
    const known = groups.get(name);
    if (known) return known;
    const sums = { calls: 0, errors: 0, inputTokens: 0, outputTokens: 0, cost: 0, priced: 0, unpriced: 0 };
    const group: Group = {
      sum: { ...keyOf(version, time), ...sums },
      counts: { duration: new Map(), error: new Map(), first_chunk: new Map() },
    };
    groups.set(name, group);
    return group;
  }
}

function addCall({ sum, counts }: Group, { durationMs, firstChunkMs, inputTokens, outputTokens, cost, error }: Measured): void {
  sum.calls += 1;
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  if (cost !== undefined) {
    sum.cost += cost;
    sum.priced += 1;
  } else if (inputTokens + outputTokens > 0) sum.unpriced += 1;
  if (error !== undefined) {
    sum.errors += 1;
    addToCount(counts.error, error, 1);
    return;
  }
  if (durationMs !== undefined) addToCount(counts.duration, String(bucketOf(durationMs)), 1);
  if (firstChunkMs !== undefined) addToCount(counts.first_chunk, String(bucketOf(firstChunkMs)), 1);
}

/** Returns the counts sorted by key, so that instances that write the same rows do not deadlock. */
function toCounts({ accountId, time, promptId, version, label, model }: ResultSum, counts: Group['counts']): ResultCount[] {
  const key = { accountId, time, promptId, version, label, model };
  return (['duration', 'error', 'first_chunk'] as const).flatMap((kind) =>
    [...counts[kind]].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, calls]) => ({ ...key, kind, name, calls })),
  );
}

function toDroppedCount(dropped: Dropped[], time: string): ResultCount[] {
  const [first] = dropped;
  if (!first) return [];
  const { accountId, reason: name } = first;
  const calls = dropped.reduce((sum, { count }) => sum + count, 0);
  return [{ accountId, time, promptId: '', version: 0, label: '', model: '', kind: 'dropped', name, calls }];
}

function keyOf({ accountId, promptId, version, label, model }: CalledVersion, time: string) {
  return { accountId, time, promptId, version, label, model };
}

function nameOf({ accountId, promptId, version, label, model }: CalledVersion, time: string): string {
  return `${accountId}\n${time}\n${promptId}\n${version}\n${label}\n${model}`;
}

/** Completes the measurements of a call whose start was reported earlier. */
function withTimes(measured: Measured, startedMs: number | null): Measured {
  if (startedMs === null) return measured;
  const { endedAtMs, firstChunkAtMs } = measured;
  // The start may be from a wrong clock.
  const since = (time: number) => (time >= startedMs && time - startedMs <= maxDurationMs ? time - startedMs : undefined);
  return {
    ...measured,
    durationMs: measured.durationMs ?? since(endedAtMs),
    firstChunkMs: measured.firstChunkMs ?? (firstChunkAtMs === undefined ? undefined : since(firstChunkAtMs)),
  };
}

function toScore(value: number | boolean | string): { kind: ScoreKind; value: string; number: number } {
  if (typeof value === 'string') return { kind: 'category', value, number: 0 };
  return typeof value === 'boolean' ? { kind: 'boolean', value: '', number: value ? 1 : 0 } : { kind: 'number', value: '', number: value };
}
