import { Type } from 'typebox';
import { Account, AccountChange, AccountDeletion } from '../../contract/account.ts';
import { deleteAccount, getAccount, renameAccount } from '../../domain/accounts.ts';
import type { AccountProfile } from '../../store/accounts.ts';
import { actorOf, browserOf, sessionOnly, setCookies } from '../auth.ts';
import { failures, type Routes } from './route.ts';

/** The account of whoever asks. */
export const ownAccountRoutes: Routes = (app, { ctx, sessions, authentication }) => {
  const tags = ['Accounts and keys'];

  app.get(
    '/api/account',
    {
      onRequest: authentication,
      schema: {
        operationId: 'getAccount',
        tags,
        summary: 'Show the account',
        security: [{ key: [] }],
        response: { 200: Account, ...failures('401 key', 503) },
      },
    },
    async (req) => toAccount(await getAccount(ctx, actorOf(req).account.id)),
  );

  app.patch(
    '/api/account',
    {
      bodyLimit: 16_384,
      onRequest: authentication,
      schema: {
        operationId: 'changeAccount',
        tags,
        summary: 'Change the display name',
        security: [{ key: [] }],
        body: AccountChange,
        response: { 200: Account, ...failures(400, '401 key', 403, 503) },
      },
    },
    async (req) => toAccount(await renameAccount(ctx, actorOf(req).account.id, req.body.name)),
  );

  app.delete(
    '/api/account',
    {
      bodyLimit: 16_384,
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'deleteAccount',
        tags,
        summary: 'Delete the account with all it owns: the key is dead at once',
        description: 'For a browser session alone: asks for the password and, with two-factor on, for a code.',
        body: AccountDeletion,
        response: { 204: Type.Null(), ...failures(400, 401, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      await deleteAccount(ctx, { ...req.body, email: actorOf(req).account.email, address: req.ip });
      // A cookie that the authentication renewed must not come after all.
      reply.removeHeader('set-cookie');
      setCookies(reply, await sessions.signOut(browserOf(req)));
      return reply.status(204).send();
    },
  );
};

function toAccount({ id: userId, email, name, createdAt, keyCreatedAt, twoFactor }: AccountProfile) {
  return { userId, email, name, createdAt, keyCreatedAt, twoFactor };
}
