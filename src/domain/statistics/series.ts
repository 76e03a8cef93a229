import { type Range, startOf, startsOf } from './time-range.ts';

interface Counts {
  calls: number;
  /** Calls with a status of 400 or higher. */
  errors: number;
}

/** Returns every interval of a range, including those without calls. Several stored times may belong to one interval. */
export function fillSeries(range: Range, rows: (Counts & { time: string })[]): (Counts & { time: string })[] {
  const series = startsOf(range).map((time) => ({ time, calls: 0, errors: 0 }));
  const points = new Map(series.map((point) => [point.time, point]));
  for (const { time, calls, errors } of rows) {
    const point = points.get(startOf(time, range.interval));
    if (!point) continue;
    point.calls += calls;
    point.errors += errors;
  }
  return series;
}

export function sumCounts(rows: Counts[]): Counts {
  return rows.reduce((sum, { calls, errors }) => ({ calls: sum.calls + calls, errors: sum.errors + errors }), { calls: 0, errors: 0 });
}
