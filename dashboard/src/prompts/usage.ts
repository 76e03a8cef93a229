import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { splitNames } from '../../../src/contract/split-names.ts';
import { request } from '../lib/api.ts';
import type { Page, Prompt } from '../lib/types.ts';

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
