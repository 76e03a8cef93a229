import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  IdentityList,
  IdentityRemoval,
  LogoutAccepted,
  LogoutToken,
  ProviderUrl,
  SignedOut,
  SignInOptions,
} from '../../contract/sign-in.ts';
import { assertFreshSignIn } from '../../domain/accounts/fresh-sign-in.ts';
import { finishProviderLink, finishProviderSignIn } from '../../domain/oidc/finish.ts';
import { type Flow, openFlow, safePage } from '../../domain/oidc/flows.ts';
import { getSignInOptions, listIdentities, unlinkIdentity } from '../../domain/oidc/identities.ts';
import { acceptLogoutToken, signOutEverywhere } from '../../domain/oidc/logout.ts';
import { startProviderSignIn } from '../../domain/oidc/start.ts';
import { AppError } from '../../errors.ts';
import { clientOf, sessionActorOf } from '../middleware/authentication.ts';
import { startSession } from '../middleware/start-session.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

const callbackPath = '/api/session/oidc/callback';
const securityPage = '/dashboard/settings/security';
/** The errors whose reasons are already in the log, in more detail. */
const loggedCodes = new Set<string>(['provider_unavailable', 'provider_invalid', 'sign_in_canceled']);

/** Sign-in at OpenID Connect providers. Browsers open the first two addresses, which are therefore not operations of the API. */
export const oidcRoutes: Routes = (parts) => {
  const { app, ctx, sessionCookie, deviceCookie, providerCookie, linkOrigin, sameOriginOnly, createRoute } = parts;
  const route = createRoute({ tag: 'Browser sessions' });
  const redirectUri = () => `${linkOrigin()}${callbackPath}`;

  /** Opens a page of the dashboard that says why the sign-in failed. The address contains only the error's code. */
  function showProblem(reply: FastifyReply, err: unknown, { flow, next }: { flow?: Flow | undefined; next?: string | undefined }) {
    const code = err instanceof AppError ? err.code : 'internal';
    const message = 'a sign-in with a provider failed';
    if (!(err instanceof AppError)) app.log.error({ err: describe(err) }, message);
    else if (!loggedCodes.has(err.code)) app.log.info({ provider: flow?.provider, reason: code }, message);
    const page = flow?.next ?? safePage(next);
    const query = new URLSearchParams({ problem: code, ...(!flow?.link && page !== '/dashboard' && { next: page }) });
    return reply.header('cache-control', 'no-store').redirect(`${flow?.link ? securityPage : '/login'}?${query}`, 303);
  }

  app.get('/api/session/oidc/:provider/start', async (req, reply) => {
    const { provider } = req.params as { provider: string };
    const { next, fresh } = req.query as Record<string, unknown>;
    const page = typeof next === 'string' ? next : undefined;
    try {
      const request = { provider, redirectUri: redirectUri(), next: page, isFresh: fresh !== undefined };
      const { url, cookie } = await startProviderSignIn(ctx, request);
      providerCookie.set(reply, cookie);
      return reply.header('cache-control', 'no-store').redirect(url, 303);
    } catch (err) {
      return showProblem(reply, err, { next: page });
    }
  });

  app.get(callbackPath, async (req, reply) => {
    const url = new URL(redirectUri());
    url.search = new URL(req.url, url).search;
    const cookie = providerCookie.read(req);
    let flow: Flow | undefined;
    try {
      // If the state does not match, the cookie belongs to a sign-in in another tab and is kept.
      flow = openFlow(ctx, { cookie, state: url.searchParams.get('state') });
      const browser = { url, origin: linkOrigin(), client: clientOf(req), device: deviceCookie.read(req) };
      if (flow.link) await finishProviderLink(ctx, { ...flow, link: flow.link }, { ...browser, sessionToken: sessionCookie.read(req) });
      else await startSession(parts, { req, reply }, await finishProviderSignIn(ctx, flow, browser));
      providerCookie.remove(reply);
      return await reply.header('cache-control', 'no-store').redirect(flow.next, 303);
    } catch (err) {
      if (flow) providerCookie.remove(reply);
      return showProblem(reply, err, { flow });
    }
  });

  route('GET', '/api/session/options', {
    operationId: 'getSignInOptions',
    summary: 'Get the ways to sign in',
    access: 'public',
    response: { 200: SignInOptions },
    handler: async () => getSignInOptions(ctx),
  });

  route('POST', '/api/session/oidc/:provider/link', {
    operationId: 'linkIdentity',
    summary: 'Start linking an identity to the account',
    description:
      'Requires a sign-in or a confirmation in this session within the last 10 minutes. The browser signs in at the page in the response.',
    access: 'session',
    response: { 200: ProviderUrl },
    errors: [404],
    handler: async (req, reply) => {
      const linker = sessionActorOf(req);
      await assertFreshSignIn(ctx, linker);
      const request = { ...req.params, redirectUri: redirectUri(), next: securityPage, isFresh: true, linker };
      const { url, cookie } = await startProviderSignIn(ctx, request);
      providerCookie.set(reply, cookie);
      return { url };
    },
  });

  route('GET', '/api/session/identities', {
    operationId: 'listIdentities',
    summary: 'List the identities that are linked to the account',
    access: 'session',
    response: { 200: IdentityList },
    handler: async (req) => ({ data: await listIdentities(ctx, sessionActorOf(req)) }),
  });

  route('POST', '/api/session/identities/unlink', {
    operationId: 'unlinkIdentity',
    summary: 'Remove an identity from the account',
    description:
      'Requires a sign-in or a confirmation in this session within the last 10 minutes. Ends the other sessions that the provider started. An account keeps at least one ' +
      'way to sign in.',
    access: 'session',
    body: IdentityRemoval,
    response: noContent,
    errors: [404, 409],
    handler: (req) => unlinkIdentity(ctx, sessionActorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('POST', '/api/session/oidc/sign-out', {
    operationId: 'signOutEverywhere',
    summary: 'Sign out, and get the page that signs out at the provider',
    security: [{ session: [] }, {}],
    access: 'public',
    afterAuthentication: [sameOriginOnly],
    response: { 200: SignedOut },
    errors: [403],
    handler: async (req, reply) => {
      const token = sessionCookie.read(req);
      sessionCookie.clear(reply);
      const returnTo = `${linkOrigin()}/login`;
      return { url: token === undefined ? null : await signOutEverywhere(ctx, { token, client: clientOf(req), returnTo }) };
    },
  });

  route('POST', '/api/session/oidc/backchannel-logout', {
    operationId: 'endProviderSessions',
    summary: 'End the sessions that a provider’s logout token names',
    description: 'For providers. The body is form data (`application/x-www-form-urlencoded`).',
    access: 'public',
    body: LogoutToken,
    response: { 200: LogoutAccepted },
    options: { config: { takesForm: true } },
    handler: async (req: FastifyRequest<{ Body: { logout_token: string } }>, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store');
      await acceptLogoutToken(ctx, req.body.logout_token, clientOf(req));
      return { status: 'ok' as const };
    },
  });
};

/** Describes an unexpected error without its causes, because these can contain tokens. */
function describe(err: unknown): string {
  return err instanceof Error ? `${err.name}: ${err.message}` : 'unknown';
}
