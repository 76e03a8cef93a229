import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';

/** The invitation that a link belongs to. */
export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ['own', 'invitation', token],
    queryFn: () => call('getInvitation', { path: { token } }),
  });
}

/** Returns the invitation's token, if the page to return to after signing in is an invitation. */
export function findInvitationToken(next: string | undefined): string | undefined {
  return /^\/invitations\/([\w.~-]+)$/.exec(next ?? '')?.[1];
}
