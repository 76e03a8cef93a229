import { Type } from 'typebox';
import { RecoveryCodes, TwoFactorConfirmation, TwoFactorProof, TwoFactorSecret, TwoFactorStart } from '../../contract/two-factor.ts';
import { endOtherSessions } from '../../domain/accounts/sessions.ts';
import { confirmTwoFactor, replaceRecoveryCodes, startTwoFactor, stopTwoFactor } from '../../domain/accounts/two-factor.ts';
import { actorOf, clientOf, sessionActorOf, sessionOnly } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Two-factor authentication, for browser sessions only. Enabling or disabling it ends the account's other sessions. */
export const twoFactorRoutes: Routes = (app, { ctx, authentication }) => {
  const onRequest = [authentication, sessionOnly];
  const tags = ['Two-factor authentication'];

  app.post(
    '/api/account/two-factor',
    {
      onRequest,
      schema: {
        operationId: 'startTwoFactor',
        tags,
        security: [{ session: [] }],
        summary: 'Get a secret for an authenticator app',
        description: 'Sign-in does not require a code until the first one is confirmed. Each call returns a new secret.',
        body: TwoFactorStart,
        response: { 200: TwoFactorSecret, ...errorResponses(400, 401, 403, 409, 429, 503) },
      },
    },
    async (req, reply) =>
      reply.header('cache-control', 'no-store').send(await startTwoFactor(ctx, actorOf(req), { ...req.body, client: clientOf(req) })),
  );

  app.post(
    '/api/account/two-factor/confirm',
    {
      onRequest,
      schema: {
        operationId: 'confirmTwoFactor',
        tags,
        security: [{ session: [] }],
        summary: 'Enable two-factor authentication with a first code',
        body: TwoFactorConfirmation,
        response: { 200: RecoveryCodes, ...errorResponses(400, 401, 403, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      const recoveryCodes = await confirmTwoFactor(ctx, actorOf(req), { ...req.body, client: clientOf(req) });
      await endOtherSessions(ctx, sessionActorOf(req), clientOf(req));
      return reply.header('cache-control', 'no-store').send({ recoveryCodes });
    },
  );

  app.delete(
    '/api/account/two-factor',
    {
      onRequest,
      schema: {
        operationId: 'stopTwoFactor',
        tags,
        security: [{ session: [] }],
        summary: 'Disable two-factor authentication',
        body: TwoFactorProof,
        response: { 204: Type.Null(), ...errorResponses(400, 401, 403, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      await stopTwoFactor(ctx, actorOf(req), { ...req.body, client: clientOf(req) });
      await endOtherSessions(ctx, sessionActorOf(req), clientOf(req));
      return reply.status(204).send();
    },
  );

  app.post(
    '/api/account/two-factor/recovery-codes',
    {
      onRequest,
      schema: {
        operationId: 'replaceRecoveryCodes',
        tags,
        security: [{ session: [] }],
        summary: 'Replace the recovery codes: the old ones stop working immediately',
        body: TwoFactorProof,
        response: { 200: RecoveryCodes, ...errorResponses(400, 401, 403, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      const recoveryCodes = await replaceRecoveryCodes(ctx, actorOf(req), { ...req.body, client: clientOf(req) });
      return reply.header('cache-control', 'no-store').send({ recoveryCodes });
    },
  );
};
