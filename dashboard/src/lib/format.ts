const number = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

export const formatNumber = (value: number) => (value >= 100_000 ? compact.format(value) : number.format(value));
export const formatDate = (iso: string) => date.format(new Date(iso));
export const formatDateTime = (iso: string) => dateTime.format(new Date(iso));

export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '0%' : percent.format(part / whole);
}

export function formatMs(value: number | null): string {
  if (value === null) return '–';
  if (value >= 1000) return `${(value / 1000).toFixed(value >= 10_000 ? 0 : 1)} s`;
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ms`;
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Formats a time as "3 min. ago", or as a date if it is more than 30 days ago. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
  if (Math.abs(seconds) < 45) return 'just now';
  if (seconds < -30 * 86_400) return formatDate(iso);
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return relative.format(-1, 'minute');
}

/** Formats a time of which only the hour is known, in the same way as `formatAgo`. */
export function formatHoursAgo(iso: string): string {
  return Date.now() - new Date(iso).getTime() < 3_600_000 ? 'this hour' : formatAgo(iso);
}

export const plural = (count: number, one: string, many = `${one}s`) => `${formatNumber(count)} ${count === 1 ? one : many}`;
