import { User } from '../../contract/accounts.ts';
import { EmailVerification, VerificationAccepted } from '../../contract/email-verification.ts';
import { requestVerification, verifyEmail } from '../../domain/accounts/email-verification.ts';
import { actorOf, clientOf, sessionActorOf, userOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** Verification of the account's email address. */
export const emailVerificationRoutes: Routes = ({ ctx, sessionCookie, linkOrigin, createRoute }) => {
  const route = createRoute({ tag: 'Accounts and keys' });
  const sessionRoute = createRoute({ tag: 'Browser sessions', access: 'session' });

  route('POST', '/api/account/verification', {
    operationId: 'requestVerification',
    summary: "Send a verification link to the account's email address",
    description: 'The link works once and expires after 24 hours. Without a mail server, the link is written to the log for the operator.',
    response: { 202: VerificationAccepted },
    errors: [409],
    handler: async (req) => {
      const mailed = await requestVerification(ctx, actorOf(req), { client: clientOf(req), origin: linkOrigin() });
      return { status: 'ok' as const, mailed };
    },
  });

  sessionRoute('POST', '/api/session/verify-email', {
    operationId: 'verifyEmail',
    summary: "Verify the account's email address with a link",
    description:
      'Requires a browser session of the account. The first time, this revokes all earlier access: the API key is replaced, two-factor ' +
      'authentication is turned off, passkeys are removed, sign-in providers are unlinked, all sessions and links end, the members, ' +
      'service accounts and invitations of the account’s own workspace are removed, and its webhooks are disabled. The response then ' +
      'sets the cookie of a new session.',
    body: EmailVerification,
    response: { 200: User },
    errors: [401],
    handler: async (req, reply) => {
      const actor = sessionActorOf(req);
      const token = await verifyEmail(ctx, actor, { ...req.body, client: clientOf(req) });
      if (token !== undefined) sessionCookie.replace(reply, token);
      return userOf(actor);
    },
  });
};
