import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Registration, User } from '../../contract/accounts.ts';
import { Login } from '../../contract/keys.ts';
import { PasswordChange, SessionList, SessionReference } from '../../contract/sessions.ts';
import { changePassword, registerAccount } from '../../domain/accounts/accounts.ts';
import { rememberDevice } from '../../domain/accounts/devices.ts';
import { endOtherSessions, endSession, listSessions, type NewSession, openSession, signOut } from '../../domain/accounts/sessions.ts';
import { signIn } from '../../domain/accounts/sign-in.ts';
import { actorOf, clientOf, sessionActorOf, sessionOnly } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Browser sessions, for the dashboard. A session is independent of the API key and can make changes only from our own origin. */
export const sessionRoutes: Routes = (app, { ctx, authentication, sameOriginOnly, sessionCookie, deviceCookie, linkOrigin }) => {
  const tags = ['Browser sessions'];

  /** Signs the browser in, in place of the session that it had. */
  async function startSession(
    req: FastifyRequest,
    reply: FastifyReply,
    session: Pick<NewSession, 'accountId' | 'verified'>,
  ): Promise<void> {
    const { accountId } = session;
    const token = await openSession(ctx, { ...session, client: clientOf(req), replacedToken: sessionCookie.read(req) });
    const device = await rememberDevice(ctx, { accountId, token: deviceCookie.read(req) });
    // The authentication step may have extended the cookie of the session that has just ended.
    sessionCookie.replace(reply, token);
    deviceCookie.set(reply, device);
  }

  app.post(
    '/api/session/sign-up/email',
    {
      onRequest: sameOriginOnly,
      schema: {
        operationId: 'signUp',
        tags,
        summary: 'Create an account and sign in',
        body: Registration,
        response: { 201: User, ...errorResponses(400, 403, 404, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      const { info, verified } = await registerAccount(ctx, req.body, { client: clientOf(req), origin: linkOrigin() });
      const { userId, email, name } = info;
      await startSession(req, reply, { accountId: userId, verified });
      return reply.status(201).send({ userId, email, name });
    },
  );

  app.post(
    '/api/session/sign-in/email',
    {
      onRequest: sameOriginOnly,
      schema: {
        operationId: 'signIn',
        tags,
        summary: 'Sign in',
        body: Login,
        response: { 200: User, ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      const verified = await signIn(ctx, { ...req.body, client: clientOf(req), device: deviceCookie.read(req) });
      const { id: userId, email, name } = verified.account;
      await startSession(req, reply, { accountId: userId, verified });
      return { userId, email, name };
    },
  );

  app.post(
    '/api/session/sign-out',
    {
      onRequest: sameOriginOnly,
      schema: {
        operationId: 'signOut',
        tags,
        security: [{ session: [] }, {}],
        summary: 'Sign out',
        response: { 204: Type.Null(), ...errorResponses(403, 503) },
      },
    },
    async (req, reply) => {
      const token = sessionCookie.read(req);
      if (token !== undefined) await signOut(ctx, token, clientOf(req));
      sessionCookie.clear(reply);
      return reply.status(204).send();
    },
  );

  app.get(
    '/api/session',
    {
      onRequest: authentication,
      schema: {
        operationId: 'whoAmI',
        tags,
        security: [{ session: [] }],
        summary: 'Get the signed-in user',
        response: { 200: User, ...errorResponses('401 key', 503) },
      },
    },
    async (req) => {
      const { accountId: userId, email, name } = actorOf(req);
      return { userId, email, name };
    },
  );

  app.post(
    '/api/session/change-password',
    {
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'changePassword',
        tags,
        security: [{ session: [] }],
        summary: 'Change the password: ends all other sessions',
        body: PasswordChange,
        response: { 200: User, ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      const actor = actorOf(req);
      const { accountId: userId, email, name } = actor;
      const verified = await changePassword(ctx, actor, { ...req.body, client: clientOf(req) });
      await startSession(req, reply, { accountId: userId, verified });
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
        security: [{ session: [] }],
        summary: 'List the active sessions',
        response: { 200: SessionList, ...errorResponses('401 key', 503) },
      },
    },
    async (req) => ({ data: await listSessions(ctx, sessionActorOf(req)) }),
  );

  app.delete(
    '/api/session/list/:id',
    {
      onRequest: [authentication, sessionOnly],
      schema: {
        operationId: 'endSession',
        tags,
        security: [{ session: [] }],
        summary: 'End a session',
        params: SessionReference,
        response: { 204: Type.Null(), ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      const actor = sessionActorOf(req);
      await endSession(ctx, actor, { sessionId: req.params.id, client: clientOf(req) });
      if (req.params.id === actor.sessionId) {
        // The authentication may have extended the cookie.
        reply.removeHeader('set-cookie');
        sessionCookie.clear(reply);
      }
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
        security: [{ session: [] }],
        summary: 'End all other sessions',
        response: { 204: Type.Null(), ...errorResponses('401 key', 403, 503) },
      },
    },
    async (req, reply) => {
      await endOtherSessions(ctx, sessionActorOf(req), clientOf(req));
      return reply.status(204).send();
    },
  );
};
