import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { RecoveryCodes, TwoFactorConfirmation, TwoFactorProof, TwoFactorSecret, TwoFactorStart } from '../../contract/two-factor.ts';
import { confirmTwoFactor, replaceRecoveryCodes, startTwoFactor, stopTwoFactor } from '../../domain/two-factor.ts';
import { actorOf, browserOf, sessionOnly } from '../auth.ts';
import { failures, type Routes } from './route.ts';

/** The second factor, for a browser session alone. A change of it ends the account's other sessions. */
export const twoFactorRoutes: Routes = (app, { ctx, sessions, authentication }) => {
  const onRequest = [authentication, sessionOnly];
  const bodyLimit = 16_384;
  const tags = ['Two-factor authentication'];

  app.post(
    '/api/account/two-factor',
    {
      bodyLimit,
      onRequest,
      schema: {
        operationId: 'startTwoFactor',
        tags,
        summary: 'Get a secret for an authenticator app',
        description: 'Nothing is asked for at sign-in until a code is confirmed. Repeating it gives another secret.',
        body: TwoFactorStart,
        response: { 200: TwoFactorSecret, ...failures(400, 401, 403, 409, 429, 503) },
      },
    },
    async (req, reply) => reply.header('cache-control', 'no-store').send(await startTwoFactor(ctx, { ...req.body, ...attemptOf(req) })),
  );

  app.post(
    '/api/account/two-factor/confirm',
    {
      bodyLimit,
      onRequest,
      schema: {
        operationId: 'confirmTwoFactor',
        tags,
        summary: 'Switch two-factor on with a first code',
        body: TwoFactorConfirmation,
        response: { 200: RecoveryCodes, ...failures(400, 401, 403, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      const recoveryCodes = await confirmTwoFactor(ctx, { ...req.body, ...attemptOf(req), accountId: actorOf(req).account.id });
      await sessions.endOthers(browserOf(req));
      return reply.header('cache-control', 'no-store').send({ recoveryCodes });
    },
  );

  app.delete(
    '/api/account/two-factor',
    {
      bodyLimit,
      onRequest,
      schema: {
        operationId: 'stopTwoFactor',
        tags,
        summary: 'Switch two-factor off',
        body: TwoFactorProof,
        response: { 204: Type.Null(), ...failures(400, 401, 403, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      await stopTwoFactor(ctx, { ...req.body, ...attemptOf(req) });
      await sessions.endOthers(browserOf(req));
      return reply.status(204).send();
    },
  );

  app.post(
    '/api/account/two-factor/recovery-codes',
    {
      bodyLimit,
      onRequest,
      schema: {
        operationId: 'replaceRecoveryCodes',
        tags,
        summary: 'Get new recovery codes: the old ones are dead at once',
        body: TwoFactorProof,
        response: { 200: RecoveryCodes, ...failures(400, 401, 403, 409, 429, 503) },
      },
    },
    async (req, reply) => {
      const recoveryCodes = await replaceRecoveryCodes(ctx, { ...req.body, ...attemptOf(req) });
      return reply.header('cache-control', 'no-store').send({ recoveryCodes });
    },
  );
};

function attemptOf(req: FastifyRequest): { email: string; address: string } {
  return { email: actorOf(req).account.email, address: req.ip };
}
