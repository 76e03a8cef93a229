import { Type } from 'typebox';
import { confirmation } from './accounts.ts';
import { bodyOf } from './shapes.ts';

const exampleEmailChange = { email: 'ada@example.org', password: 'correct horse battery staple' };
export const EmailChange = bodyOf('EmailChange', exampleEmailChange, {
  email: Type.String({ maxLength: 254, description: 'The new email address.' }),
  ...confirmation,
});

const exampleEmailChangeConfirmation = { token: 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE' };
export const EmailChangeConfirmation = bodyOf('EmailChangeConfirmation', exampleEmailChangeConfirmation, {
  token: Type.String({ maxLength: 200, description: 'The token in the link.' }),
});
