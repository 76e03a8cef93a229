import type { Statistics } from '../../contract/statistics.ts';
import { invalidField } from '../../errors.ts';
import { createDayFormat, listDayStarts } from './local-days.ts';

/**
 * A range of whole hours in UTC. It does not depend on the interval of the series, so that the same range always has the same total. `to`
 * is exclusive.
 */
export interface Range {
  from: Date;
  to: Date;
  interval: Statistics['interval'];
  /** The time zone of the days. */
  timeZone: string;
  /** The start of each interval that overlaps the range, in milliseconds. */
  starts: number[];
}

interface RangeQuery {
  from?: string;
  to?: string;
  interval?: Statistics['interval'];
  timeZone?: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxDays = { hour: 31, day: 400 };
const dayLength = '2026-03-01'.length;
const hourLength = '2026-03-01T14'.length;
const utc = 'UTC';

/** Parses a range, by default the last 24 hours, and widens it to whole hours. */
export function parseRange({ from, to, interval = 'hour', timeZone = utc }: RangeQuery, now: Date): Range {
  const end = parseTime('/to', to) ?? now;
  const start = parseTime('/from', from) ?? new Date(end.getTime() - dayMs);
  if (start >= end) throw invalidField('/from', 'Must be before "to"');
  if (end.getTime() - start.getTime() > maxDays[interval] * dayMs) {
    throw invalidField('/from', `With the interval "${interval}", the range can have at most ${maxDays[interval]} days`);
  }
  const fromMs = Math.floor(start.getTime() / hourMs) * hourMs;
  const toMs = Math.ceil(end.getTime() / hourMs) * hourMs;
  const dayOf = createDayFormat(timeZone);
  const starts = interval === 'day' ? listDayStarts(dayOf, fromMs, toMs) : listHours(fromMs, toMs);
  return { from: new Date(fromMs), to: new Date(toMs), interval, timeZone, starts };
}

/** Returns the fields of a response that describe the range. */
export function describeRange({ from, to, interval, timeZone }: Range, now: Date) {
  return { from: from.toISOString(), to: to.toISOString(), now: now.toISOString(), interval, timeZone };
}

function listHours(fromMs: number, toMs: number): number[] {
  return Array.from({ length: (toMs - fromMs) / hourMs }, (_, index) => fromMs + index * hourMs);
}

/** Returns the range in the form in which counters are selected. Days in a time zone other than UTC are the sums of their hours. */
export function toCounted({ from, to, interval, timeZone }: Range) {
  return { from: toTime(from), to: toTime(to), interval: timeZone === utc ? interval : ('hour' as const) };
}

/** Returns the start of a stored time. A stored time is either an hour or a day whose hours were aggregated. */
export function startOf(time: string): number {
  return Date.parse(time.length > dayLength ? `${time}:00Z` : time);
}

/**
 * Returns a bound in the format of the stored times. Midnight becomes a plain date, so that a day and its hours sort on the same side of
 * the bound.
 */
export function toTime(date: Date): string {
  const text = date.toISOString();
  return text.slice(0, date.getTime() % dayMs === 0 ? dayLength : hourLength);
}

const timePattern = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Parses a time or a day from a query. */
export function parseTime(path: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, day] = timePattern.exec(text) ?? [];
  const date = new Date(text);
  // JavaScript parses 30 February as 2 March.
  const isReal = day !== undefined && !Number.isNaN(date.getTime()) && new Date(day).toISOString().startsWith(day);
  if (!isReal) throw invalidField(path, 'Must be an ISO 8601 time, such as 2026-03-01T14:00:00Z');
  return date;
}
