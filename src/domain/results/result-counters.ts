import type { CalledVersion, CommentRow, NewResults, ResultRows } from '../../store/statistics/counted-calls.ts';
import type { ResultKind, ScoreKind } from '../../store/statistics/tables.ts';
import type { ResultCount, ResultCounts, ResultSum, ScoreCount } from '../../store/statistics/usage-counts.ts';
import { newId } from '../ids.ts';
import { bucketOf } from '../statistics/durations.ts';
import { takeSorted } from '../statistics/take-sorted.ts';

/** The numbers of a call. */
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

/** Adds up new results, so that each row of the database is written once. */
export function countResults(results: NewResults<Measured>, { at, dropped = [] }: { at: Date; dropped?: Dropped[] }): ResultRows {
  const arrival = at.toISOString().slice(0, '2026-03-01T14'.length);
  const sums = new Map<string, ResultSum>();
  const counts = new Map<string, ResultCount>();
  const scores = new Map<string, ScoreCount>();
  const comments: CommentRow[] = [];

  for (const { version, measured, startedMs } of results.calls) addCall(version, withTimes(measured, startedMs));
  for (const { version, score } of results.scores) {
    const { kind, value, number } = toScore(score.value);
    const row = { ...keyOf(version, arrival), name: score.name, kind, value };
    const sum = take(scores, row, { total: 0, squares: 0 });
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
  const none = { promptId: '', version: 0, label: '', model: '' };
  for (const { accountId, reason, count } of dropped) addCount({ accountId, time: arrival, ...none }, 'dropped', reason, count);
  const all: ResultCounts = {
    resultSums: takeSorted(sums, sums.size),
    resultCounts: takeSorted(counts, counts.size),
    resultScores: takeSorted(scores, scores.size),
  };
  return { counts: all, comments };

  function addCall(version: CalledVersion, measured: Measured): void {
    const { time, durationMs, firstChunkMs, inputTokens, outputTokens, cost, error } = measured;
    const key = keyOf(version, time);
    const sum = take(sums, key, { errors: 0, inputTokens: 0, outputTokens: 0, cost: 0, priced: 0, unpriced: 0 });
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
    if (cost !== undefined) {
      sum.cost += cost;
      sum.priced += 1;
    } else if (inputTokens + outputTokens > 0) sum.unpriced += 1;
    if (error !== undefined) {
      sum.errors += 1;
      addCount(key, 'error', error);
      return;
    }
    if (durationMs !== undefined) addCount(key, 'duration', String(bucketOf(durationMs)));
    if (firstChunkMs !== undefined) addCount(key, 'first_chunk', String(bucketOf(firstChunkMs)));
  }

  function addCount(key: ReturnType<typeof keyOf>, kind: ResultKind, name: string, calls = 1): void {
    take(counts, { ...key, kind, name }, {}, calls);
  }
}

function keyOf({ accountId, promptId, version, label, model }: CalledVersion, time: string) {
  return { accountId, time, promptId, version, label, model };
}

/** Returns the counter with a key, to which `calls` are added. */
function take<Key extends object, Sums extends object>(
  counters: Map<string, Key & Sums & { calls: number }>,
  key: Key,
  zero: Sums,
  calls = 1,
) {
  const name = Object.values(key).join('\n');
  const counter = counters.get(name) ?? { ...key, ...zero, calls: 0 };
  counter.calls += calls;
  counters.set(name, counter);
  return counter;
}

/** Completes the measurements of a call whose start was reported earlier. */
function withTimes(measured: Measured, startedMs: number | null): Measured {
  if (startedMs === null) return measured;
  const { endedAtMs, firstChunkAtMs } = measured;
  const since = (time: number) => (time >= startedMs ? time - startedMs : undefined);
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
