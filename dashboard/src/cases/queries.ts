import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { readPages } from '../lib/read-pages.ts';
import type { Case } from '../lib/types.ts';

/** All test cases of a prompt, oldest first. A prompt has at most 500 test cases. */
export function casesQuery(promptName: string) {
  return queryOptions({
    queryKey: ['prompts', 'cases', promptName],
    queryFn: async ({ signal }) => {
      const path = { name: promptName };
      const { data } = await readPages((cursor) => call('listCases', { path, query: { limit: maxPageLimit, cursor } }), { signal });
      return data;
    },
  });
}

/** Adds saved test cases to the cached list at once, because the test cases decide whether the next run needs a model. */
export function showSavedCases(promptName: string, saved: Case[]): void {
  const byId = new Map(saved.map((each) => [each.id, each]));
  queryClient.setQueryData(casesQuery(promptName).queryKey, (cases) => {
    if (!cases) return undefined;
    const known = new Set(cases.map(({ id }) => id));
    return [...cases.map((each) => byId.get(each.id) ?? each), ...saved.filter(({ id }) => !known.has(id))];
  });
}
