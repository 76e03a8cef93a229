import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { request } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { ModelConnection, Page } from '../lib/types.ts';

/** The model connections of the current workspace: more than a page is more than anyone chooses from. Takes an editor. */
export const connectionsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => request<Page<ModelConnection>>('GET', `/api/models?limit=${maxPageLimit}`),
  select: ({ data }) => data,
});

export function connectionPath(id: string, rest = ''): string {
  return `/api/models/${encodeURIComponent(id)}${rest}`;
}

export function refreshConnections(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['models'] });
}
