import { queryOptions } from '@tanstack/react-query';
import { request } from '../lib/api.ts';
import type { ReceivedInvitation } from '../lib/types.ts';

/** What a link invites to. */
export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ['own', 'invitation', token],
    queryFn: () => request<ReceivedInvitation>('GET', `/api/invitations/${encodeURIComponent(token)}`),
  });
}

/** The token, if a page to return to after signing in is that of an invitation. */
export function findInvitationToken(next: string | undefined): string | undefined {
  return /^\/invitations\/([\w.~-]+)$/.exec(next ?? '')?.[1];
}
