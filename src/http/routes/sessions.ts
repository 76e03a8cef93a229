import { Registration, User } from '../../contract/accounts.ts';
import { Login } from '../../contract/keys.ts';
import { PasswordChange, SessionList } from '../../contract/sessions.ts';
import { changePassword, registerAccount } from '../../domain/accounts/accounts.ts';
import { endOtherSessions, endSession, listSessions, signOut } from '../../domain/accounts/sessions.ts';
import { signIn } from '../../domain/accounts/sign-in.ts';
import { actorOf, clientOf, sessionActorOf, userOf } from '../middleware/authentication.ts';
import { setSession, startSession } from '../middleware/start-session.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** Browser sessions, for the dashboard. A session is independent of the API key and can make changes only from the service's own origin. */
export const sessionRoutes: Routes = (parts) => {
  const { ctx, sameOriginOnly, sessionCookie, deviceCookie, linkOrigin, createRoute } = parts;
  const route = createRoute({ tag: 'Browser sessions' });

  route('POST', '/api/session/sign-up/email', {
    operationId: 'signUp',
    summary: 'Create an account and sign in',
    access: 'public',
    afterAuthentication: [sameOriginOnly],
    body: Registration,
    response: { 201: User },
    errors: [403, 404, 409, 429],
    handler: async (req, reply) => {
      const { info, verified } = await registerAccount(ctx, req.body, { client: clientOf(req), origin: linkOrigin() });
      const { userId, email, name } = info;
      await startSession(parts, { req, reply }, { accountId: userId, verified });
      return { userId, email, name };
    },
  });

  route('POST', '/api/session/sign-in/email', {
    operationId: 'signIn',
    summary: 'Sign in',
    access: 'public',
    afterAuthentication: [sameOriginOnly],
    body: Login,
    response: { 200: User },
    errors: [401, 403, 429],
    handler: async (req, reply) => {
      const verified = await signIn(ctx, { ...req.body, client: clientOf(req), device: deviceCookie.read(req) });
      const { id: userId, email, name } = verified.account;
      await startSession(parts, { req, reply }, { accountId: userId, verified });
      return { userId, email, name };
    },
  });

  route('POST', '/api/session/sign-out', {
    operationId: 'signOut',
    summary: 'Sign out',
    security: [{ session: [] }, {}],
    access: 'public',
    afterAuthentication: [sameOriginOnly],
    response: noContent,
    errors: [403],
    handler: async (req, reply) => {
      const token = sessionCookie.read(req);
      if (token !== undefined) await signOut(ctx, token, clientOf(req));
      sessionCookie.clear(reply);
    },
  });

  route('GET', '/api/session', {
    operationId: 'whoAmI',
    summary: 'Get the signed-in user',
    security: [{ session: [] }],
    response: { 200: User },
    handler: async (req) => userOf(actorOf(req)),
  });

  route('POST', '/api/session/change-password', {
    operationId: 'changePassword',
    summary: 'Change the password and end all other sessions',
    access: 'session',
    body: PasswordChange,
    response: { 200: User },
    errors: [401],
    handler: async (req, reply) => {
      const actor = sessionActorOf(req);
      const token = await changePassword(ctx, actor, { ...req.body, client: clientOf(req) });
      await setSession(parts, { req, reply }, { accountId: actor.accountId, token });
      return userOf(actor);
    },
  });

  route('GET', '/api/session/list', {
    operationId: 'listSessions',
    summary: 'List the active sessions',
    access: 'session',
    response: { 200: SessionList },
    handler: async (req) => ({ data: await listSessions(ctx, sessionActorOf(req)) }),
  });

  route('DELETE', '/api/session/list/:id', {
    operationId: 'endSession',
    summary: 'End a session',
    access: 'session',
    response: noContent,
    errors: [404],
    handler: async (req, reply) => {
      const actor = sessionActorOf(req);
      await endSession(ctx, actor, { sessionId: req.params.id, client: clientOf(req) });
      if (req.params.id === actor.sessionId) sessionCookie.clear(reply);
    },
  });

  route('POST', '/api/session/end-others', {
    operationId: 'endOtherSessions',
    summary: 'End all other sessions',
    access: 'session',
    response: noContent,
    handler: (req) => endOtherSessions(ctx, sessionActorOf(req), clientOf(req)),
  });
};
