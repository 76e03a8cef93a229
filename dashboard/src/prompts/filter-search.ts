import type { ListPromptsQuery } from '../lib/types.ts';

export type Sort = NonNullable<ListPromptsQuery['sort']>;

/** The filters of the list. They are part of the URL, so that a view can be bookmarked and shared. */
export interface PromptFilters {
  search?: string;
  folder?: string;
  tag?: string;
  label?: string;
  sort?: Sort;
}

export function parseFilters(search: Record<string, unknown>): PromptFilters {
  const text = (name: string) => (typeof search[name] === 'string' && search[name] !== '' ? { [name]: search[name] } : {});
  return {
    ...text('search'),
    ...text('folder'),
    ...text('tag'),
    ...text('label'),
    ...(search.sort === '-updatedAt' && { sort: '-updatedAt' }),
  };
}
