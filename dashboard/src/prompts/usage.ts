import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { splitNames } from '../../../src/contract/split-names.ts';
import { call } from '../lib/api.ts';
import { readPages } from '../lib/read-pages.ts';
import type { ListPromptsQuery, Prompt } from '../lib/types.ts';

/** The number of calls of the given prompts in the last 24 hours and the time of the last call, by name. */
export function usageQuery(names: string[]) {
  return queryOptions({
    queryKey: ['usage', names],
    queryFn: async () => {
      const prompts = await fetchByName(names, { include: 'usage' });
      return new Map(prompts.map(({ name, usage }) => [name, usage]));
    },
    staleTime: 60_000,
  });
}

/** The call counts of all prompts by id, for sorting. Used only in workspaces whose prompts are all loaded. */
export const allUsageQuery = queryOptions({
  queryKey: ['usage', 'all'],
  queryFn: async ({ signal }) => {
    const fetchPage = (cursor?: string) => call('listPrompts', { query: { limit: maxPageLimit, include: 'usage', cursor } });
    const { data } = await readPages(fetchPage, { signal });
    return new Map(data.map(({ id, usage }) => [id, usage]));
  },
  staleTime: 60_000,
});

/** Returns the prompts with these names. Names of prompts that do not exist are ignored. */
export async function fetchByName(names: string[], query: Pick<ListPromptsQuery, 'include' | 'label'> = {}): Promise<Prompt[]> {
  const found: Prompt[] = [];
  for (const part of splitNames(names)) {
    // If the content is included, a page may hold fewer prompts than its limit.
    const { data } = await readPages((cursor) => call('listPrompts', { query: { limit: maxPageLimit, ...query, name: part, cursor } }));
    found.push(...data);
  }
  return found;
}
