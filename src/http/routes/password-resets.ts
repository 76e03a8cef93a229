import { Type } from 'typebox';
import { PasswordReset, PasswordResetAccepted, PasswordResetRequest } from '../../contract/password-resets.ts';
import { requestPasswordReset, resetPasswordByLink } from '../../domain/accounts/password-resets.ts';
import { clientOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** The way back in for someone who forgot the password. */
export const passwordResetRoutes: Routes = (app, { ctx, fromOwnPages, ownOrigin }) => {
  const tags = ['Browser sessions'];

  app.post(
    '/api/session/forgot-password',
    {
      onRequest: fromOwnPages,
      schema: {
        operationId: 'forgotPassword',
        tags,
        summary: 'Ask for a link to set a new password',
        description: 'Answers the same whether or not there is such an account.',
        body: PasswordResetRequest,
        response: { 202: PasswordResetAccepted, ...errorResponses(400, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      await requestPasswordReset(ctx, { email: req.body.email, client: clientOf(req), origin: ownOrigin() });
      return reply.status(202).send({ status: 'ok' });
    },
  );

  app.post(
    '/api/session/reset-password',
    {
      onRequest: fromOwnPages,
      schema: {
        operationId: 'resetPassword',
        tags,
        summary: 'Set a new password with the link that was sent: ends all sessions, the API key stays',
        body: PasswordReset,
        response: { 204: Type.Null(), ...errorResponses(400, 403, 503) },
      },
    },
    async (req, reply) => {
      await resetPasswordByLink(ctx, { ...req.body, client: clientOf(req) });
      return reply.status(204).send();
    },
  );
};
