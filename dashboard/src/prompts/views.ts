import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { PromptFilters } from './filter-search.ts';

/** The user's saved views in the workspace. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: () => call('listViews', {}),
  select: ({ data }) => data,
});

/** Creates a view. Like the functions below, throws the error if the request is refused. */
export async function createView(name: string, filters: PromptFilters): Promise<void> {
  await call('createView', { body: { name, filters } });
  await queryClient.invalidateQueries(viewsQuery);
}

export async function renameView(id: string, name: string): Promise<void> {
  await call('changeView', { path: { id }, body: { name } });
  await queryClient.invalidateQueries(viewsQuery);
}

export async function deleteView(id: string): Promise<void> {
  await call('deleteView', { path: { id } });
  await queryClient.invalidateQueries(viewsQuery);
}

/** Returns a string that is the same for equal filters, whatever the order of their fields. */
export function keyOfFilters(filters: PromptFilters): string {
  return JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
}
