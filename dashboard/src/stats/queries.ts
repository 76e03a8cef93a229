import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import type { Statistics } from '../lib/types.ts';
import { periodOf } from './period.ts';
import type { StatsSearch } from './search.ts';

const refreshEveryMs = 4_000;
/** A user who makes the first call looks at the page meanwhile. */
const firstRefreshEveryMs = 1_500;

/** Statistics of the workspace or of one prompt, refetched every few seconds while the page is visible. */
export function statsQuery({ range, interval, at, status }: StatsSearch, prompt?: string) {
  return queryOptions({
    queryKey: ['stats', { range, interval, at, status, prompt }],
    queryFn: () => {
      const period = periodOf({ ...(range && { range }), ...(interval && { interval }), ...(at && { at }) }, Date.now());
      const [from, to] = [period.from, period.to].map((time) => (time === undefined ? undefined : new Date(time).toISOString()));
      return call('getStatistics', { query: { from, to, interval: period.interval, status, prompt } });
    },
    refetchInterval: ({ state }) => (state.data && hasNoCalls(state.data) ? firstRefreshEveryMs : refreshEveryMs),
    placeholderData: keepPreviousData,
  });
}

/** Whether the key has never been used. */
export function hasNoCalls({ totals, keyLastUsedAt }: Statistics): boolean {
  return totals.calls === 0 && keyLastUsedAt === null;
}

/** The prompt that was changed last, if there is one. */
export const newestPromptQuery = queryOptions({
  queryKey: ['prompts', 'newest'],
  queryFn: () => call('listPrompts', { query: { limit: 1, sort: '-updatedAt' } }),
  select: ({ data }) => data[0],
  refetchInterval: refreshEveryMs,
});
