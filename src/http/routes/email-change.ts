import { User } from '../../contract/accounts.ts';
import { EmailChange, EmailChangeConfirmation } from '../../contract/email-change.ts';
import { VerificationAccepted } from '../../contract/email-verification.ts';
import { cancelEmailChange, confirmEmailChange, requestEmailChange } from '../../domain/accounts/email-change.ts';
import { actorOf, clientOf, sessionActorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** Changes to the account's email address. */
export const emailChangeRoutes: Routes = ({ ctx, sessionCookie, linkOrigin, createRoute }) => {
  const route = createRoute({ tag: 'Browser sessions', access: 'session' });

  route('POST', '/api/account/email', {
    operationId: 'requestEmailChange',
    summary: 'Send a link to a new email address',
    description:
      'The address changes when the link is used. The link works once and expires after 24 hours. The old address is notified. The response is the ' +
      'same whether or not another account has the new address. Requires a browser session, the password and, with two-factor ' +
      'authentication, a code. Without a mail server, the link is written to the log for the operator.',
    body: EmailChange,
    response: { 202: VerificationAccepted },
    errors: [401],
    handler: async (req) => {
      const change = { ...req.body, client: clientOf(req), origin: linkOrigin() };
      return { status: 'ok' as const, mailed: await requestEmailChange(ctx, actorOf(req), change) };
    },
  });

  route('DELETE', '/api/account/email', {
    operationId: 'cancelEmailChange',
    summary: 'Cancel the change of the email address',
    response: noContent,
    errors: [404],
    handler: (req) => cancelEmailChange(ctx, actorOf(req), clientOf(req)),
  });

  route('POST', '/api/session/confirm-email', {
    operationId: 'confirmEmailChange',
    summary: 'Change the email address with a link',
    description:
      'Requires a browser session of the account. All other sessions end, and links that were sent to the old address become invalid. ' +
      'The API key and two-factor authentication stay the same. If no address of the account was verified before, this revokes all ' +
      'earlier access, like `POST /api/session/verify-email`. The response sets the cookie of a new session. The response is 409 if ' +
      'another account has the address.',
    body: EmailChangeConfirmation,
    response: { 200: User },
    errors: [401, 409],
    handler: async (req, reply) => {
      const actor = sessionActorOf(req);
      const confirmed = await confirmEmailChange(ctx, actor, { ...req.body, client: clientOf(req), origin: linkOrigin() });
      sessionCookie.replace(reply, confirmed.sessionToken);
      return { userId: actor.accountId, email: confirmed.email, name: actor.name };
    },
  });
};
