import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';

/** The stored check runs of a prompt, newest first, limited to one page. */
export function checksQuery(promptName: string, version?: number) {
  return queryOptions({
    queryKey: ['prompts', 'checks', promptName, version],
    queryFn: () => call('listChecks', { path: { name: promptName }, query: { limit: maxPageLimit, version } }),
    select: ({ data }) => data,
  });
}

/** The results of a check run by test case, which never change. The list of check runs says whether the results are current. */
export function checkQuery(promptName: string, id: string) {
  return queryOptions({
    queryKey: ['check', promptName, id],
    queryFn: () => call('getCheck', { path: { name: promptName, id } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
