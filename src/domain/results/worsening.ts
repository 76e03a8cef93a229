import type { ResultMetric } from '../../contract/event-types.ts';
import { percentiles } from '../statistics/durations.ts';
import { intervalOfPercentile, intervalOfShare } from './intervals.ts';

/** The calls of a version. */
export interface VersionCalls {
  calls: number;
  errors: number;
  /** The successful calls by bucket of their duration. */
  durations: Map<number, number>;
}

/** A value that is worse than before, and the number of calls from which it was computed. */
export interface Worsening {
  metric: ResultMetric;
  current: number;
  previous: number;
  calls: number;
}

const minCalls = 50;
/**
 * The quantile of the normal distribution for the intervals. It is much higher than the quantile of a 95% interval, because versions are
 * compared every minute, and none of these many comparisons should find a difference by chance.
 */
const quantile = 4;
const share = 0.95;

/** Returns the metrics for which a version is worse than the version before it, if the difference is very unlikely to be chance. */
export function findWorsenings(current: VersionCalls, previous: VersionCalls): Worsening[] {
  return [compareErrors(current, previous), compareDurations(current, previous)].filter((found) => found !== undefined);
}

function compareErrors(current: VersionCalls, previous: VersionCalls): Worsening | undefined {
  if (Math.min(current.calls, previous.calls) < minCalls) return undefined;
  const { low } = intervalOfShare(current.errors, current.calls, quantile);
  const { high } = intervalOfShare(previous.errors, previous.calls, quantile);
  if (low <= high) return undefined;
  return { metric: 'errors', current: errorRateOf(current), previous: errorRateOf(previous), calls: current.calls };
}

function compareDurations({ durations: current }: VersionCalls, { durations: previous }: VersionCalls): Worsening | undefined {
  const calls = countCalls(current);
  if (Math.min(calls, countCalls(previous)) < minCalls) return undefined;
  const { low } = intervalOfPercentile(current, share, quantile);
  const { high } = intervalOfPercentile(previous, share, quantile);
  // Almost equal values can be in neighboring buckets. If there is a bucket between them, they differ by at least 20%.
  if (low <= high + 1) return undefined;
  return { metric: 'p95', current: percentileOf(current), previous: percentileOf(previous), calls };
}

function errorRateOf({ errors, calls }: VersionCalls): number {
  return Number((errors / calls).toPrecision(4));
}

function percentileOf(counts: Map<number, number>): number {
  return percentiles(counts, [share])[0] ?? 0;
}

function countCalls(counts: Map<number, number>): number {
  return [...counts.values()].reduce((sum, calls) => sum + calls, 0);
}
