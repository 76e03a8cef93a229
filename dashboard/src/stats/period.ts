import type { Interval, Range, StatsSearch } from './search.ts';
import { utc } from './time-zone.ts';

/** The period to request from the server, from one instant to another or to now. */
interface Period {
  from: number;
  to: number | undefined;
  interval: Interval;
}

const hourMs = 3_600_000;
const dayLength = '2026-03-01'.length;
const presetDays: Record<Exclude<Range, '24h'>, number> = { '7d': 7, '30d': 30 };

/**
 * Reads the period from a URL. The period covers whole hours or days up to now, including the current one, so that the total does not
 * depend on the interval.
 */
export function periodOf(search: StatsSearch, zone: string, now: number): Period {
  if (search.at !== undefined) {
    if (!isDay(search.at)) return { from: startOfHour(search.at), to: startOfHour(search.at) + hourMs, interval: 'hour' };
    return { from: startOfDay(search.at, zone), to: startOfDay(search.at, zone, 1), interval: 'hour' };
  }
  const { range } = search;
  if (range === undefined) return { from: Math.floor(now / hourMs) * hourMs - 23 * hourMs, to: undefined, interval: 'hour' };
  return { from: startOfDay(dayOf(now, zone), zone, 1 - presetDays[range]), to: undefined, interval: intervalOf(search) };
}

export function intervalOf({ range, at, interval }: StatsSearch): Interval {
  return range === undefined || at !== undefined ? 'hour' : (interval ?? 'day');
}

/** Converts the start of an interval to the `at` of a URL: the day in the time zone, or the hour in UTC. */
export function momentOf(time: string, interval: Interval, zone: string): string {
  return interval === 'day' ? dayOf(Date.parse(time), zone) : time.slice(0, '2026-03-01T14'.length);
}

/** Returns the search for the chart. The chart of one hour shows the day around that hour. */
export function chartSearchOf(search: StatsSearch, zone: string): StatsSearch {
  return search.at === undefined || isDay(search.at) ? search : { ...search, at: dayOf(startOfHour(search.at), zone) };
}

export function isDay(moment: string): boolean {
  return moment.length === dayLength;
}

export function startOfHour(moment: string): number {
  return Date.parse(`${moment}:00Z`);
}

/** Returns the date of a time, such as `2026-03-01`. */
export function dayOf(timeMs: number, zone: string): string {
  if (zone === utc) return new Date(timeMs).toISOString().slice(0, dayLength);
  // The Swedish locale writes dates as ISO 8601 does.
  return new Date(timeMs).toLocaleDateString('sv');
}

/**
 * Returns the first whole UTC hour of a day, or of the day that is `daysLater` days later. Calls are counted by UTC hours, so in a time
 * zone with a half-hour offset, a day begins half an hour after midnight.
 */
export function startOfDay(day: string, zone: string, daysLater = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const start = zone === utc ? Date.UTC(year, month - 1, date + daysLater) : new Date(year, month - 1, date + daysLater).getTime();
  return Math.ceil(start / hourMs) * hourMs;
}
