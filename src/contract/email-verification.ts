import { Type } from 'typebox';
import { bodyOf } from './shapes.ts';

export const VerificationAccepted = Type.Object(
  {
    status: Type.Literal('ok'),
    mailed: Type.Boolean({
      description: 'Whether the mail server accepted an email with the link. A failed email is retried for about a minute.',
    }),
  },
  { title: 'VerificationAccepted', description: 'A link was created.', examples: [{ status: 'ok', mailed: true }] },
);

const exampleEmailVerification = { token: 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE' };
export const EmailVerification = bodyOf('EmailVerification', exampleEmailVerification, {
  token: Type.String({ maxLength: 200, description: 'The token in the verification link.' }),
});
