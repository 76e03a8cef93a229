import { Type } from 'typebox';

export const PasswordResetRequest = Type.Object(
  { email: Type.String({ maxLength: 254 }) },
  { title: 'PasswordResetRequest', additionalProperties: false, examples: [{ email: 'ada@example.com' }] },
);

export const PasswordResetAccepted = Type.Object(
  { status: Type.Literal('ok') },
  {
    title: 'PasswordResetAccepted',
    description: 'The same whether or not the account exists.',
    examples: [{ status: 'ok' }],
  },
);

export const PasswordReset = Type.Object(
  {
    token: Type.String({ maxLength: 200, description: 'The token in the reset link.' }),
    newPassword: Type.String({
      description: '8 to 128 characters of any kind, 15 or more recommended. Very common passwords are rejected.',
    }),
  },
  {
    title: 'PasswordReset',
    additionalProperties: false,
    examples: [{ token: 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE', newPassword: 'correct horse battery staple' }],
  },
);
