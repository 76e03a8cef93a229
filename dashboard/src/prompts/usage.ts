import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { request } from '../lib/api.ts';
import type { Page, Prompt } from '../lib/types.ts';

/** The server accepts headers of 16 KiB. */
const maxQueryCharacters = 6000;
const maxNames = 50;

/** How often some prompts were called in the last 24 hours, and when last, by name. */
export function usageQuery(names: string[]) {
  return queryOptions({
    queryKey: ['usage', names],
    queryFn: async () => {
      const prompts = await fetchByName(names, 'include=usage');
      return new Map(prompts.map(({ name, usage }) => [name, usage]));
    },
    staleTime: 60_000,
  });
}

/** Splits names so that each part fits into the address of one request. */
export function splitNames(names: string[]): string[][] {
  const parts: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const length = encodeURIComponent(name).length + '&name='.length;
    const part = parts.at(-1);
    if (!part || part.length >= maxNames || characters + length > maxQueryCharacters) {
      parts.push([name]);
      characters = length;
    } else {
      part.push(name);
      characters += length;
    }
  }
  return parts;
}

/** The prompts with these names; those that do not exist are missing. */
export async function fetchByName(names: string[], parameters = ''): Promise<Prompt[]> {
  const found: Prompt[] = [];
  for (const part of splitNames(names)) {
    const query = part.map((name) => `&name=${encodeURIComponent(name)}`).join('');
    // With content, a page may end before all names.
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page<Prompt> = await request('GET', `/api/prompts?limit=${maxPageLimit}&${parameters}${query}${after}`);
      found.push(...page.data);
      cursor = page.nextCursor;
    }
  }
  return found;
}
