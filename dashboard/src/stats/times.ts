import { isDay, startOf } from './period.ts';
import type { Interval } from './search.ts';

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', { timeZone: 'UTC', ...options });
const shortDay = format({ month: 'short', day: 'numeric' });
const longDay = format({ weekday: 'short', month: 'short', day: 'numeric' });
const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const localClock = new Intl.DateTimeFormat('en', { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** All times of the statistics are UTC, so that an hour belongs to the same day for everyone. */
export const formatTickDay = (time: string) => shortDay.format(new Date(time));
export const formatTickHour = (time: string) => clock.format(new Date(time));

/** "Sun, Mar 1" or "Sun, Mar 1, 14:00". */
export function formatInterval(time: string, interval: Interval): string {
  const date = new Date(time);
  return interval === 'day' ? longDay.format(date) : `${longDay.format(date)}, ${clock.format(date)}`;
}

/** "Sun, Mar 1" or "Sun, Mar 1, 14:00–15:00", for a day or hour in a URL. */
export function formatMoment(moment: string): string {
  const start = startOf(moment);
  if (isDay(moment)) return longDay.format(start);
  return `${longDay.format(start)}, ${clock.format(start)}–${clock.format(start + 3_600_000)}`;
}

/** Returns the hour in the viewer's time zone, if it differs. */
export function formatLocalHour(time: string): string | undefined {
  const date = new Date(time);
  return date.getTimezoneOffset() === 0 ? undefined : `${localClock.format(date)} your time`;
}
