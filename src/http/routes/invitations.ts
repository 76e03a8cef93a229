import { AcceptedInvitation, CreatedInvitation, NewInvitation, ReceivedInvitation } from '../../contract/invitations.ts';
import { acceptInvitation, getInvitation, inviteMember, removeInvitation } from '../../domain/workspaces/invitations.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** Invitations to a workspace, for its admins and for the people who are invited. */
export const invitationRoutes: Routes = ({ ctx, sessionCookie, linkOrigin, createRoute }) => {
  const route = createRoute({ tag: 'Workspaces and people' });

  route('POST', '/api/members/invitations', {
    operationId: 'inviteMember',
    summary: 'Invite someone by email',
    description:
      'The link works once, only for this email, and expires after 7 days. If the service has a mail server, the link is also sent by email. The ' +
      'link is shown only in this response. Inviting the same email again replaces the link.',
    body: NewInvitation,
    response: { 201: CreatedInvitation },
    errors: [409],
    handler: (req) => inviteMember(ctx, actorOf(req), { ...req.body, origin: linkOrigin(), client: clientOf(req) }),
  });

  route('DELETE', '/api/members/invitations/:id', {
    operationId: 'removeInvitation',
    summary: 'Withdraw an invitation',
    description: 'Its link stops working immediately.',
    response: noContent,
    handler: (req) => removeInvitation(ctx, actorOf(req), { ...req.params, client: clientOf(req) }),
  });

  route('GET', '/api/invitations/:token', {
    operationId: 'getInvitation',
    summary: 'Get an invitation by its link',
    description: 'Anyone who has the link can call this. The response does not reveal whether the email has an account.',
    access: 'public',
    response: { 200: ReceivedInvitation },
    errors: [404, 429],
    handler: (req) => getInvitation(ctx, { ...req.params, client: clientOf(req) }),
  });

  route('POST', '/api/invitations/:token/accept', {
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation with the signed-in account',
    description:
      'Requires a browser session of the account with the invited email. If you have no account, register first, with the token as ' +
      '`invitation`. If the email address of the account is not verified, its first accepted invitation revokes all earlier access, like ' +
      '`POST /api/session/verify-email`. The response then sets the cookie of a new session.',
    access: 'session',
    response: { 200: AcceptedInvitation },
    errors: [404, 409],
    handler: async (req, reply) => {
      const { accepted, sessionToken } = await acceptInvitation(ctx, actorOf(req), { ...req.params, client: clientOf(req) });
      if (sessionToken !== undefined) sessionCookie.replace(reply, sessionToken);
      return accepted;
    },
  });
};
