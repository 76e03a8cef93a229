import { Type } from 'typebox';

export const User = Type.Object(
  { userId: Type.String(), email: Type.String(), name: Type.String() },
  { title: 'User', examples: [{ userId: 'u_mhz1k3p0_5f0c9a7e21d4b836', email: 'ada@example.com', name: 'Ada' }] },
);

export const Session = Type.Object(
  {
    id: Type.String(),
    createdAt: Type.String({ description: 'When it was signed in.' }),
    lastUsedAt: Type.String({ description: 'To the hour.' }),
    address: Type.Union([Type.String(), Type.Null()]),
    userAgent: Type.Union([Type.String(), Type.Null()]),
    current: Type.Boolean({ description: 'Whether it is the session that asks.' }),
  },
  { title: 'Session' },
);

export const SessionList = Type.Object({ data: Type.Array(Session) }, { title: 'SessionList' });

export const SessionReference = Type.Object({ id: Type.String() }, { title: 'SessionReference' });

export const PasswordChange = Type.Object(
  { currentPassword: Type.String(), newPassword: Type.String() },
  { title: 'PasswordChange', additionalProperties: false },
);

export const PasswordResetRequest = Type.Object(
  { email: Type.String({ maxLength: 254 }) },
  { title: 'PasswordResetRequest', additionalProperties: false, examples: [{ email: 'ada@example.com' }] },
);

export const PasswordResetAccepted = Type.Object(
  { status: Type.Literal('ok') },
  {
    title: 'PasswordResetAccepted',
    description: 'The same whether or not there is such an account.',
    examples: [{ status: 'ok' }],
  },
);

export const PasswordReset = Type.Object(
  {
    token: Type.String({ maxLength: 200, description: 'From the link that was sent.' }),
    newPassword: Type.String({ description: '8 to 128 characters, any of them; 15 or more are recommended. The commonest are refused.' }),
  },
  {
    title: 'PasswordReset',
    additionalProperties: false,
    examples: [{ token: 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE', newPassword: 'correct horse battery staple' }],
  },
);
