import { type Range, startOf } from './time-range.ts';

interface Counts {
  calls: number;
  /** Calls with a status of 400 or higher. */
  errors: number;
}

/** Returns every interval of a range, including intervals without calls. Several stored times may belong to one interval. */
export function fillSeries(range: Range, rows: (Counts & { time: string })[]): (Counts & { time: string })[] {
  const series = range.starts.map((start) => ({ time: new Date(start).toISOString(), calls: 0, errors: 0 }));
  for (const { time, calls, errors } of rows) {
    const point = series[findInterval(range, time)];
    if (!point) continue;
    point.calls += calls;
    point.errors += errors;
  }
  return series;
}

/** Returns the index of the interval that a stored time belongs to, or -1. */
export function findInterval({ starts, to }: Pick<Range, 'starts' | 'to'>, time: string): number {
  const start = startOf(time);
  if (start >= to.getTime()) return -1;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function sumCounts(rows: Counts[]): Counts {
  return rows.reduce((sum, { calls, errors }) => ({ calls: sum.calls + calls, errors: sum.errors + errors }), { calls: 0, errors: 0 });
}
