import { Type } from 'typebox';
import { Login, Registration } from '../../contract/account.ts';
import { PasswordChange, SessionList, SessionReference, User } from '../../contract/session.ts';
import { authenticate, changePassword, registerAccount } from '../../domain/accounts.ts';
import { actorOf, browserOf, sessionOnly, setCookies } from '../auth.ts';
import { failures, type Routes } from './route.ts';

/** Browser sessions: what the dashboard signs in with. A session is never the API key, and works only from our own pages. */
export const sessionRoutes: Routes = (app, { ctx, sessions, authentication, fromOwnPages }) => {
  const tags = ['Browser sessions'];

  app.post(
    '/api/session/sign-up/email',
    {
      bodyLimit: 16_384,
      onRequest: fromOwnPages,
      schema: {
        operationId: 'signUp',
        tags,
        summary: 'Make an account and sign in',
        body: Registration,
        response: { 201: User, ...failures(400, 403, 409, 503) },
      },
    },
    async (req, reply) => {
      const { userId, email, name } = await registerAccount(ctx, req.body, req.ip);
      setCookies(reply, await sessions.open(browserOf(req), userId));
      return reply.status(201).send({ userId, email, name });
    },
  );

  app.post(
    '/api/session/sign-in/email',
    {
      bodyLimit: 16_384,
      onRequest: fromOwnPages,
      schema: {
        operationId: 'signIn',
        tags,
        summary: 'Sign in',
        body: Login,
        response: { 200: User, ...failures(400, 401, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      const account = await authenticate(ctx, { ...req.body, address: req.ip });
      setCookies(reply, await sessions.open(browserOf(req), account.id, account.passwordHash));
      return { userId: account.id, email: account.email, name: account.name };
    },
  );

  app.post(
    '/api/session/sign-out',
    {
      onRequest: fromOwnPages,
      schema: { operationId: 'signOut', tags, summary: 'Sign out', response: { 204: Type.Null(), ...failures(403, 503) } },
    },
    async (req, reply) => {
      setCookies(reply, await sessions.signOut(browserOf(req)));
      return reply.status(204).send();
    },
  );

  app.get(
    '/api/session',
    {
      onRequest: authentication,
      schema: { operationId: 'whoAmI', tags, summary: 'Who is signed in', response: { 200: User, ...failures('401 key', 503) } },
    },
    async (req) => {
      const { id: userId, email, name } = actorOf(req).account;
      return { userId, email, name };
    },
  );

  app.post(
    '/api/session/change-password',
    {
      bodyLimit: 16_384,
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'changePassword',
        tags,
        summary: 'Change the password: ends all other sessions',
        body: PasswordChange,
        response: { 200: User, ...failures(400, 401, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      const { id: userId, email, name } = actorOf(req).account;
      await changePassword(ctx, { ...req.body, accountId: userId, email, address: req.ip });
      setCookies(reply, await sessions.open(browserOf(req), userId));
      return { userId, email, name };
    },
  );

  app.get(
    '/api/session/list',
    {
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'listSessions',
        tags,
        summary: 'Where the account is signed in',
        response: { 200: SessionList, ...failures('401 key', 503) },
      },
    },
    async (req) => ({ data: await sessions.list(browserOf(req)) }),
  );

  app.delete(
    '/api/session/list/:id',
    {
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'endSession',
        tags,
        summary: 'Sign out one session',
        params: SessionReference,
        response: { 204: Type.Null(), ...failures('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      await sessions.end(browserOf(req), req.params.id);
      return reply.status(204).send();
    },
  );

  app.post(
    '/api/session/end-others',
    {
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'endOtherSessions',
        tags,
        summary: 'Sign out all other sessions',
        response: { 204: Type.Null(), ...failures('401 key', 403, 503) },
      },
    },
    async (req, reply) => {
      await sessions.endOthers(browserOf(req));
      return reply.status(204).send();
    },
  );
};
