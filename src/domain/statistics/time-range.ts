import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { invalidField } from '../../errors.ts';

/**
 * A range of whole hours in UTC, whatever the interval of the series, so that the same range always has the same total. `to` is exclusive.
 */
export interface Range {
  from: Date;
  to: Date;
  interval: Statistics['interval'];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const intervalMs = { hour: hourMs, day: dayMs };
const maxDays = { hour: 31, day: 400 };
const dayLength = '2026-03-01'.length;
const hourLength = '2026-03-01T14'.length;

/** Parses a range, by default the last 24 hours, and widens it to whole hours. */
export function parseRange({ from, to, interval = 'hour' }: StatisticsQuery, now: Date): Range {
  const end = parseTime('/to', to) ?? now;
  const start = parseTime('/from', from) ?? new Date(end.getTime() - dayMs);
  if (start >= end) throw invalidField('/from', 'Must be before "to"');
  if (end.getTime() - start.getTime() > maxDays[interval] * dayMs) {
    throw invalidField('/from', `With the interval "${interval}", the range can have at most ${maxDays[interval]} days`);
  }
  return {
    from: new Date(floor(start.getTime(), hourMs)),
    to: new Date(Math.ceil(end.getTime() / hourMs) * hourMs),
    interval,
  };
}

/** Returns the start of each interval that overlaps the range. */
export function startsOf({ from, to, interval }: Range): string[] {
  const starts: string[] = [];
  const lengthMs = intervalMs[interval];
  for (let time = floor(from.getTime(), lengthMs); time < to.getTime(); time += lengthMs) starts.push(new Date(time).toISOString());
  return starts;
}

/**
 * Returns the start of the interval that a stored time belongs to. In an hourly series, a day whose hours were aggregated counts in its
 * first hour.
 */
export function startOf(time: string, interval: Range['interval']): string {
  const isHour = interval === 'hour' && time.length > dayLength;
  return new Date(isHour ? `${time}:00Z` : time.slice(0, dayLength)).toISOString();
}

/**
 * Returns a bound in the format of the stored times. Midnight becomes a plain date, so that a day and its hours sort on the same side of
 * the bound.
 */
export function toTime(date: Date): string {
  const text = date.toISOString();
  return text.slice(0, date.getTime() % dayMs === 0 ? dayLength : hourLength);
}

function floor(timeMs: number, lengthMs: number): number {
  return Math.floor(timeMs / lengthMs) * lengthMs;
}

const timePattern = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

function parseTime(path: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, day] = timePattern.exec(text) ?? [];
  const date = new Date(text);
  // JavaScript parses 30 February as 2 March.
  const isReal = day !== undefined && !Number.isNaN(date.getTime()) && new Date(day).toISOString().startsWith(day);
  if (!isReal) throw invalidField(path, 'Not an ISO 8601 time such as 2026-03-01T14:00:00Z');
  return date;
}
