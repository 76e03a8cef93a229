import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { promptPath, request } from '../lib/api.ts';
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

export function casePath(promptName: string, id: string): string {
  return promptPath(promptName, `/cases/${encodeURIComponent(id)}`);
}
