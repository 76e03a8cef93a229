import { Login, NewToken, Registration, TokenInfo } from '../../contract/account.ts';
import { authenticate, registerAccount } from '../../domain/accounts.ts';
import { resetKey, showKey } from '../../domain/keys.ts';
import { AppError } from '../../errors.ts';
import { digestKey } from '../../store/key-digest.ts';
import { actorOf } from '../auth.ts';
import { failures, type Routes } from './route.ts';

/** Accounts and their one key, as the interface specifies them. */
export const accountRoutes: Routes = (app, { ctx, authentication }) => {
  app.post(
    '/api/auth/register',
    {
      bodyLimit: 16_384,
      schema: {
        operationId: 'register',
        tags: ['Accounts and keys'],
        summary: 'Make an account',
        body: Registration,
        response: { 201: TokenInfo, ...failures(400, 403, 409, 503) },
      },
    },
    async (req, reply) => {
      const info = await registerAccount(ctx, req.body, req.ip);
      return reply.status(201).header('cache-control', 'no-store').send(info);
    },
  );

  app.post(
    '/api/auth/token',
    {
      bodyLimit: 16_384,
      schema: {
        operationId: 'obtainToken',
        tags: ['Accounts and keys'],
        summary: 'Obtain the key with e-mail and password',
        body: Login,
        response: { 200: TokenInfo, ...failures(400, 401, 429, 503) },
      },
    },
    async (req, reply) => {
      const account = await authenticate(ctx, { ...req.body, address: req.ip });
      return reply.header('cache-control', 'no-store').send(showKey(ctx, account));
    },
  );

  app.get(
    '/api/auth/token',
    {
      onRequest: authentication,
      schema: {
        operationId: 'verifyToken',
        tags: ['Accounts and keys'],
        summary: 'Verify the key',
        security: [{ key: [] }],
        response: { 200: TokenInfo, ...failures('401 key', 503) },
      },
    },
    (req, reply) => {
      const actor = actorOf(req);
      const { id: userId, email, name } = actor.account;
      reply
        .header('cache-control', 'no-store')
        .send(actor.via === 'key' ? { token: actor.key, userId, email, name } : showKey(ctx, actor.account));
    },
  );

  app.delete(
    '/api/auth/token',
    {
      onRequest: authentication,
      schema: {
        operationId: 'resetToken',
        tags: ['Accounts and keys'],
        summary: 'Reset the key: the old one is dead at once',
        security: [{ key: [] }],
        response: { 200: NewToken, ...failures('401 key', 409, 503) },
      },
    },
    async (req, reply) => {
      const actor = actorOf(req);
      const currentDigest = actor.via === 'key' ? digestKey(actor.key) : actor.account.keyDigest;
      const token = await resetKey(ctx, { accountId: actor.account.id, currentDigest, address: req.ip });
      if (token === undefined) throw new AppError(actor.via === 'key' ? 'unauthorized' : 'key_changed');
      return reply.header('cache-control', 'no-store').send({ token });
    },
  );
};
