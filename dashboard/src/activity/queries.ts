import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { type ActivitySearch, toQuery } from './search.ts';

/** The number of pages without entries that are read before the user is asked whether to continue. */
const maxEmptyPages = 10;
const pollMs = 5_000;

/** The activity of the current workspace, newest first. */
export function activityQuery(search: ActivitySearch) {
  return infiniteQueryOptions({
    queryKey: ['activity', search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => fetchEntries(search, pageParam || undefined, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // The query polls, because the event stream does not report changes to settings. It does not poll while the user reads older pages.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? pollMs : false),
  });
}

/** Reads the next page that has entries. If few entries match, the service may return empty pages. */
async function fetchEntries(search: ActivitySearch, first: string | undefined, signal: AbortSignal) {
  let cursor = first;
  for (let pages = 1; ; pages += 1) {
    const page = await call(
      'listWorkspaceActivity',
      { query: { ...toQuery(search), ...(cursor !== undefined && { cursor }) } },
      { signal },
    );
    if (page.data.length > 0 || page.nextCursor === null || pages === maxEmptyPages) return page;
    cursor = page.nextCursor;
  }
}
