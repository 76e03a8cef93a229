import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';

/** The kept results of a prompt's checks, newest first: no more than fit one page. */
export function checksQuery(promptName: string, version?: number) {
  return queryOptions({
    queryKey: ['prompts', 'checks', promptName, version],
    queryFn: () => call('listChecks', { path: { name: promptName }, query: { limit: maxPageLimit, version } }),
    select: ({ data }) => data,
  });
}

/** The results case by case. They never change; whether they are current is read from the list. */
export function checkQuery(promptName: string, id: string) {
  return queryOptions({
    queryKey: ['check', promptName, id],
    queryFn: () => call('getCheck', { path: { name: promptName, id } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
