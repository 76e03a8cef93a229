import { Type } from 'typebox';
import { bodyOf } from './shapes.ts';

const examplePasswordResetRequest = { email: 'ada@example.com' };
export const PasswordResetRequest = bodyOf('PasswordResetRequest', examplePasswordResetRequest, { email: Type.String({ maxLength: 254 }) });

export const PasswordResetAccepted = Type.Object(
  { status: Type.Literal('ok') },
  {
    title: 'PasswordResetAccepted',
    description: 'Always the same, whether or not the account exists.',
    examples: [{ status: 'ok' }],
  },
);

const examplePasswordReset = { token: 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE', newPassword: 'correct horse battery staple' };
export const PasswordReset = bodyOf('PasswordReset', examplePasswordReset, {
  token: Type.String({ maxLength: 200, description: 'The token in the reset link.' }),
  newPassword: Type.String({
    description: '8 to 128 characters of any kind. 15 or more are recommended. Very common passwords are rejected.',
  }),
});
