import { Registration } from '../../contract/accounts.ts';
import { Login, NewToken, TokenInfo } from '../../contract/keys.ts';
import { registerAccount } from '../../domain/accounts/accounts.ts';
import { getKey, resetKey, showKey } from '../../domain/accounts/keys.ts';
import { signIn } from '../../domain/accounts/sign-in.ts';
import { sendPrepared } from '../responses/prepared-response.ts';
import { tokenPath } from '../responses/token-response.ts';
import { actorOf, clientOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** The API key of an account. Its paths and shapes are fixed. */
export const keyRoutes: Routes = (app, { ctx, authentication, prepareTokenResponse, linkOrigin }) => {
  const tags = ['Accounts and keys'];

  app.post(
    '/api/auth/register',
    {
      schema: {
        operationId: 'register',
        tags,
        summary: 'Create an account',
        body: Registration,
        response: { 201: TokenInfo, ...errorResponses(400, 403, 404, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      const { info } = await registerAccount(ctx, req.body, { client: clientOf(req), origin: linkOrigin() });
      return reply.status(201).header('cache-control', 'no-store').send(info);
    },
  );

  app.post(
    tokenPath,
    {
      schema: {
        operationId: 'obtainToken',
        tags,
        summary: 'Get the key with email and password',
        body: Login,
        response: { 200: TokenInfo, ...errorResponses(400, 401, 429, 503) },
      },
    },
    async (req, reply) => {
      const { account } = await signIn(ctx, { ...req.body, client: clientOf(req) });
      return reply.header('cache-control', 'no-store').send(showKey(ctx, account));
    },
  );

  app.get(
    tokenPath,
    {
      onRequest: authentication,
      schema: {
        operationId: 'verifyToken',
        tags,
        summary: 'Verify the key',
        security: [{ key: [] }],
        response: { 200: TokenInfo, ...errorResponses('401 key', 503) },
      },
    },
    async (req, reply) => sendPrepared(req, reply, prepareTokenResponse(await getKey(ctx, actorOf(req)))),
  );

  app.delete(
    tokenPath,
    {
      onRequest: authentication,
      schema: {
        operationId: 'resetToken',
        tags,
        summary: 'Reset the key: the old one stops working immediately',
        security: [{ key: [] }],
        response: { 200: NewToken, ...errorResponses('401 key', 409, 503) },
      },
    },
    async (req, reply) => {
      const token = await resetKey(ctx, actorOf(req), clientOf(req));
      return reply.header('cache-control', 'no-store').send({ token });
    },
  );
};
