import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '../lib/api.ts';
import type { Stats } from '../lib/types.ts';

export type Range = '24h' | '7d' | '30d';
export type Interval = 'hour' | 'day';

const hours: Record<Range, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };
const hourMs = 3_600_000;
const refreshEveryMs = 4_000;

/** Statistics up to now, asked for again every few seconds while the page is in sight. */
export function statsQuery(range: Range, interval: Interval) {
  return queryOptions({
    queryKey: ['stats', range, interval],
    queryFn: () => {
      const now = Date.now();
      // From the start of an hour, so that the first point of the series is a whole one.
      const from = Math.floor(now / hourMs) * hourMs - (hours[range] - 1) * hourMs;
      const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(now).toISOString(), interval });
      return request<Stats>('GET', `/api/stats?${query}`);
    },
    refetchInterval: refreshEveryMs,
    placeholderData: keepPreviousData,
  });
}
