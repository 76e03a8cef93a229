import { Registration } from '../../contract/accounts.ts';
import { Login, NewToken, TokenInfo } from '../../contract/keys.ts';
import { registerAccount } from '../../domain/accounts/accounts.ts';
import { getKey, resetKey, showKey } from '../../domain/accounts/keys.ts';
import { signIn } from '../../domain/accounts/sign-in.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { sendPrepared } from '../responses/prepared-response.ts';
import { tokenPath } from '../responses/token-response.ts';
import type { Routes } from './route.ts';

/** The API key of an account. Existing programs depend on the paths and shapes of these routes, so these never change. */
export const keyRoutes: Routes = ({ ctx, prepareTokenResponse, linkOrigin, createRoute }) => {
  const route = createRoute({ tag: 'Accounts and keys' });

  route('POST', '/api/auth/register', {
    operationId: 'register',
    summary: 'Create an account',
    access: 'public',
    body: Registration,
    response: { 201: TokenInfo },
    errors: [403, 404, 409, 429],
    handler: async (req) => (await registerAccount(ctx, req.body, { client: clientOf(req), origin: linkOrigin() })).info,
  });

  route('POST', tokenPath, {
    operationId: 'obtainToken',
    summary: 'Get the key by signing in with email and password',
    access: 'public',
    body: Login,
    response: { 200: TokenInfo },
    errors: [401, 429],
    handler: async (req) => {
      const { account } = await signIn(ctx, { ...req.body, client: clientOf(req) });
      return showKey(ctx, account);
    },
  });

  route('GET', tokenPath, {
    operationId: 'verifyToken',
    summary: 'Verify the key',
    response: { 200: TokenInfo },
    handler: async (req, reply) => sendPrepared(req, reply, prepareTokenResponse(await getKey(ctx, actorOf(req)))),
  });

  route('DELETE', tokenPath, {
    operationId: 'resetToken',
    summary: 'Reset the key',
    description: 'The old key stops working immediately.',
    response: { 200: NewToken },
    errors: [409],
    handler: async (req) => ({ token: await resetKey(ctx, actorOf(req), clientOf(req)) }),
  });
};
