import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '../lib/api.ts';
import type { Stats } from '../lib/types.ts';

export type Range = '24h' | '7d' | '30d';
export type Interval = 'hour' | 'day';

const hourMs = 3_600_000;
const lengthsMs: Record<Range, number> = { '24h': 24 * hourMs, '7d': 7 * 24 * hourMs, '30d': 30 * 24 * hourMs };
const intervalsMs: Record<Interval, number> = { hour: hourMs, day: 24 * hourMs };
const refreshEveryMs = 4_000;

/** Statistics up to now, asked for again every few seconds while the page is in sight. */
export function statsQuery(range: Range, interval: Interval) {
  return queryOptions({
    queryKey: ['stats', range, interval],
    queryFn: () => {
      const now = Date.now();
      // The current interval is the last of so many, though it is not over yet.
      const step = intervalsMs[interval];
      const from = Math.floor(now / step) * step + step - lengthsMs[range];
      const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(now).toISOString(), interval });
      return request<Stats>('GET', `/api/stats?${query}`);
    },
    refetchInterval: refreshEveryMs,
    placeholderData: keepPreviousData,
  });
}
