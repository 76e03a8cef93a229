import type { Statistics } from '../lib/types.ts';

export type Range = '24h' | '7d' | '30d';
export type Interval = Statistics['interval'];

/** The parameters of a URL that select the statistics to show. */
export interface StatsSearch {
  /** The range. The default is 24 hours. */
  range?: Exclude<Range, '24h'>;
  interval?: Interval;
  /** The moment: one day (`2026-03-01`) in the viewer's time zone, or one hour (`2026-03-01T14`) in UTC. */
  at?: string;
  status?: number;
  /** The subject of the page, if it is not calls. */
  show?: 'runs' | 'results';
  /** The `userId` of a member. */
  member?: string;
  /** The filters of results. */
  label?: string;
  model?: string;
}

export function parseStatsSearch(search: Record<string, unknown>): StatsSearch {
  const { range, interval, at, status, show, member, label, model } = search;
  return {
    ...((range === '7d' || range === '30d') && { range }),
    ...((interval === 'hour' || interval === 'day') && { interval }),
    ...(isMoment(at) && { at }),
    ...(typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599 && { status }),
    ...((show === 'runs' || show === 'results') && { show }),
    ...(typeof member === 'string' && /^u_\w{1,60}$/.test(member) && { member }),
    ...(typeof label === 'string' && { label }),
    ...(typeof model === 'string' && { model }),
  };
}

function isMoment(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(T\d{2})?$/.test(value)) return false;
  return !Number.isNaN(Date.parse(value.length === '2026-03-01'.length ? value : `${value}:00Z`));
}
