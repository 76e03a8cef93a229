import { type Static, Type } from 'typebox';
import { maxAccountNameLength } from './limits.ts';
import { bodyOf, objectOf, orNull } from './shapes.ts';
import { secondFactorCode } from './two-factor.ts';

export const exampleUser = { userId: 'u_mhz1k3p0_0005f0c9a7e21d4b836', email: 'ada@example.com', name: 'Ada' };

export const User = objectOf('User', exampleUser, { userId: Type.String(), email: Type.String(), name: Type.String() });
export type User = Static<typeof User>;

const exampleRegistration = { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' };
export const Registration = bodyOf('Registration', exampleRegistration, {
  email: Type.String({ maxLength: 254, description: 'Case-insensitive.' }),
  password: Type.String({
    description: '8 to 128 characters of any kind. 15 or more are recommended. Very common passwords are rejected.',
  }),
  name: Type.Optional(Type.String({ maxLength: maxAccountNameLength, description: 'Default: the part of `email` before the @.' })),
  invitation: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The token of an invitation to `email`. The token allows registration even if registration is closed. Registering does not ' +
        'accept the invitation. Sign in and accept the invitation afterwards.',
    }),
  ),
});
export type Registration = Static<typeof Registration>;

const exampleAccount = {
  ...exampleUser,
  createdAt: '2026-11-02T09:30:00.000Z',
  keyCreatedAt: '2026-11-14T16:05:12.120Z',
  hasPassword: true,
  twoFactor: true,
  hasPasskeys: false,
  emailVerified: true,
  verificationRequired: false,
  pendingEmail: null,
  acceptedInvitation: false,
  sendsEmail: true,
};
export const Account = objectOf('Account', exampleAccount, {
  userId: Type.String({ description: 'Starts with `u_`.' }),
  email: Type.String(),
  name: Type.String(),
  createdAt: Type.String({ description: 'When the account was created.' }),
  keyCreatedAt: Type.String({ description: 'When the current key was created.' }),
  hasPassword: Type.Boolean({
    description: 'Whether the account has a password. Without one, its owner signs in with a provider or a passkey.',
  }),
  twoFactor: Type.Boolean({ description: 'Whether signing in with the password requires a code from an authenticator app.' }),
  hasPasskeys: Type.Boolean({
    description: 'Whether the account has a passkey. Signing in with the password then requires a code, which may be a recovery code.',
  }),
  emailVerified: Type.Boolean({
    description: 'Whether the email address is verified. Notifications are sent only to verified addresses.',
  }),
  verificationRequired: Type.Boolean({
    description: 'Whether the account cannot use workspaces until its email address is verified. See `REQUIRE_VERIFIED_EMAIL`.',
  }),
  pendingEmail: orNull(Type.String(), 'The new email address, if a change is waiting for confirmation.'),
  acceptedInvitation: Type.Boolean({
    description: 'Whether the account was registered with an invitation, or has accepted an invitation since its password was last reset.',
  }),
  sendsEmail: Type.Boolean({ description: 'Whether this service sends email.' }),
});
export type Account = Static<typeof Account>;

const exampleAccountChange = { name: 'Ada Lovelace' };
export const AccountChange = bodyOf('AccountChange', exampleAccountChange, {
  name: Type.String({ maxLength: maxAccountNameLength, description: 'The display name, 1 to 100 characters.' }),
});

/** The fields with which the owner of the account confirms a change. */
export const confirmation = {
  password: Type.Optional(
    Type.String({ description: "The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session." }),
  ),
  code: Type.Optional(secondFactorCode),
};

const exampleAccountDeletion = { password: 'correct horse battery staple' };
export const AccountDeletion = bodyOf('AccountDeletion', exampleAccountDeletion, confirmation);
