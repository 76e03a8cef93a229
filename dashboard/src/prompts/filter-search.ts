import { listSorts } from '../../../src/contract/view-sorts.ts';
import type { ViewFilters } from '../lib/types.ts';

/**
 * The filters of the list. The filters are part of the URL, so that a filtered list can be bookmarked and shared. A saved view contains the
 * same filters.
 */
export type PromptFilters = ViewFilters;

export type Sort = NonNullable<PromptFilters['sort']>;

export function parseFilters(search: Record<string, unknown>): PromptFilters {
  const text = (name: string) => (typeof search[name] === 'string' && search[name] !== '' ? { [name]: search[name] } : {});
  const sort = listSorts.find((each) => each === search.sort);
  return {
    ...text('search'),
    ...text('folder'),
    ...text('tag'),
    ...text('label'),
    ...text('author'),
    ...(typeof search.deployed === 'boolean' && { deployed: search.deployed }),
    ...(typeof search.changed === 'string' && /^(today|7d|30d|\d{4}-\d{2}-\d{2})$/.test(search.changed) && { changed: search.changed }),
    ...(search.favorites === true && { favorites: true }),
    ...(sort !== undefined && sort !== 'name' && { sort }),
  };
}
