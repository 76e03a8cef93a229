import { User } from '../../contract/accounts.ts';
import {
  AddedPasskey,
  NewPasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyChange,
  PasskeyCreationOptions,
  PasskeyList,
  PasskeyRequestOptions,
  SessionConfirmation,
} from '../../contract/passkeys.ts';
import { rememberDevice } from '../../domain/accounts/devices.ts';
import { confirmSession, signInWithPasskey, startPasskeySignIn } from '../../domain/accounts/passkey-sign-in.ts';
import { addPasskey, listPasskeys, removePasskey, renamePasskey, startPasskey } from '../../domain/accounts/passkeys.ts';
import { toRelyingParty } from '../../domain/accounts/webauthn.ts';
import { newToken } from '../../domain/secrets/tokens.ts';
import { actorOf, clientOf, sessionActorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** Passkeys, and the confirmations that changes to them require. These routes accept only browsers. */
export const passkeyRoutes: Routes = ({ ctx, sameOriginOnly, sessionCookie, deviceCookie, challengeCookie, linkOrigin, createRoute }) => {
  const route = createRoute({ tag: 'Passkeys', access: 'session' });
  const findParty = () => toRelyingParty(linkOrigin());

  route('POST', '/api/session/passkey/options', {
    operationId: 'startPasskeySignIn',
    summary: 'Get the options for signing in with a passkey',
    description:
      'The options are the same for everyone. Sets a cookie to which the challenge is bound. The response is 409 if passkeys do not ' +
      'work at the address of this service.',
    access: 'public',
    afterAuthentication: [sameOriginOnly],
    response: { 200: PasskeyRequestOptions },
    errors: [403, 409],
    handler: async (req, reply) => {
      const party = findParty();
      // The cookie stays the same, so that the challenges of several tabs remain valid.
      const cookie = challengeCookie.read(req) ?? newToken();
      challengeCookie.set(reply, cookie);
      return startPasskeySignIn(ctx, { cookie, party });
    },
  });

  route('POST', '/api/session/sign-in/passkey', {
    operationId: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description: 'A passkey replaces the password and the code.',
    access: 'public',
    afterAuthentication: [sameOriginOnly],
    body: PasskeyAssertion,
    response: { 200: User },
    errors: [401, 403, 409, 429],
    handler: async (req, reply) => {
      const device = deviceCookie.read(req);
      const { token, account } = await signInWithPasskey(ctx, {
        passkey: req.body,
        cookie: challengeCookie.read(req),
        party: findParty(),
        client: clientOf(req),
        device,
        replacedToken: sessionCookie.read(req),
      });
      const { id: userId, email, name } = account;
      sessionCookie.replace(reply, token);
      deviceCookie.set(reply, await rememberDevice(ctx, { accountId: userId, token: device }));
      return { userId, email, name };
    },
  });

  route('POST', '/api/session/confirm', {
    operationId: 'confirmSession',
    summary: 'Confirm your identity in this session',
    description:
      'Send the password, with a code if the account has a second factor, or a passkey of the account. For the next 10 minutes, this ' +
      'session can add and remove passkeys, and make other changes that require the password, without sending the password again. A ' +
      'sign-in counts as a confirmation.',
    body: SessionConfirmation,
    response: noContent,
    errors: [401, 409],
    handler: (req) => {
      const { passkey, ...password } = req.body;
      const client = clientOf(req);
      if (!passkey) return confirmSession(ctx, sessionActorOf(req), { ...password, client });
      const cookie = challengeCookie.read(req);
      return confirmSession(ctx, sessionActorOf(req), { passkey, cookie, party: findParty(), client });
    },
  });

  route('GET', '/api/account/passkeys', {
    operationId: 'listPasskeys',
    summary: 'List the passkeys',
    response: { 200: PasskeyList },
    handler: async (req) => ({ data: await listPasskeys(ctx, actorOf(req)) }),
  });

  route('POST', '/api/account/passkeys/options', {
    operationId: 'startPasskey',
    summary: 'Get the options for creating a passkey',
    description: 'Requires a sign-in or a confirmation in this session within the last 10 minutes.',
    response: { 200: PasskeyCreationOptions },
    errors: [409],
    handler: (req) => startPasskey(ctx, sessionActorOf(req), findParty()),
  });

  route('POST', '/api/account/passkeys', {
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Requires a sign-in or a confirmation in this session within the last 10 minutes. Afterwards, the password ' +
      'alone is no longer enough to sign in: a code is also required. If the account had no second factor before, the response contains recovery ' +
      'codes, and all other sessions end.',
    body: NewPasskey,
    response: { 201: AddedPasskey },
    errors: [401, 409],
    handler: (req) => addPasskey(ctx, sessionActorOf(req), { ...req.body, client: clientOf(req), party: findParty() }),
  });

  route('PATCH', '/api/account/passkeys/:id', {
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    body: PasskeyChange,
    response: { 200: Passkey },
    errors: [404],
    handler: (req) => renamePasskey(ctx, actorOf(req), { id: req.params.id, name: req.body.name }),
  });

  route('DELETE', '/api/account/passkeys/:id', {
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    description:
      'Requires a sign-in or a confirmation in this session within the last 10 minutes. All other sessions end. If no second ' +
      'factor remains, the recovery codes are deleted too. An account keeps at least one way to sign in.',
    response: noContent,
    errors: [404, 409],
    handler: (req) => removePasskey(ctx, sessionActorOf(req), { id: req.params.id, client: clientOf(req) }),
  });
};
