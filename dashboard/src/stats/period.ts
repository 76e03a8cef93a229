import type { Interval, Range, StatsSearch } from './search.ts';

/** The period to request from the server, from one instant to another or to now. */
interface Period {
  from: number;
  to: number | undefined;
  interval: Interval;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const presetDays: Record<Exclude<Range, '24h'>, number> = { '7d': 7, '30d': 30 };

/**
 * Reads the period from a URL. It covers whole hours or days in UTC up to now, including the current one, so that the interval does not
 * change the total.
 */
export function periodOf(search: StatsSearch, now: number): Period {
  if (search.at !== undefined) {
    const from = startOf(search.at);
    return { from, to: from + (isDay(search.at) ? dayMs : hourMs), interval: 'hour' };
  }
  const { range } = search;
  if (range === undefined) return { from: floor(now, hourMs) - 23 * hourMs, to: undefined, interval: 'hour' };
  return { from: floor(now, dayMs) - (presetDays[range] - 1) * dayMs, to: undefined, interval: intervalOf(search) };
}

export function intervalOf({ range, at, interval }: StatsSearch): Interval {
  return range === undefined || at !== undefined ? 'hour' : (interval ?? 'day');
}

/** Returns the day or hour that starts at a time of a series, in the format of a URL. */
export function momentOf(time: string, interval: Interval): string {
  return time.slice(0, interval === 'day' ? '2026-03-01'.length : '2026-03-01T14'.length);
}

/** The chart of one hour shows the day around it. */
export function chartSearchOf(search: StatsSearch): StatsSearch {
  return search.at === undefined || isDay(search.at) ? search : { ...search, at: search.at.slice(0, '2026-03-01'.length) };
}

export function isDay(moment: string): boolean {
  return moment.length === '2026-03-01'.length;
}

export function startOf(moment: string): number {
  return Date.parse(isDay(moment) ? moment : `${moment}:00Z`);
}

export function lengthMsOf(interval: Interval): number {
  return interval === 'day' ? dayMs : hourMs;
}

function floor(timeMs: number, lengthMs: number): number {
  return Math.floor(timeMs / lengthMs) * lengthMs;
}
