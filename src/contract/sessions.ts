import { type Static, Type } from 'typebox';
import { orNull } from './shapes.ts';

export const Session = Type.Object(
  {
    id: Type.String(),
    createdAt: Type.String({ description: 'When the user signed in.' }),
    lastUsedAt: Type.String({ description: 'Accurate to the hour.' }),
    address: orNull(Type.String()),
    userAgent: orNull(Type.String()),
    current: Type.Boolean({ description: 'Whether this request was made with this session.' }),
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

export const SessionList = Type.Object({ data: Type.Array(Session) }, { title: 'SessionList' });
export type SessionList = Static<typeof SessionList>;

export const PasswordChange = Type.Object(
  {
    currentPassword: Type.Optional(
      Type.String({
        description:
          'Required if the account has a password. Without one, this session needs a sign-in or a confirmation within the last 10 minutes.',
      }),
    ),
    newPassword: Type.String(),
  },
  { title: 'PasswordChange', additionalProperties: false },
);
