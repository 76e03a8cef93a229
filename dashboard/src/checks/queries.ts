import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { promptPath, request } from '../lib/api.ts';
import type { Check, CheckSummary, Page } from '../lib/types.ts';

/** The kept results of a prompt's checks, newest first: no more than fit one page. */
export function checksQuery(promptName: string, version?: number) {
  const ofVersion = version === undefined ? '' : `&version=${version}`;
  return queryOptions({
    queryKey: ['prompts', 'checks', promptName, version],
    queryFn: () => request<Page<CheckSummary>>('GET', promptPath(promptName, `/checks?limit=${maxPageLimit}${ofVersion}`)),
    select: ({ data }) => data,
  });
}

/** The results case by case. They never change; whether they are current is read from the list. */
export function checkQuery(promptName: string, id: string) {
  return queryOptions({
    queryKey: ['check', promptName, id],
    queryFn: () => request<Check>('GET', promptPath(promptName, `/checks/${encodeURIComponent(id)}`)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
