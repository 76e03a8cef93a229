import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { Prompt } from '../lib/types.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import type { PromptFilters } from './filter-search.ts';
import { countNames, isFiltered, type Row, toPagedRows, toRows } from './filters.ts';
import { maxLoadedPrompts, overviewQuery, pagesQuery, promptsQuery } from './queries.ts';

export interface PromptRows {
  rows: Row[];
  isPending: boolean;
  /** Whether the rows are still those of the previous filters, until the server responds. */
  isOutdated: boolean;
  error: unknown;
  retry: () => void;
  /** Whether the workspace has no prompt at all. */
  isEmpty: boolean;
  /** The number of matching prompts. Undefined if the server would have to count them. */
  count: number | undefined;
  tags: string[];
  labels: string[];
  /** Loads the next page, if there is one. */
  loadMore: () => void;
  isLoadingMore: boolean;
}

/** Returns the rows of the list. Up to 2,000 prompts are loaded and filtered here. With more, the server filters and sends pages. */
export function usePromptRows(filters: PromptFilters): PromptRows {
  const overview = useQuery(overviewQuery());
  const isLarge = overview.data && overview.data.prompts > maxLoadedPrompts;
  const loaded = useLoadedRows(filters, isLarge === false);
  const paged = usePagedRows(filters, isLarge === true);
  const { rows, ...query } = isLarge ? paged : loaded;
  const failed = overview.isError ? overview : query;
  return {
    rows,
    isPending: overview.isPending || query.isPending,
    error: failed.error,
    retry: () => void failed.refetch(),
    isOutdated: isLarge === true && paged.isOutdated,
    isEmpty: overview.data?.prompts === 0,
    count: isLarge ? paged.count : loaded.count,
    tags: isLarge ? (overview.data?.tags ?? []) : loaded.tags,
    labels: isLarge ? (overview.data?.labels ?? []) : loaded.labels,
    loadMore: paged.loadMore,
    isLoadingMore: paged.isLoadingMore,
  };
}

const none: Prompt[] = [];

function useLoadedRows(filters: PromptFilters, enabled: boolean) {
  const { data, isPending, error, refetch } = useQuery({ ...promptsQuery, enabled });
  const prompts = data?.prompts ?? none;
  const deferred = useDeferredValue(filters);
  const rows = useMemo(() => toRows(prompts, deferred), [prompts, deferred]);
  const tags = useMemo(() => countNames(prompts.map((prompt) => prompt.tags)), [prompts]);
  const labels = useMemo(() => countNames(prompts.map((prompt) => Object.keys(prompt.labels))), [prompts]);
  const count = useMemo(() => rows.filter(({ kind }) => kind === 'prompt').length, [rows]);
  return { rows, isPending, error, refetch, tags, labels, count };
}

function usePagedRows(filters: PromptFilters, enabled: boolean) {
  const search = useDebounced(filters.search, 200);
  const { search: _typed, ...others } = filters;
  const settled: PromptFilters = search === undefined ? others : { ...others, search };
  const query = useInfiniteQuery({ ...pagesQuery(settled), enabled, placeholderData: keepPreviousData });
  const total = useQuery({ ...overviewQuery(filters.folder), enabled });
  const { data, isPending, error, refetch, hasNextPage, isFetchingNextPage, isPlaceholderData } = query;
  const shown = JSON.stringify(settled);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters are an object that is new with every render.
  const rows = useMemo(() => toPagedRows(data?.pages.flatMap((page) => page.data) ?? [], settled), [data, shown]);
  const loaded = rows.filter(({ kind }) => kind === 'prompt').length;
  return {
    rows,
    isPending,
    error,
    refetch,
    isOutdated: isPlaceholderData || search !== filters.search,
    count: hasNextPage ? (isFiltered(filters) ? undefined : total.data?.prompts) : loaded,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void query.fetchNextPage();
    },
    isLoadingMore: isFetchingNextPage,
  };
}
