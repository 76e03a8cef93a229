import type { CallSums, ResultSums, Score } from '../../contract/results.ts';
import type { CountRow, Grouped, ScoreRow, SumRow } from '../../store/statistics/results.ts';
import { percentiles } from '../statistics/durations.ts';
import { intervalOfMean, intervalOfShare } from './intervals.ts';

type ByKey<Row> = Map<string | number, Row[]>;

/** Groups rows by their key. The keys of PostgreSQL and SQLite have the same types. */
export function byKey<Row>(rows: Grouped<Row>[]): ByKey<Grouped<Row>> {
  return Map.groupBy(rows, ({ key }) => key);
}

/** Adds up the counters of calls. */
export function summarizeCalls(sums: SumRow[], counts: CountRow[]): CallSums {
  const total = { calls: 0, errors: 0, inputTokens: 0, outputTokens: 0, cost: 0, priced: 0, unpriced: 0 };
  for (const row of sums) for (const name of Object.keys(total) as (keyof SumRow)[]) total[name] += row[name];
  const { priced, cost, ...rest } = total;
  return {
    ...rest,
    errorRate:
      total.calls === 0 ? null : { value: round(total.errors / total.calls), ...roundAll(intervalOfShare(total.errors, total.calls)) },
    durationMs: percentilesOf(counts, 'duration'),
    firstChunkMs: percentilesOf(counts, 'first_chunk'),
    cost: round(cost),
    costPerCall: priced === 0 ? null : round(cost / priced),
  };
}

export function summarize(sums: SumRow[], counts: CountRow[], scores: ScoreRow[]): ResultSums {
  const errors = new Map<string, number>();
  for (const { kind, name, calls } of counts) if (kind === 'error') errors.set(name, (errors.get(name) ?? 0) + calls);
  const errorTypes = [...errors].map(([type, calls]) => ({ type, calls })).sort((a, b) => b.calls - a.calls || (a.type < b.type ? -1 : 1));
  return { ...summarizeCalls(sums, counts), errorTypes, scores: summarizeScores(scores) };
}

function percentilesOf(counts: CountRow[], wanted: CountRow['kind']): { p50: number | null; p95: number | null } {
  const [p50 = null, p95 = null] = percentiles(bucketsOf(counts, wanted), [0.5, 0.95]);
  return { p50, p95 };
}

/** Returns the number of calls in each bucket. */
export function bucketsOf(counts: CountRow[], wanted: CountRow['kind']): Map<number, number> {
  const buckets = new Map<number, number>();
  for (const { kind, name, calls } of counts) {
    if (kind === wanted) buckets.set(Number(name), (buckets.get(Number(name)) ?? 0) + calls);
  }
  return buckets;
}

/** Adds up scores by name. A name with values of several types has one entry for each. */
function summarizeScores(rows: ScoreRow[]): Score[] {
  const groups = Map.groupBy(rows, ({ name, kind }) => `${name}\n${kind}`);
  const scores = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [summarizeScore(first, group)] : [];
  });
  return scores.sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}

function summarizeScore({ name, kind }: ScoreRow, rows: ScoreRow[]): Score {
  const sum = { count: 0, total: 0, squares: 0 };
  const categories = new Map<string, number>();
  for (const { calls, total, squares, value } of rows) {
    sum.count += calls;
    sum.total += total;
    sum.squares += squares;
    if (kind === 'category') categories.set(value, (categories.get(value) ?? 0) + calls);
  }
  const isCategory = kind === 'category';
  const interval = kind === 'boolean' ? intervalOfShare(sum.total, sum.count) : isCategory ? undefined : intervalOfMean(sum);
  return {
    name,
    kind: kind as Score['kind'],
    count: sum.count,
    mean: isCategory ? null : round(sum.total / sum.count),
    low: interval ? round(interval.low) : null,
    high: interval ? round(interval.high) : null,
    categories: [...categories]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
  };
}

/** Rounds a number, because sums of fractions end in meaningless digits. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

function roundAll<Name extends string>(values: Record<Name, number>): Record<Name, number> {
  return Object.fromEntries(Object.entries<number>(values).map(([name, value]) => [name, round(value)])) as Record<Name, number>;
}
