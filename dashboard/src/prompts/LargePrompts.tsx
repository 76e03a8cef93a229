import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Prompt } from '../lib/types.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import type { PromptFilters } from './filter-search.ts';
import { isFiltered, isTree } from './filters.ts';
import { toFlatRows } from './folder-tree.ts';
import { favoritePromptsQuery, pagesQuery } from './large-queries.ts';
import { PromptsView } from './PromptsView.tsx';
import type { PromptRows } from './prompt-rows.ts';
import { overviewQuery } from './queries.ts';
import { useFolderRows } from './use-folder-rows.ts';
import { useFilteredPrompts } from './use-loaded-rows.ts';
import { useOpenFolders } from './use-open-folders.ts';

/**
 * The list of a workspace with more prompts than are loaded at once. The server filters the list and sends it in pages. Each open folder
 * loads its own prompts.
 */
export function LargePrompts({ filters }: { filters: PromptFilters }) {
  return <PromptsView filters={filters} list={useLargeRows(filters)} />;
}

function useLargeRows(filters: PromptFilters): PromptRows {
  const overview = useQuery(overviewQuery());
  const folders = useOpenFolders(false);
  const isFavorites = filters.favorites === true;
  const favorites = useFavoriteRows(filters, isFavorites);
  const hasTree = isTree(filters);
  const tree = useFolderRows(filters, { enabled: hasTree, folders });
  const isPaged = !isFavorites && (!hasTree || tree.isFlat);
  const paged = usePagedRows(filters, isPaged);
  const shown = isFavorites ? favorites : isPaged ? paged : tree;
  return {
    rows: shown.rows,
    isPending: shown.isPending,
    isOutdated: isPaged && paged.isOutdated,
    error: shown.error,
    retry: () => void shown.refetch(),
    isEmpty: overview.data?.prompts === 0,
    isLarge: true,
    count: shown.count,
    all: isFavorites ? favorites.prompts : undefined,
    folders,
    tags: overview.data?.tags ?? [],
    labels: overview.data?.labels ?? [],
    authors: overview.data?.authors ?? [],
    loadMore: paged.loadMore,
    loadFolder: tree.loadFolder,
    isLoadingMore: isPaged && paged.isLoadingMore,
  };
}

const none: Prompt[] = [];

/** Returns the rows of the user's favorites. A user has few favorites, so they are loaded together and filtered here. */
function useFavoriteRows(filters: PromptFilters, enabled: boolean) {
  const { data, isPending, error, refetch } = useQuery({ ...favoritePromptsQuery, enabled });
  const { prompts } = useFilteredPrompts(data ?? none, filters);
  const rows = useMemo(() => toFlatRows(prompts), [prompts]);
  return { rows, prompts, isPending, error, refetch, count: prompts.length };
}

function usePagedRows(filters: PromptFilters, enabled: boolean) {
  const search = useDebounced(filters.search, 200);
  const { search: _typed, ...others } = filters;
  const settled: PromptFilters = search === undefined ? others : { ...others, search };
  const query = useInfiniteQuery({ ...pagesQuery(settled), enabled, placeholderData: keepPreviousData });
  const total = useQuery({ ...overviewQuery(settled), enabled: enabled && (isFiltered(settled) || settled.folder !== undefined) });
  const whole = useQuery({ ...overviewQuery(), enabled });
  const { data, isPending, error, refetch, hasNextPage, isFetchingNextPage, isPlaceholderData } = query;
  const rows = useMemo(() => toFlatRows(data?.pages.flatMap((page) => page.data) ?? none), [data]);
  const counted = isFiltered(settled) || settled.folder !== undefined ? total.data : whole.data;
  return {
    rows,
    isPending,
    error,
    refetch,
    isOutdated: isPlaceholderData || search !== filters.search,
    // Until the server has counted the prompts, their number is known only if the list is loaded completely.
    count: hasNextPage ? counted?.prompts : rows.length,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void query.fetchNextPage();
    },
    isLoadingMore: isFetchingNextPage,
  };
}
