import type { Prompt } from '../lib/types.ts';
import type { PromptFilters } from './filter-search.ts';

/** The number of prompts in a folder is known only if all are loaded. */
export type Row = { kind: 'folder'; path: string; name: string; count?: number } | PromptEntry;

interface PromptEntry {
  kind: 'prompt';
  prompt: Prompt;
  /** Whether the row is below its folder's row, so that its name is shown without the folder. */
  isNested?: boolean;
}

/** Returns the rows to show. If the list is sorted by name without filters, prompts are grouped by folder. Otherwise the list is flat. */
export function toRows(prompts: Prompt[], { search, folder, tag, label, sort = 'name' }: PromptFilters): Row[] {
  const prefix = folder ? `${folder}/` : '';
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = prompts.filter((prompt) => {
    if (!prompt.name.startsWith(prefix)) return false;
    if (tag !== undefined && !prompt.tags.includes(tag)) return false;
    if (label !== undefined && prompt.labels[label] === undefined) return false;
    const text = `${prompt.name} ${prompt.description} ${prompt.tags.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sorted = found.sort((a, b) => (sort === 'name' ? compareNames(a.name, b.name) : b.updatedAt.localeCompare(a.updatedAt)));
  const isFlat = words.length > 0 || tag !== undefined || label !== undefined || sort !== 'name';
  return isFlat ? sorted.map((prompt) => ({ kind: 'prompt', prompt })) : groupByFolder(sorted, prefix);
}

/**
 * Returns the rows of a list that is loaded page by page, in the order of the server. If it is sorted by name without filters, each folder
 * gets a row.
 */
export function toPagedRows(prompts: Prompt[], { search, folder, tag, label, sort = 'name' }: PromptFilters): Row[] {
  if (search !== undefined || tag !== undefined || label !== undefined || sort !== 'name') {
    return prompts.map((prompt) => ({ kind: 'prompt', prompt }));
  }
  const prefix = folder ? `${folder}/` : '';
  let current = '';
  return prompts.flatMap((prompt): Row[] => {
    const name = folderBelow(prompt.name, prefix);
    const isNew = name !== current && name !== '';
    current = name;
    return [...(isNew ? [{ kind: 'folder' as const, path: prefix + name, name }] : []), { kind: 'prompt', prompt, isNested: name !== '' }];
  });
}

function groupByFolder(prompts: Prompt[], prefix: string): Row[] {
  const groups = Map.groupBy(prompts, ({ name }) => folderBelow(name, prefix));
  const here = (groups.get('') ?? []).map((prompt): Row => ({ kind: 'prompt', prompt }));
  groups.delete('');
  const below = [...groups].flatMap(([name, inside]): Row[] => [
    { kind: 'folder', path: prefix + name, name, count: inside.length },
    ...inside.map((prompt): Row => ({ kind: 'prompt', prompt, isNested: true })),
  ]);
  return [...here, ...below];
}

/** Returns whether the list is filtered by something other than a folder. */
export function isFiltered({ search, tag, label }: PromptFilters): boolean {
  return search !== undefined || tag !== undefined || label !== undefined;
}

/** Returns the same folder and order without any other filter. */
export function clearFilters({ folder, sort }: PromptFilters): PromptFilters {
  return { ...(folder !== undefined && { folder }), ...(sort !== undefined && { sort }) };
}

/** Returns the first folder of a name below a prefix, or an empty text if the prompt is directly below the prefix. */
function folderBelow(name: string, prefix: string): string {
  const slash = name.indexOf('/', prefix.length);
  return slash === -1 ? '' : name.slice(prefix.length, slash);
}

const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/** Returns the distinct names in the lists, most frequent first. */
export function countNames(lists: string[][]): string[] {
  const counts = new Map<string, number>();
  for (const name of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || compareNames(a, b)).map(([name]) => name);
}
