import { invalidField } from '../../errors.ts';

const hourMs = 3_600_000;
/** A lower bound of the length of a day, even if the clocks change on that day. */
const shortestDayHours = 20;

/** Returns a function that formats a time as its day in a time zone, such as `2026-03-01`. Throws if there is no such time zone. */
export function createDayFormat(timeZone: string): (timeMs: number) => string {
  try {
    // The Swedish date format is the same as the format of ISO 8601.
    return new Intl.DateTimeFormat('sv', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format;
  } catch {
    throw invalidField('/timeZone', 'Must be a time zone, such as Europe/Berlin or UTC');
  }
}

/**
 * Returns the start of each local day that overlaps a range of whole hours: the first whole hour in UTC that begins on that day. In a time
 * zone whose offset is not a whole number of hours, this is up to 45 minutes after midnight. A day has 23 or 25 hours if the clocks change.
 */
export function listDayStarts(dayOf: (timeMs: number) => string, fromMs: number, toMs: number): number[] {
  let start = fromMs;
  while (dayOf(start - hourMs) === dayOf(fromMs)) start -= hourMs;
  const starts: number[] = [];
  while (start < toMs) {
    starts.push(start);
    const day = dayOf(start);
    start += shortestDayHours * hourMs;
    while (dayOf(start) === day) start += hourMs;
  }
  return starts;
}
