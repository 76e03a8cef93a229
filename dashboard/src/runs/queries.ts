import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';

const runsPerPage = 30;

/** The runs of a prompt, newest first. */
export function runsQuery(promptName: string) {
  return infiniteQueryOptions({
    queryKey: ['runs', 'list', promptName],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call('listRuns', { path: { name: promptName }, query: { limit: runsPerPage, cursor: pageParam || undefined } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A run may have been added a moment ago, in another tab or by someone else.
    staleTime: 0,
  });
}

/** A run with its input and output. A run never changes. */
export function runQuery(promptName: string, id: string) {
  return queryOptions({
    queryKey: ['run', promptName, id],
    queryFn: () => call('getRun', { path: { name: promptName, id } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
