import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { readPages } from '../lib/read-pages.ts';
import type { Prompt } from '../lib/types.ts';
import { favoritesQuery } from './favorites.ts';
import type { PromptFilters } from './filter-search.ts';
import { toQuery } from './filters.ts';
import { forEachLimited } from './for-each-limited.ts';
import { fetchByName } from './usage.ts';

// These queries are for workspaces with more prompts than are loaded at once.

/** A list that loads page by page. The server filters and sorts the list. */
export function pagesQuery(filters: PromptFilters) {
  const query = toQuery(filters, new Date());
  return infiniteQueryOptions({
    queryKey: ['prompts', 'pages', query],
    initialPageParam: '',
    queryFn: ({ pageParam }) => call('listPrompts', { query: { limit: maxPageLimit, ...query, cursor: pageParam || undefined } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A refetch loads again every page that the user has scrolled to.
    staleTime: 60_000,
  });
}

/** The folders of the workspace and the number of prompts in each. */
export const foldersQuery = queryOptions({ queryKey: ['prompts', 'folders'], queryFn: () => call('listFolders', {}) });

/**
 * The prompts directly in the given folders. For each folder, at most the given number of pages is loaded. Pages that are already loaded
 * are not loaded again.
 */
export function loadedFoldersQuery(folders: [path: string, pages: number][], isDescending: boolean) {
  return queryOptions({
    queryKey: ['prompts', 'folders', folders, isDescending],
    queryFn: async () => {
      const loaded = new Map<string, Prompt[]>();
      await forEachLimited(folders, async ([path, maxPages]) => {
        const fetchPage = (cursor?: string) => queryClient.fetchQuery(folderPageQuery({ path, isDescending, cursor }));
        loaded.set(path, (await readPages(fetchPage, { maxPages })).data);
      });
      return loaded;
    },
    gcTime: 60_000,
  });
}

function folderPageQuery({ path, isDescending, cursor }: { path: string; isDescending: boolean; cursor: string | undefined }) {
  const query = { ...(path !== '' && { folder: path }), ...(isDescending && { sort: '-name' as const }), cursor };
  return queryOptions({
    queryKey: ['prompts', 'folder', query],
    queryFn: () => call('listPrompts', { query: { limit: maxPageLimit, subfolders: 'false', ...query } }),
    staleTime: 60_000,
  });
}

/** The prompts that are the user's favorites. */
export const favoritePromptsQuery = queryOptions({
  queryKey: ['prompts', 'favorites', 'prompts'],
  queryFn: async () => {
    const { data } = await queryClient.fetchQuery(favoritesQuery);
    const names = data.map(({ name }) => name);
    return fetchByName(names, { include: 'author' });
  },
});
