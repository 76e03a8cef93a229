import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { readPages } from '../lib/read-pages.ts';

const maxPages = 10;

/** The newest changes to a prompt in one list, for version menus and searches. */
export function changesQuery(name: string) {
  return queryOptions({
    queryKey: ['prompts', 'changes', name],
    queryFn: async ({ signal }) => {
      const fetchPage = (cursor?: string) => call('listHistory', { path: { name }, query: { limit: maxPageLimit, cursor } });
      const { data, isComplete } = await readPages(fetchPage, { maxPages: maxPages, signal });
      return { changes: data, isComplete };
    },
  });
}
