import { Type } from 'typebox';
import { Account, AccountChange, AccountDeletion } from '../../contract/accounts.ts';
import { deleteAccount, getAccount, renameAccount } from '../../domain/accounts/accounts.ts';
import { actorOf, clientOf, sessionOnly } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** The actor's own account. */
export const accountRoutes: Routes = (app, { ctx, authentication, sessionCookie }) => {
  const tags = ['Accounts and keys'];

  app.get(
    '/api/account',
    {
      onRequest: authentication,
      schema: {
        operationId: 'getAccount',
        tags,
        summary: 'Get the account',
        security: [{ key: [] }],
        response: { 200: Account, ...errorResponses('401 key', 403, 503) },
      },
    },
    (req) => getAccount(ctx, actorOf(req)),
  );

  app.patch(
    '/api/account',
    {
      onRequest: authentication,
      schema: {
        operationId: 'changeAccount',
        tags,
        summary: 'Change the display name',
        security: [{ key: [] }],
        body: AccountChange,
        response: { 200: Account, ...errorResponses(400, '401 key', 403, 503) },
      },
    },
    (req) => renameAccount(ctx, actorOf(req), req.body.name),
  );

  app.delete(
    '/api/account',
    {
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'deleteAccount',
        tags,
        security: [{ session: [] }],
        summary: 'Delete the account and everything it owns',
        description:
          'The key stops working immediately. The workspace goes with it: its prompts, its invitations and its service accounts, whose keys ' +
          'stop working too, and its members lose access to it (`GET /api/members` lists them). Memberships in the workspaces of others end. ' +
          'Requires a browser session, the password and, with two-factor authentication enabled, a code.',
        body: AccountDeletion,
        response: { 204: Type.Null(), ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      await deleteAccount(ctx, actorOf(req), { ...req.body, client: clientOf(req) });
      // The authentication step may have extended the cookie.
      reply.removeHeader('set-cookie');
      sessionCookie.clear(reply);
      return reply.status(204).send();
    },
  );
};
