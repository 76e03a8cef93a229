import { queryOptions } from '@tanstack/react-query';
import { type SignInProblem, signInProblems } from '../../../src/contract/sign-in-problems.ts';
import { call } from '../lib/api.ts';

/** The providers at which people can sign in, and whether everyone may use a password. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['own', 'sign-in-options'],
  queryFn: () => call('getSignInOptions', {}),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the address that signs the browser in at a provider and then opens a page. */
export function providerPath(id: string, next: string | undefined, { fresh = false } = {}): string {
  const query = new URLSearchParams({ ...(next !== undefined && { next }), ...(fresh && { fresh: '1' }) });
  return `/api/session/oidc/${encodeURIComponent(id)}/start${query.size > 0 ? `?${query}` : ''}`;
}

/** Describes why a sign-in at a provider failed. The page's address contains only the error code. */
export function describeProblem(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (code === 'registration_closed') return 'You have no account here, and registration is closed. Ask your administrator for an account.';
  return Object.hasOwn(signInProblems, code) ? signInProblems[code as SignInProblem] : 'The sign-in failed. Try again in a moment.';
}
