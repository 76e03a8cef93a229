import { Type } from 'typebox';
import { PasswordReset, PasswordResetAccepted, PasswordResetRequest } from '../../contract/password-resets.ts';
import { requestPasswordReset, resetPasswordByLink } from '../../domain/accounts/password-resets.ts';
import { clientOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Password resets by email. */
export const passwordResetRoutes: Routes = (app, { ctx, sameOriginOnly, deviceCookie, linkOrigin }) => {
  const tags = ['Browser sessions'];

  app.post(
    '/api/session/forgot-password',
    {
      onRequest: sameOriginOnly,
      schema: {
        operationId: 'forgotPassword',
        tags,
        summary: 'Request a password reset link',
        description: 'The response is the same whether or not the account exists.',
        body: PasswordResetRequest,
        response: { 202: PasswordResetAccepted, ...errorResponses(400, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      const device = deviceCookie.read(req);
      await requestPasswordReset(ctx, { email: req.body.email, client: clientOf(req), device, origin: linkOrigin() });
      return reply.status(202).send({ status: 'ok' });
    },
  );

  app.post(
    '/api/session/reset-password',
    {
      onRequest: sameOriginOnly,
      schema: {
        operationId: 'resetPassword',
        tags,
        summary: 'Set a new password with a reset link: ends all sessions',
        description:
          'The API key and two-factor authentication stay the same if the email address is already verified. Otherwise this verifies it ' +
          'and revokes all earlier access, as `POST /api/session/verify-email` does.',
        body: PasswordReset,
        response: { 204: Type.Null(), ...errorResponses(400, 403, 429, 503) },
      },
    },
    async (req, reply) => {
      await resetPasswordByLink(ctx, { ...req.body, client: clientOf(req) });
      return reply.status(204).send();
    },
  );
};
