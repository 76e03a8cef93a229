import { PasswordReset, PasswordResetAccepted, PasswordResetRequest } from '../../contract/password-resets.ts';
import { requestPasswordReset, resetPasswordByLink } from '../../domain/accounts/password-resets.ts';
import { clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** Password resets by email. */
export const passwordResetRoutes: Routes = ({ ctx, sameOriginOnly, deviceCookie, linkOrigin, createRoute }) => {
  const route = createRoute({ tag: 'Browser sessions', access: 'public' });

  route('POST', '/api/session/forgot-password', {
    operationId: 'forgotPassword',
    summary: 'Request a password reset link',
    description: 'The response is the same whether or not the account exists.',
    afterAuthentication: [sameOriginOnly],
    body: PasswordResetRequest,
    response: { 202: PasswordResetAccepted },
    errors: [403, 429],
    handler: async (req) => {
      const device = deviceCookie.read(req);
      await requestPasswordReset(ctx, { email: req.body.email, client: clientOf(req), device, origin: linkOrigin() });
      return { status: 'ok' } as const;
    },
  });

  route('POST', '/api/session/reset-password', {
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset link',
    description:
      'Ends all sessions. If the email address is already verified, the API key and two-factor authentication stay the same. Otherwise this ' +
      'verifies the address and revokes all earlier access, like `POST /api/session/verify-email`.',
    afterAuthentication: [sameOriginOnly],
    body: PasswordReset,
    response: noContent,
    errors: [403, 429],
    handler: (req) => resetPasswordByLink(ctx, { ...req.body, client: clientOf(req) }),
  });
};
