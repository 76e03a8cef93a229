import { RecoveryCodes, TwoFactorConfirmation, TwoFactorProof, TwoFactorSecret, TwoFactorStart } from '../../contract/two-factor.ts';
import { confirmTwoFactor, replaceRecoveryCodes, startTwoFactor, stopTwoFactor } from '../../domain/accounts/two-factor.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/**
 * Two-factor authentication. These routes accept only browser sessions. Enabling or disabling two-factor authentication ends the account's
 * other sessions.
 */
export const twoFactorRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Two-factor authentication', access: 'session' });

  route('POST', '/api/account/two-factor', {
    operationId: 'startTwoFactor',
    summary: 'Get a secret for an authenticator app',
    description: 'Signing in does not require a code until you confirm the first code. Each call returns a new secret.',
    body: TwoFactorStart,
    response: { 200: TwoFactorSecret },
    errors: [401, 409],
    handler: (req) => startTwoFactor(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('POST', '/api/account/two-factor/confirm', {
    operationId: 'confirmTwoFactor',
    summary: 'Enable two-factor authentication with the first code',
    body: TwoFactorConfirmation,
    response: { 200: RecoveryCodes },
    errors: [401, 409],
    handler: async (req) => ({
      recoveryCodes: await confirmTwoFactor(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
    }),
  });

  route('DELETE', '/api/account/two-factor', {
    operationId: 'stopTwoFactor',
    summary: 'Disable two-factor authentication',
    body: TwoFactorProof,
    response: noContent,
    errors: [401, 409],
    handler: (req) => stopTwoFactor(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('POST', '/api/account/two-factor/recovery-codes', {
    operationId: 'replaceRecoveryCodes',
    summary: 'Replace the recovery codes',
    description: 'The old codes stop working immediately.',
    body: TwoFactorProof,
    response: { 200: RecoveryCodes },
    errors: [401, 409],
    handler: async (req) => ({
      recoveryCodes: await replaceRecoveryCodes(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
    }),
  });
};
