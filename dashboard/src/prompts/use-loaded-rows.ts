import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { Prompt } from '../lib/types.ts';
import { useIsFavorite } from './favorites.ts';
import type { PromptFilters } from './filter-search.ts';
import { countNames, filterPrompts, isByUsage, isTree } from './filters.ts';
import { buildTree, toFlatRows, toTreeRows } from './folder-tree.ts';
import type { PromptRows } from './prompt-rows.ts';
import { overviewQuery, promptsQuery } from './queries.ts';
import { allUsageQuery } from './usage.ts';
import { useOpenFolders } from './use-open-folders.ts';
import { type TextMatches, useTextMatches } from './use-text-matches.ts';

const none: Prompt[] = [];
const nothing = () => undefined;

/** Returns the rows of a workspace whose prompts are all loaded, and filtered here. */
export function useLoadedRows(filters: PromptFilters): PromptRows {
  const overview = useQuery(overviewQuery());
  const all = useQuery({ ...promptsQuery, enabled: overview.isSuccess });
  const usage = useQuery({ ...allUsageQuery, enabled: overview.isSuccess && isByUsage(filters.sort) });
  const prompts = all.data?.prompts ?? none;
  const folders = useOpenFolders(true);
  const found = useTextMatches(filters.search);
  const shown = useFilteredPrompts(prompts, filters, { usage: usage.data, matches: found.matches });
  const { isOpen } = folders;
  const rows = useMemo(
    () =>
      isTree(shown.filters)
        ? toTreeRows(buildTree(shown.prompts, shown.filters.folder), { isOpen, isDescending: shown.filters.sort === '-name' })
        : toFlatRows(shown.prompts),
    [shown.prompts, shown.filters, isOpen],
  );
  const tags = useMemo(() => countNames(prompts.map((prompt) => prompt.tags)), [prompts]);
  const labels = useMemo(() => countNames(prompts.map((prompt) => Object.keys(prompt.labels))), [prompts]);
  const failed = overview.isError ? overview : all;
  return {
    rows,
    isPending: overview.isPending || all.isPending || (found.isPending && shown.prompts.length === 0),
    isOutdated: false,
    error: failed.error,
    retry: () => void failed.refetch(),
    isEmpty: overview.data?.prompts === 0,
    isLarge: false,
    count: shown.prompts.length,
    all: shown.prompts,
    folders,
    tags,
    labels,
    authors: overview.data?.authors ?? [],
    loadMore: nothing,
    loadFolder: nothing,
    isLoadingMore: false,
  };
}

/** Returns the matching prompts and the filters that they match, which may briefly be older than the current filters. */
export function useFilteredPrompts(
  prompts: Prompt[],
  filters: PromptFilters,
  { usage, matches }: { usage?: ReadonlyMap<string, Prompt['usage']> | undefined; matches?: TextMatches['matches'] } = {},
) {
  const isFavorite = useIsFavorite();
  const deferred = useDeferredValue(filters);
  const found = useMemo(
    () =>
      filterPrompts(prompts, deferred, {
        isFavorite,
        usage: (id) => usage?.get(id),
        matches: (id) => matches?.get(id),
        now: new Date(),
      }).map((prompt) => (matches?.has(prompt.id) ? { ...prompt, matches: matches.get(prompt.id) } : prompt)),
    [prompts, deferred, isFavorite, usage, matches],
  );
  return { prompts: found, filters: deferred };
}
