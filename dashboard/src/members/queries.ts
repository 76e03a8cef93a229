import { queryOptions } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { request } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Invitation, Member, MemberList } from '../lib/types.ts';

const maxPages = 10;

/** Everyone in the current workspace, the owner first, and for admins the open invitations. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => {
    const members: Member[] = [];
    const invitations: Invitation[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < maxPages; pages += 1) {
      signal.throwIfAborted();
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: MemberList = await request('GET', `/api/members?limit=${maxPageLimit}${after}`);
      members.push(...page.data);
      invitations.push(...page.invitations);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return { members, invitations, isComplete: cursor === null };
  },
});

export function refreshMembers(): Promise<void> {
  return queryClient.invalidateQueries(membersQuery);
}
