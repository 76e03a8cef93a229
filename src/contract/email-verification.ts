import { Type } from 'typebox';
import { bodyOf } from './shapes.ts';

export const VerificationAccepted = Type.Object(
  {
    status: Type.Literal('ok'),
    mailed: Type.Boolean({
      description: 'Whether the mail server has accepted a mail with the link. A mail that failed is tried again for about a minute.',
    }),
  },
  { title: 'VerificationAccepted', description: 'There is a link.', examples: [{ status: 'ok', mailed: true }] },
);

const exampleEmailVerification = { token: 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE' };
export const EmailVerification = bodyOf('EmailVerification', exampleEmailVerification, {
  token: Type.String({ maxLength: 200, description: 'The token in the verification link.' }),
});
