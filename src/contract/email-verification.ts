import { Type } from 'typebox';

export const VerificationAccepted = Type.Object(
  { status: Type.Literal('ok') },
  { title: 'VerificationAccepted', description: 'The link will be sent.', examples: [{ status: 'ok' }] },
);

export const EmailVerification = Type.Object(
  { token: Type.String({ maxLength: 200, description: 'The token in the verification link.' }) },
  { title: 'EmailVerification', additionalProperties: false, examples: [{ token: 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE' }] },
);
