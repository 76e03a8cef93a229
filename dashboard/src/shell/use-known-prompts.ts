import { type InfiniteData, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../lib/api.ts';
import { hashInWorkspace, queryClient } from '../lib/query-client.ts';
import type { Page, Prompt } from '../lib/types.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { maxLoadedPrompts, overviewQuery, promptsQuery, searchQuery } from '../prompts/queries.ts';

/**
 * Returns the prompts to search in. In a large workspace, these are the prompts that the server finds and the prompts that the list has
 * already loaded. In a smaller workspace, these are all prompts.
 */
export function useKnownPrompts(text: string): Prompt[] {
  const overview = useQuery(overviewQuery());
  const isLarge = overview.data !== undefined && overview.data.prompts > maxLoadedPrompts;
  const all = useQuery({ ...promptsQuery, enabled: overview.data !== undefined && !isLarge });
  const search = useDebounced(text.trim(), 200);
  const found = useQuery({ ...searchQuery(search), enabled: isLarge && search !== '', placeholderData: keepPreviousData });
  return useMemo(() => {
    if (!isLarge) return all.data?.prompts ?? [];
    const lists = queryClient.getQueriesData<InfiniteData<Page<Prompt>>>({
      queryKey: ['prompts', 'pages'],
      // The key alone also matches the lists of other workspaces.
      predicate: ({ queryKey, queryHash }) => queryHash === hashInWorkspace(queryKey),
    });
    const loaded = lists.flatMap(([, list]) => list?.pages.flatMap((page) => page.data) ?? []);
    return [...new Map([...(found.data ?? []), ...loaded].map((prompt) => [prompt.id, prompt])).values()];
  }, [isLarge, all.data, found.data]);
}

/** Returns the first prompts that contain the search text, with the lines that match. */
export function usePromptsWithText(text: string): Prompt[] {
  const search = useDebounced(text.trim(), 200);
  const { data } = useQuery({ ...textQuery(search), enabled: search.length >= minTextLength, placeholderData: keepPreviousData });
  return search.length < minTextLength ? none : (data ?? none);
}

function textQuery(search: string) {
  return queryOptions({
    queryKey: ['prompts', 'text', search],
    queryFn: () => call('listPrompts', { query: { limit: maxTextResults, search } }),
    select: ({ data }) => data,
  });
}

const maxTextResults = 10;
const minTextLength = 3;
const none: Prompt[] = [];
