import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { promptPath, request } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Case, Page } from '../lib/types.ts';

/** All cases of a prompt, oldest first. A prompt has at most 500. */
export function casesQuery(promptName: string) {
  return queryOptions({
    queryKey: ['prompts', 'cases', promptName],
    queryFn: async ({ signal }) => {
      const cases: Case[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        signal.throwIfAborted();
        const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
        const page: Page<Case> = await request('GET', promptPath(promptName, `/cases?limit=${maxPageLimit}${after}`));
        cases.push(...page.data);
        cursor = page.nextCursor;
      }
      return cases;
    },
  });
}

/** Puts cases that were saved into the list at once: the next run may need a model because of them. */
export function showSavedCases(promptName: string, saved: Case[]): void {
  const byId = new Map(saved.map((each) => [each.id, each]));
  queryClient.setQueryData(casesQuery(promptName).queryKey, (cases) => {
    if (!cases) return undefined;
    const known = new Set(cases.map(({ id }) => id));
    return [...cases.map((each) => byId.get(each.id) ?? each), ...saved.filter(({ id }) => !known.has(id))];
  });
}

export function casePath(promptName: string, id: string): string {
  return promptPath(promptName, `/cases/${encodeURIComponent(id)}`);
}
