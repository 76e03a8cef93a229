import { Account, AccountChange, AccountDeletion } from '../../contract/accounts.ts';
import { deleteAccount, getAccount, renameAccount } from '../../domain/accounts/accounts.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The caller's account. */
export const accountRoutes: Routes = ({ ctx, sessionCookie, createRoute }) => {
  const route = createRoute({ tag: 'Accounts and keys' });

  route('GET', '/api/account', {
    operationId: 'getAccount',
    summary: 'Get the account',
    response: { 200: Account },
    errors: [403],
    handler: (req) => getAccount(ctx, actorOf(req)),
  });

  route('PATCH', '/api/account', {
    operationId: 'changeAccount',
    summary: 'Change the display name',
    body: AccountChange,
    response: { 200: Account },
    handler: (req) => renameAccount(ctx, actorOf(req), { name: req.body.name, client: clientOf(req) }),
  });

  route('DELETE', '/api/account', {
    operationId: 'deleteAccount',
    summary: 'Delete the account and everything it owns',
    description:
      'The key stops working immediately. The workspace is deleted too, with its prompts, invitations and service accounts, whose keys ' +
      'stop working. The members of the workspace lose access (`GET /api/members` lists them). The account’s memberships in other workspaces end. ' +
      'Requires a browser session, the password and, with two-factor authentication, a code.',
    access: 'session',
    body: AccountDeletion,
    response: noContent,
    errors: [401],
    handler: async (req, reply) => {
      await deleteAccount(ctx, actorOf(req), { ...req.body, client: clientOf(req) });
      sessionCookie.clear(reply);
    },
  });
};
