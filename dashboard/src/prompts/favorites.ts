import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Favorite, Prompt } from '../lib/types.ts';
import { toastFailure } from '../ui/toasts.ts';

/**
 * The user's favorites in the workspace. The query key begins like the keys of prompts, because renaming or deleting a prompt changes the
 * favorites too.
 */
export const favoritesQuery = queryOptions({
  queryKey: ['prompts', 'favorites'],
  queryFn: () => call('listFavorites', {}),
  select: ({ data }) => data,
});

/** Returns whether a prompt is a favorite, by its id. */
export function useIsFavorite(): (id: string) => boolean {
  const { data } = useQuery(favoritesQuery);
  return useMemo(() => {
    const ids = new Set(data?.map(({ id }) => id));
    return (id) => ids.has(id);
  }, [data]);
}

/** Adds a prompt to the favorites or removes it. The star changes at once, and changes back if the request fails. */
export async function toggleFavorite({ id, name, type }: Pick<Prompt, 'id' | 'name' | 'type'>, isFavorite: boolean): Promise<void> {
  const change = (favorites: Favorite[]) => {
    const others = favorites.filter((favorite) => favorite.id !== id);
    return isFavorite ? others : [...others, { id, name, type }].sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  const { queryKey } = favoritesQuery;
  // A response that is still on its way would undo the change on the page.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (list) => list && { data: change(list.data) });
  try {
    await call(isFavorite ? 'removeFavorite' : 'addFavorite', { path: { name } });
  } catch (err) {
    toastFailure(messageOf(err));
  }
  await queryClient.invalidateQueries({ queryKey });
}
