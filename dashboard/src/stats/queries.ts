import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import type { Statistics } from '../lib/types.ts';
import { periodOf } from './period.ts';
import type { StatsSearch } from './search.ts';

const refreshEveryMs = 4_000;
/** The refetch interval before the first call. It is short, because the user watches the page for that call. */
const firstRefreshEveryMs = 1_500;

/** Statistics of the workspace or of one prompt, refetched every few seconds while the page is visible. */
export function statsQuery(search: StatsSearch, zone: string, prompt?: string) {
  return queryOptions({
    queryKey: ['stats', { ...search, zone, prompt }],
    queryFn: () => call('getStatistics', { query: { ...rangeOf(search, zone), status: search.status, member: search.member, prompt } }),
    refetchInterval: ({ state }) => (state.data && hasNoCalls(state.data) ? firstRefreshEveryMs : refreshEveryMs),
    placeholderData: keepPreviousData,
  });
}

/** Requests to models, refetched like the other statistics. */
export function runStatsQuery(search: StatsSearch, zone: string) {
  return queryOptions({
    queryKey: ['stats', 'runs', { ...search, zone }],
    queryFn: () => call('getRunStatistics', { query: { ...rangeOf(search, zone), member: search.member } }),
    refetchInterval: refreshEveryMs,
    placeholderData: keepPreviousData,
  });
}

/** Returns the parameters of a request for the period of a URL. */
export function rangeOf(search: StatsSearch, zone: string) {
  const { from, to, interval } = periodOf(search, zone, Date.now());
  const format = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  return { from: format(from), to: format(to), interval, timeZone: zone };
}

/** Returns whether the key has never been used. */
export function hasNoCalls({ totals, keyLastUsedAt }: Statistics): boolean {
  return totals.calls === 0 && keyLastUsedAt === null;
}

/** The prompt that was changed last. Undefined if the workspace has no prompts. */
export const newestPromptQuery = queryOptions({
  queryKey: ['prompts', 'newest'],
  queryFn: () => call('listPrompts', { query: { limit: 1, sort: '-updatedAt' } }),
  select: ({ data }) => data[0],
  refetchInterval: refreshEveryMs,
});
