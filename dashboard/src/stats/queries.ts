import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '../lib/api.ts';
import type { Statistics } from '../lib/types.ts';

export type Range = '24h' | '7d' | '30d';
export type Interval = Statistics['interval'];

const hourMs = 3_600_000;
const lengthsMs: Record<Range, number> = { '24h': 24 * hourMs, '7d': 7 * 24 * hourMs, '30d': 30 * 24 * hourMs };
const intervalsMs: Record<Interval, number> = { hour: hourMs, day: 24 * hourMs };
const refreshEveryMs = 4_000;

/** Statistics up to now, refetched every few seconds while the page is visible. */
export function statsQuery(range: Range, interval: Interval) {
  return queryOptions({
    queryKey: ['stats', range, interval],
    queryFn: () => {
      const now = Date.now();
      // The current interval, which is not over yet, is the last one.
      const step = intervalsMs[interval];
      const from = Math.floor(now / step) * step + step - lengthsMs[range];
      const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(now).toISOString(), interval });
      return request<Statistics>('GET', `/api/stats?${query}`);
    },
    refetchInterval: refreshEveryMs,
    placeholderData: keepPreviousData,
  });
}
