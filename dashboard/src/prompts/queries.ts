import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { createApiError } from '../../../client/src/errors.ts';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { readPages } from '../lib/read-pages.ts';
import type { Prompt } from '../lib/types.ts';
import type { PromptFilters } from './filter-search.ts';
import { toQuery } from './filters.ts';

const maxPages = 20;

/** The maximum number of prompts to load at once. Longer lists are filtered on the server and loaded while the user scrolls. */
export const maxLoadedPrompts = maxPages * maxPageLimit;

/** The number of all prompts, or of the prompts that match the filters, and the tags, labels and authors of the workspace. */
export function overviewQuery(filters?: PromptFilters) {
  const { sort: _sort, ...query } = filters === undefined ? {} : toQuery(filters, new Date());
  return queryOptions({
    queryKey: ['prompts', 'overview', query],
    queryFn: () => call('getOverview', { query }),
  });
}

/** All prompts of a workspace that has no more than `maxLoadedPrompts`. The list and the command palette share this query. */
export const promptsQuery = queryOptions({
  queryKey: ['prompts', 'all'],
  queryFn: async ({ signal }) => {
    const fetchPage = (cursor?: string) => call('listPrompts', { query: { limit: maxPageLimit, include: 'author', cursor } });
    const { data, isComplete } = await readPages(fetchPage, { maxPages, signal });
    return { prompts: data, isComplete };
  },
});

/** Searches on the server, for workspaces with more prompts than are loaded. */
export function searchQuery(search: string) {
  return queryOptions({
    queryKey: ['prompts', 'search', search],
    queryFn: () => call('listPrompts', { query: { limit: maxPageLimit, search, searchIn: 'name' } }),
    select: ({ data }) => data,
  });
}

export const binQuery = infiniteQueryOptions({
  queryKey: ['prompts', 'bin'],
  initialPageParam: '',
  queryFn: ({ pageParam }) => call('listPrompts', { query: { deleted: true, limit: 50, cursor: pageParam || undefined } }),
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One prompt with its labels, tags and description. */
export function promptQuery(name: string) {
  return queryOptions({
    queryKey: ['prompts', 'one', name],
    queryFn: () => fetchPrompt(name),
  });
}

export async function fetchPrompt(name: string): Promise<Prompt> {
  const { data } = await call('listPrompts', { query: { name } });
  const [prompt] = data;
  if (!prompt) throw createApiError('There is no prompt with this name', { status: 404, code: 'prompt_not_found' });
  return prompt;
}

/** A saved version. It never changes, except for its labels, which are read from the prompt instead. */
export function versionQuery(name: string, version: number) {
  return queryOptions({
    queryKey: ['prompts', 'version', name, version],
    queryFn: () => call('getVersion', { path: { name, version } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function historyQuery(name: string) {
  return infiniteQueryOptions({
    queryKey: ['prompts', 'history', name],
    initialPageParam: '',
    queryFn: ({ pageParam }) => call('listHistory', { path: { name }, query: { limit: 50, cursor: pageParam || undefined } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Refetches everything visible about prompts. */
export function refreshPrompts(): Promise<void> {
  // Dependents are read again only when they are next shown, because an open dialog may be about a name that no longer exists.
  void queryClient.invalidateQueries({ queryKey: ['dependents'], refetchType: 'none' });
  // The content of an included prompt may have changed.
  void queryClient.invalidateQueries({ queryKey: ['preview'] });
  // Saved versions never change, and the versions of a prompt that was just deleted no longer exist.
  return queryClient.invalidateQueries({ predicate: ({ queryKey: [scope, kind] }) => scope === 'prompts' && kind !== 'version' });
}
