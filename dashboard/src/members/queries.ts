import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { readPages } from '../lib/read-pages.ts';

const maxPages = 10;

/** The members of the current workspace, starting with the owner. For admins, the open invitations follow. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => {
    const fetchPage = (cursor?: string) => call('listMembers', { query: { limit: maxPageLimit, cursor } });
    const { data, pages, isComplete } = await readPages(fetchPage, { maxPages, signal });
    return { members: data, invitations: pages.flatMap(({ invitations }) => invitations), isComplete };
  },
});

export function refreshMembers(): Promise<void> {
  return queryClient.invalidateQueries(membersQuery);
}
