import { isDay, startOfHour } from './period.ts';
import type { Interval } from './search.ts';
import { utc } from './time-zone.ts';

const hourMs = 3_600_000;

function createFormats(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', { timeZone, ...options }).format;
  return {
    shortDay: format({ month: 'short', day: 'numeric' }),
    longDay: format({ weekday: 'short', month: 'short', day: 'numeric' }),
    clock: format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}

const formats = new Map<string, ReturnType<typeof createFormats>>();

function formatsOf(zone: string) {
  const known = formats.get(zone) ?? createFormats(zone);
  formats.set(zone, known);
  return known;
}

export const formatTickDay = (time: string, zone: string) => formatsOf(zone).shortDay(Date.parse(time));
export const formatTickHour = (time: string, zone: string) => formatsOf(zone).clock(Date.parse(time));

/** Formats the start of an interval, such as "Sun, Mar 1" or "Sun, Mar 1, 14:00". */
export function formatInterval(time: string, interval: Interval, zone: string): string {
  const { longDay, clock } = formatsOf(zone);
  const start = Date.parse(time);
  return interval === 'day' ? longDay(start) : `${longDay(start)}, ${clock(start)}`;
}

/** Formats a day or hour of a URL, such as "Sun, Mar 1" or "Sun, Mar 1, 14:00–15:00". In UTC, the text says so. */
export function formatMoment(moment: string, zone: string): string {
  const suffix = zone === utc ? ' UTC' : '';
  // A date is the same in every time zone.
  if (isDay(moment)) return formatsOf(utc).longDay(Date.parse(moment)) + suffix;
  const { longDay, clock } = formatsOf(zone);
  const start = startOfHour(moment);
  return `${longDay(start)}, ${clock(start)}–${clock(start + hourMs)}${suffix}`;
}

/** Returns the hour in UTC, if the page shows another time zone. */
export function formatUtcHour(time: string, zone: string): string | undefined {
  if (zone === utc) return undefined;
  const { longDay, clock } = formatsOf(utc);
  return `${longDay(Date.parse(time))}, ${clock(Date.parse(time))} UTC`;
}

/** Says in which time zone the times are, and why a day may begin after midnight. */
export function describeZone(zone: string, firstTime: string | undefined): string {
  if (zone === utc) return 'Days and hours are in UTC.';
  const minutes = firstTime === undefined ? '00' : formatTickHour(firstTime, zone).slice(-2);
  const note = minutes === '00' ? '' : ` Calls are counted by full hours in UTC, so hours and days begin at :${minutes}.`;
  return `Days and hours are in your time zone (${zone.replaceAll('_', ' ')}).${note}`;
}
