import { AnsweredCliSignIn, CliSignIn, CliSignInClaim, NewCliSignIn, StartedCliSignIn } from '../../contract/cli-sign-ins.ts';
import { TokenInfo } from '../../contract/keys.ts';
import { approveCliSignIn, claimCliSignIn, denyCliSignIn, getCliSignIn, startCliSignIn } from '../../domain/accounts/cli-sign-ins.ts';
import { clientOf, sessionActorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** Command-line sign-ins, which a person approves in the dashboard. */
export const cliSignInRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Command-line sign-in' });

  route('POST', '/api/auth/cli', {
    operationId: 'startCliSignIn',
    summary: 'Start a command-line sign-in',
    description: 'The sign-in expires after 10 minutes.',
    access: 'public',
    body: NewCliSignIn,
    response: { 201: StartedCliSignIn },
    errors: [429],
    handler: (req) => startCliSignIn(ctx, { ...req.body, client: clientOf(req) }),
  });

  route('POST', '/api/auth/cli/token', {
    operationId: 'claimCliSignIn',
    summary: 'Get the key of an approved sign-in',
    description:
      'Works once. The response is 409 with the code `cli_sign_in_pending` until a person approves or denies the ' +
      'sign-in, 403 if the person denied it, and 400 if it is not valid or has expired.',
    access: 'public',
    body: CliSignInClaim,
    response: { 200: TokenInfo },
    errors: [403, 409],
    handler: (req) => claimCliSignIn(ctx, req.body),
  });

  route('POST', '/api/session/cli/:code', {
    operationId: 'getCliSignIn',
    summary: 'Get a command-line sign-in that is waiting for an answer',
    description: 'This is a POST, because wrong codes are counted: after five of them, the account has to wait.',
    access: 'session',
    response: { 200: CliSignIn },
    errors: [404, 429],
    handler: (req) => getCliSignIn(ctx, sessionActorOf(req), { code: req.params.code, client: clientOf(req) }),
  });

  route('POST', '/api/session/cli/:code/approve', {
    operationId: 'approveCliSignIn',
    summary: 'Approve a command-line sign-in',
    description: "The command gets the account's API key.",
    access: 'session',
    response: { 200: AnsweredCliSignIn },
    errors: [404, 429],
    handler: async (req) => ({
      redirect: await approveCliSignIn(ctx, sessionActorOf(req), { code: req.params.code, client: clientOf(req) }),
    }),
  });

  route('POST', '/api/session/cli/:code/deny', {
    operationId: 'denyCliSignIn',
    summary: 'Deny a command-line sign-in',
    access: 'session',
    response: { 200: AnsweredCliSignIn },
    errors: [404, 429],
    handler: async (req) => ({ redirect: await denyCliSignIn(ctx, sessionActorOf(req), req.params.code) }),
  });
};
