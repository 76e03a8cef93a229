import { type Static, Type } from 'typebox';
import { maxAccountNameLength } from './limits.ts';
import { secondFactorCode } from './two-factor.ts';

export const exampleUser = { userId: 'u_mhz1k3p0_0005f0c9a7e21d4b836', email: 'ada@example.com', name: 'Ada' };

export const User = Type.Object(
  { userId: Type.String(), email: Type.String(), name: Type.String() },
  { title: 'User', examples: [exampleUser] },
);
export type User = Static<typeof User>;

export const Registration = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'Case-insensitive.' }),
    password: Type.String({ description: '8 to 128 characters of any kind, 15 or more recommended. Very common passwords are rejected.' }),
    name: Type.Optional(Type.String({ maxLength: maxAccountNameLength, description: 'Default: the part of `email` before the @.' })),
    invitation: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The token of an invitation to `email`, which may register with it even if registration is closed. This does not accept the ' +
          'invitation: sign in and accept it afterwards.',
      }),
    ),
  },
  {
    title: 'Registration',
    additionalProperties: false,
    examples: [{ email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' }],
  },
);
export type Registration = Static<typeof Registration>;

export const Account = Type.Object(
  {
    userId: Type.String({ description: 'Starts with `u_`.' }),
    email: Type.String(),
    name: Type.String(),
    createdAt: Type.String({ description: 'When the account was created.' }),
    keyCreatedAt: Type.String({ description: 'When the current key was created.' }),
    twoFactor: Type.Boolean({ description: 'Whether signing in requires a code.' }),
    emailVerified: Type.Boolean({
      description: 'Whether the email address is verified. Notifications are sent only to verified addresses.',
    }),
    acceptedInvitation: Type.Boolean({
      description: 'Whether the account was registered with an invitation, or has accepted one since its password was last reset.',
    }),
  },
  {
    title: 'Account',
    examples: [
      {
        ...exampleUser,
        createdAt: '2026-11-02T09:30:00.000Z',
        keyCreatedAt: '2026-11-14T16:05:12.120Z',
        twoFactor: true,
        emailVerified: true,
        acceptedInvitation: false,
      },
    ],
  },
);
export type Account = Static<typeof Account>;

export const AccountChange = Type.Object(
  { name: Type.String({ maxLength: maxAccountNameLength, description: 'The display name, 1 to 100 characters.' }) },
  { title: 'AccountChange', additionalProperties: false, examples: [{ name: 'Ada Lovelace' }] },
);

export const AccountDeletion = Type.Object(
  {
    password: Type.String({ description: "The account's password." }),
    code: Type.Optional(secondFactorCode),
  },
  { title: 'AccountDeletion', additionalProperties: false, examples: [{ password: 'correct horse battery staple' }] },
);
