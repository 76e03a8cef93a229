import type { AllowedMethods } from '../../store/accounts/sign-in-methods.ts';
import type { WithProviders } from '../oidc/providers.ts';

/** Returns whether the owner of an account with this address may sign in with a password. */
export function acceptsPassword({ passwordSignIn }: WithProviders, email: string): boolean {
  return passwordSignIn === 'on' || passwordSignIn.includes(email);
}

/** Returns the ways to sign in that the settings allow for an account. */
export function allowedMethods(ctx: WithProviders, { email }: { email: string }): AllowedMethods {
  return { password: acceptsPassword(ctx, email), issuers: ctx.providers.list.map(({ issuer }) => issuer) };
}
