import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';

/**
 * The model connections of the current workspace, limited to one page, because nobody selects from more. The request requires the role of
 * an editor.
 */
export const connectionsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => call('listModels', { query: { limit: maxPageLimit } }),
  select: ({ data }) => data,
});

export function refreshConnections(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['models'] });
}
