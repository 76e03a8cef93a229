import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';

/** What a link invites to. */
export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ['own', 'invitation', token],
    queryFn: () => call('getInvitation', { path: { token } }),
  });
}

/** The token, if a page to return to after signing in is that of an invitation. */
export function findInvitationToken(next: string | undefined): string | undefined {
  return /^\/invitations\/([\w.~-]+)$/.exec(next ?? '')?.[1];
}
