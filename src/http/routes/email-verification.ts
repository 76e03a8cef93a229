import { User } from '../../contract/accounts.ts';
import { EmailVerification, VerificationAccepted } from '../../contract/email-verification.ts';
import { requestVerification, verifyEmail } from '../../domain/accounts/email-verification.ts';
import { actorOf, clientOf, sessionActorOf, sessionOnly } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Verification of the account's email address. */
export const emailVerificationRoutes: Routes = (app, { ctx, authentication, sessionCookie, linkOrigin }) => {
  app.post(
    '/api/account/verification',
    {
      onRequest: authentication,
      schema: {
        operationId: 'requestVerification',
        tags: ['Accounts and keys'],
        security: [{ key: [] }],
        summary: "Send a verification link to the account's email address",
        description: 'The link works once, for 24 hours. Without a mail server, it is logged for the operator.',
        response: { 202: VerificationAccepted, ...errorResponses('401 key', 403, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      await requestVerification(ctx, actorOf(req), { client: clientOf(req), origin: linkOrigin() });
      return reply.status(202).send({ status: 'ok' });
    },
  );

  app.post(
    '/api/session/verify-email',
    {
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'verifyEmail',
        tags: ['Browser sessions'],
        security: [{ session: [] }],
        summary: "Verify the account's email address with a link",
        description:
          'Requires a browser session of the account. The first time, this revokes all earlier access: the API key is replaced, two-factor ' +
          'authentication is turned off, all sessions and links end, the members, service accounts and invitations of the account’s own ' +
          'workspace are removed, and its webhooks are disabled. The response then sets the cookie of a new session.',
        body: EmailVerification,
        response: { 200: User, ...errorResponses(400, 401, 403, 503) },
      },
    },
    async (req, reply) => {
      const actor = sessionActorOf(req);
      const token = await verifyEmail(ctx, actor, { ...req.body, client: clientOf(req) });
      if (token !== undefined) sessionCookie.replace(reply, token);
      const { accountId: userId, email, name } = actor;
      return { userId, email, name };
    },
  );
};
