import { latestLabel } from '../../../src/contract/label-names.ts';
import type { ListPromptsQuery, Prompt } from '../lib/types.ts';
import type { PromptFilters, Sort } from './filter-search.ts';

/** The data that filters and sort orders need in addition to the prompts. */
export interface FilterContext {
  isFavorite: (id: string) => boolean;
  usage: (id: string) => Prompt['usage'];
  /** The lines inside a prompt that match the search. Undefined if no line matches. */
  matches?: (id: string) => Prompt['matches'];
  now: Date;
}

/** Returns the prompts that match the filters, in their order. */
export function filterPrompts(prompts: Prompt[], filters: PromptFilters, context: FilterContext): Prompt[] {
  const matches = toCondition(filters, context);
  return prompts.filter(matches).sort(toComparison(filters.sort ?? 'name', context));
}

/**
 * Returns the condition that the filters express. The server applies the same conditions, except that its searches also cover the content.
 */
function toCondition(filters: PromptFilters, { isFavorite, matches, now }: FilterContext): (prompt: Prompt) => boolean {
  const { search, folder, tag, label, author, deployed, favorites } = filters;
  const prefix = folder ? `${folder}/` : '';
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const since = changedSinceOf(filters, now);
  return (prompt) => {
    if (!prompt.name.startsWith(prefix)) return false;
    if (tag !== undefined && !prompt.tags.includes(tag)) return false;
    if (label !== undefined && label !== latestLabel && !Object.hasOwn(prompt.labels, label)) return false;
    if (author !== undefined && prompt.author?.userId !== author) return false;
    if (deployed !== undefined && deployed !== Object.keys(prompt.labels).length > 0) return false;
    if (since !== undefined && prompt.updatedAt < since) return false;
    if (favorites && !isFavorite(prompt.id)) return false;
    const text = `${prompt.name} ${prompt.description} ${prompt.tags.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word)) || matches?.(prompt.id) !== undefined;
  };
}

function toComparison(sort: Sort, { usage }: FilterContext): (a: Prompt, b: Prompt) => number {
  const sign = sort.startsWith('-') ? -1 : 1;
  const byName = (a: Prompt, b: Prompt) => compareNames(a.name, b.name);
  const byValue = (keyOf: (prompt: Prompt) => string | number) => (a: Prompt, b: Prompt) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    return one === other ? byName(a, b) : one < other ? -sign : sign;
  };
  if (sort === 'updatedAt' || sort === '-updatedAt') return byValue(({ updatedAt }) => updatedAt);
  if (sort === 'calls' || sort === '-calls') return byValue(({ id }) => usage(id)?.callsLast24Hours ?? 0);
  if (sort === 'lastUsedAt' || sort === '-lastUsedAt') return byValue(({ id }) => usage(id)?.lastUsedAt ?? '');
  return (a, b) => sign * byName(a, b);
}

/** Returns whether the order requires call counts, by which the server cannot sort. */
export function isByUsage(sort: Sort | undefined): boolean {
  return sort === 'calls' || sort === '-calls' || sort === 'lastUsedAt' || sort === '-lastUsedAt';
}

/** Returns the filters as parameters of the list. The filter for favorites is omitted, because favorites belong to one person. */
export function toQuery(filters: PromptFilters, now: Date): Omit<ListPromptsQuery, 'limit' | 'cursor'> {
  const { deployed, changed: _changed, favorites: _favorites, sort, ...others } = filters;
  const changedSince = changedSinceOf(filters, now);
  return {
    ...others,
    ...(deployed !== undefined && { deployed: deployed ? 'true' : 'false' }),
    ...(changedSince !== undefined && { changedSince }),
    // The other orders need all prompts.
    ...((sort === '-name' || sort === 'updatedAt' || sort === '-updatedAt') && { sort }),
  };
}

/** Returns the time of the filter "changed since". Days begin at midnight in the user's time zone. */
export function changedSinceOf({ changed }: PromptFilters, now: Date): string | undefined {
  if (changed === undefined) return undefined;
  const days = { today: 0, '7d': 7, '30d': 30 }[changed];
  const start = days === undefined ? new Date(`${changed}T00:00:00`) : new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}

/** Returns whether the list shows folders: if it is sorted by name and filtered by nothing except a folder. */
export function isTree(filters: PromptFilters): boolean {
  return !isFiltered(filters) && (filters.sort === undefined || filters.sort === '-name');
}

/** Returns whether the list is filtered by something other than a folder. */
export function isFiltered({ folder: _folder, sort: _sort, ...filters }: PromptFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Returns the same folder and order without any other filter. */
export function clearFilters({ folder, sort }: PromptFilters): PromptFilters {
  return { ...(folder !== undefined && { folder }), ...(sort !== undefined && { sort }) };
}

export const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/** Returns the distinct names in the lists, most frequent first. */
export function countNames(lists: string[][]): string[] {
  const counts = new Map<string, number>();
  for (const name of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || compareNames(a, b)).map(([name]) => name);
}
