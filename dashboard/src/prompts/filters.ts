import type { Prompt } from '../lib/types.ts';

export type Sort = 'name' | '-updatedAt';

/** What the list is narrowed down to. It lives in the address, so that a view can be kept and shared. */
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

export type Row = { kind: 'folder'; path: string; name: string; count: number } | { kind: 'prompt'; prompt: Prompt };

/** The rows to show: inside a folder its folders and prompts; with a search, a tag or a label everything below that fits. */
export function toRows(prompts: Prompt[], { search, folder, tag, label, sort = 'name' }: PromptFilters): Row[] {
  const prefix = folder ? `${folder}/` : '';
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const isNarrowed = words.length > 0 || tag !== undefined || label !== undefined;
  const found = prompts.filter((prompt) => {
    if (!prompt.name.startsWith(prefix)) return false;
    if (tag !== undefined && !prompt.tags.includes(tag)) return false;
    if (label !== undefined && prompt.labels[label] === undefined) return false;
    const text = `${prompt.name} ${prompt.description} ${prompt.tags.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sorted = found.sort((a, b) => (sort === 'name' ? compareNames(a.name, b.name) : b.updatedAt.localeCompare(a.updatedAt)));
  if (isNarrowed) return sorted.map((prompt) => ({ kind: 'prompt', prompt }));

  const folders = new Map<string, number>();
  const here: Row[] = [];
  for (const prompt of sorted) {
    const rest = prompt.name.slice(prefix.length);
    const slash = rest.indexOf('/');
    if (slash === -1) here.push({ kind: 'prompt', prompt });
    else folders.set(rest.slice(0, slash), (folders.get(rest.slice(0, slash)) ?? 0) + 1);
  }
  const above: Row[] = [...folders].map(([name, count]) => ({ kind: 'folder', path: prefix + name, name, count }));
  return [...above, ...here];
}

const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/** Everything the prompts are tagged or labelled with, the commonest first. */
export function countNames(lists: string[][]): string[] {
  const counts = new Map<string, number>();
  for (const name of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || compareNames(a, b)).map(([name]) => name);
}
