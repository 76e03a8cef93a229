import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import type { PromptResults } from '../lib/types.ts';
import { rangeOf } from '../stats/queries.ts';
import type { StatsSearch } from '../stats/search.ts';

const refreshEveryMs = 10_000;
/** The refetch interval before the first result. It is short, because the user is waiting for the result. */
const firstRefreshEveryMs = 3_000;

/** The results of a prompt, refetched while the page is visible. */
export function promptResultsQuery(search: StatsSearch, zone: string, name: string) {
  return queryOptions({
    queryKey: ['stats', 'results', name, { ...search, zone }],
    queryFn: () =>
      call('getPromptResults', { path: { name }, query: { ...rangeOf(search, zone), label: search.label, model: search.model } }),
    refetchInterval: ({ state }) => (state.data && isEmpty(state.data) ? firstRefreshEveryMs : refreshEveryMs),
    placeholderData: keepPreviousData,
  });
}

/** The results of all prompts of the workspace. */
export function workspaceResultsQuery(search: StatsSearch, zone: string) {
  return queryOptions({
    queryKey: ['stats', 'results', { ...search, zone }],
    queryFn: () => call('getResults', { query: rangeOf(search, zone) }),
    refetchInterval: refreshEveryMs,
    placeholderData: keepPreviousData,
  });
}

/** The comments of feedback on a prompt, or on one of its versions. */
export function commentsQuery(name: string, version: number | undefined) {
  return infiniteQueryOptions({
    queryKey: ['stats', 'comments', name, version],
    initialPageParam: '',
    queryFn: ({ pageParam }) => call('listComments', { path: { name }, query: { version, limit: 20, cursor: pageParam || undefined } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refreshEveryMs),
    placeholderData: keepPreviousData,
  });
}

/** Returns whether nothing was reported. Feedback can arrive without calls. */
export function isEmpty({ totals }: Pick<PromptResults, 'totals'>): boolean {
  return totals.calls === 0 && totals.scores.length === 0;
}
