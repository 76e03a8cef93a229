import { Type } from 'typebox';
import {
  AcceptedInvitation,
  CreatedInvitation,
  InvitationPath,
  InvitationReference,
  NewInvitation,
  ReceivedInvitation,
} from '../../contract/invitations.ts';
import { acceptInvitation, getInvitation, inviteMember, removeInvitation } from '../../domain/workspaces/invitations.ts';
import { actorOf, clientOf, sessionOnly } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Invitations to a workspace, for its admins and for those who are invited. */
export const invitationRoutes: Routes = (app, { ctx, authentication, sessionCookie, linkOrigin }) => {
  const tags = ['Workspaces and people'];

  app.post(
    '/api/members/invitations',
    {
      onRequest: authentication,
      schema: {
        operationId: 'inviteMember',
        tags,
        security: [{ key: [] }],
        summary: 'Invite someone by email',
        description:
          'The link works once, for 7 days, and only for this email. It is sent by mail if the service has a mail server, and shown only ' +
          'in this response. Inviting the same email again replaces the link.',
        body: NewInvitation,
        response: { 201: CreatedInvitation, ...errorResponses(400, '401 key', 403, 404, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      const invitation = await inviteMember(ctx, actorOf(req), { ...req.body, origin: linkOrigin(), client: clientOf(req) });
      return reply.status(201).header('cache-control', 'no-store').send(invitation);
    },
  );

  app.delete(
    '/api/members/invitations/:id',
    {
      onRequest: authentication,
      schema: {
        operationId: 'removeInvitation',
        tags,
        security: [{ key: [] }],
        summary: 'Withdraw an invitation: its link stops working immediately',
        params: InvitationReference,
        response: { 204: Type.Null(), ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      await removeInvitation(ctx, actorOf(req), { ...req.params, client: clientOf(req) });
      return reply.status(204).send();
    },
  );

  app.get(
    '/api/invitations/:token',
    {
      schema: {
        operationId: 'getInvitation',
        tags,
        summary: 'Get the invitation of a link',
        description: 'For whoever has the link. It does not say whether the email has an account.',
        params: InvitationPath,
        response: { 200: ReceivedInvitation, ...errorResponses(404, 429, 503) },
      },
    },
    (req) => getInvitation(ctx, { ...req.params, client: clientOf(req) }),
  );

  app.post(
    '/api/invitations/:token/accept',
    {
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'acceptInvitation',
        tags,
        security: [{ session: [] }],
        summary: 'Accept an invitation with the signed-in account',
        description:
          'Requires a browser session of the account with the email that was invited. Those without an account register first, with the ' +
          'token as `invitation`. The first invitation that an account with an unverified email address accepts revokes all earlier ' +
          'access, as `POST /api/session/verify-email` does. The response then sets the cookie of a new session.',
        params: InvitationPath,
        response: { 200: AcceptedInvitation, ...errorResponses('401 key', 403, 404, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      const { accepted, sessionToken } = await acceptInvitation(ctx, actorOf(req), { ...req.params, client: clientOf(req) });
      if (sessionToken !== undefined) sessionCookie.replace(reply, sessionToken);
      return accepted;
    },
  );
};
