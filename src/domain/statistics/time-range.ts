import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { invalidField } from '../../errors.ts';

/** Whole hours or days in UTC. `to` is exclusive. */
export interface Range {
  from: Date;
  to: Date;
  interval: Statistics['interval'];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const intervalMs = { hour: hourMs, day: dayMs };
const maxDays = { hour: 31, day: 400 };

/** Parses a range, by default the last 24 hours, and widens it to whole intervals. */
export function parseRange({ from, to, interval = 'hour' }: StatisticsQuery, now: Date): Range {
  const end = parseTime('/to', to) ?? now;
  const start = parseTime('/from', from) ?? new Date(end.getTime() - dayMs);
  if (start >= end) throw invalidField('/from', 'Must be before "to"');
  if (end.getTime() - start.getTime() > maxDays[interval] * dayMs) {
    throw invalidField('/from', `With the interval "${interval}" a range has at most ${maxDays[interval]} days`);
  }
  const lengthMs = intervalMs[interval];
  return {
    from: new Date(Math.floor(start.getTime() / lengthMs) * lengthMs),
    to: new Date(Math.ceil(end.getTime() / lengthMs) * lengthMs),
    interval,
  };
}

/** The start of each interval in a range. */
export function startsOf({ from, to, interval }: Range): string[] {
  const starts: string[] = [];
  for (let time = from.getTime(); time < to.getTime(); time += intervalMs[interval]) starts.push(new Date(time).toISOString());
  return starts;
}

/** A bound in the format of the stored times. Midnight becomes a plain day, so that a day and its hours sort on the same side of it. */
export function toTime(date: Date): string {
  const text = date.toISOString();
  return text.slice(0, date.getTime() % dayMs === 0 ? '2026-03-01'.length : '2026-03-01T14'.length);
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
