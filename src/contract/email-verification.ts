import { Type } from 'typebox';
import { bodyOf } from './shapes.ts';

export const VerificationAccepted = Type.Object(
  { status: Type.Literal('ok') },
  { title: 'VerificationAccepted', description: 'The link will be sent.', examples: [{ status: 'ok' }] },
);

const exampleEmailVerification = { token: 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE' };
export const EmailVerification = bodyOf('EmailVerification', exampleEmailVerification, {
  token: Type.String({ maxLength: 200, description: 'The token in the verification link.' }),
});
