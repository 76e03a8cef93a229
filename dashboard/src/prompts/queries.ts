import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { ApiError, promptPath, request } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { HistoryEntry, Overview, Page, Prompt, Version } from '../lib/types.ts';
import type { PromptFilters } from './filter-search.ts';

const maxPages = 20;

/** With more prompts than this, lists are filtered on the server and loaded as one scrolls. */
export const maxLoadedPrompts = maxPages * maxPageLimit;

/** How many prompts there are, in all or in a folder, and which tags and labels they have. */
export function overviewQuery(folder?: string) {
  return queryOptions({
    queryKey: ['prompts', 'overview', folder],
    queryFn: () => request<Overview>('GET', `/api/overview${folder === undefined ? '' : `?folder=${encodeURIComponent(folder)}`}`),
  });
}

/** A list that loads page by page, filtered and sorted by the server. */
export function pagesQuery(filters: PromptFilters) {
  const parameters = new URLSearchParams({ limit: String(maxPageLimit), ...filters });
  return infiniteQueryOptions({
    queryKey: ['prompts', 'pages', filters],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      request<Page<Prompt>>('GET', `/api/prompts?${parameters}${pageParam && `&cursor=${encodeURIComponent(pageParam)}`}`),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A refetch loads every page again that was scrolled to.
    staleTime: 60_000,
  });
}

/** All prompts of a workspace that has no more than `maxLoadedPrompts`. Shared by the list and the command palette. */
export const promptsQuery = queryOptions({
  queryKey: ['prompts', 'all'],
  queryFn: async ({ signal }) => {
    const prompts: Prompt[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < maxPages; pages += 1) {
      signal.throwIfAborted();
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page<Prompt> = await request('GET', `/api/prompts?limit=${maxPageLimit}${after}`);
      prompts.push(...page.data);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return { prompts, isComplete: cursor === null };
  },
});

/** Searches on the server, for workspaces with more prompts than are loaded. */
export function searchQuery(search: string) {
  return queryOptions({
    queryKey: ['prompts', 'search', search],
    queryFn: () => request<Page<Prompt>>('GET', `/api/prompts?limit=${maxPageLimit}&search=${encodeURIComponent(search)}`),
    select: ({ data }) => data,
  });
}

export const binQuery = infiniteQueryOptions({
  queryKey: ['prompts', 'bin'],
  initialPageParam: '',
  queryFn: ({ pageParam }) =>
    request<Page<Prompt>>('GET', `/api/prompts?deleted=true&limit=50${pageParam && `&cursor=${encodeURIComponent(pageParam)}`}`),
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One prompt with its labels, tags and description. */
export function promptQuery(name: string) {
  return queryOptions({
    queryKey: ['prompts', 'one', name],
    queryFn: async () => {
      const { data } = await request<Page<Prompt>>('GET', `/api/prompts?name=${encodeURIComponent(name)}`);
      const [prompt] = data;
      if (!prompt) throw new ApiError(404, { error: 'There is no prompt with this name', code: 'prompt_not_found' });
      return prompt;
    },
  });
}

/** Saved versions never change. Only their labels do, which are read from the prompt instead. */
export function versionQuery(name: string, version: number) {
  return queryOptions({
    queryKey: ['prompts', 'version', name, version],
    queryFn: () => request<Version>('GET', promptPath(name, `/versions/${version}`)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function historyQuery(name: string) {
  return infiniteQueryOptions({
    queryKey: ['prompts', 'history', name],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      request<Page<HistoryEntry>>('GET', promptPath(name, `/history?limit=50${pageParam && `&cursor=${encodeURIComponent(pageParam)}`}`)),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Refetches everything visible about prompts. */
export function refreshPrompts(): Promise<void> {
  // Read again when they are shown next: an open dialog may be about a name that is just gone.
  void queryClient.invalidateQueries({ queryKey: ['dependents'], refetchType: 'none' });
  // Saved versions never change, and those of a prompt that was just deleted are gone.
  return queryClient.invalidateQueries({ predicate: ({ queryKey: [scope, kind] }) => scope === 'prompts' && kind !== 'version' });
}
