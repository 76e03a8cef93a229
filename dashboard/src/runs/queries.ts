import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { promptPath, request } from '../lib/api.ts';
import type { Page, Run, RunSummary } from '../lib/types.ts';

const runsPerPage = 30;

/** The runs of a prompt, newest first. */
export function runsQuery(promptName: string) {
  return infiniteQueryOptions({
    queryKey: ['runs', 'list', promptName],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      request<Page<RunSummary>>(
        'GET',
        promptPath(promptName, `/runs?limit=${runsPerPage}${pageParam && `&cursor=${encodeURIComponent(pageParam)}`}`),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // One may have been added a moment ago, in another tab or by someone else.
    staleTime: 0,
  });
}

/** A run with its input and output. It never changes. */
export function runQuery(promptName: string, id: string) {
  return queryOptions({
    queryKey: ['run', promptName, id],
    queryFn: () => request<Run>('GET', promptPath(promptName, `/runs/${encodeURIComponent(id)}`)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
