import { type Static, Type } from 'typebox';
import { exampleUser } from './accounts.ts';
import { bodyOf, objectOf } from './shapes.ts';
import { secondFactorCode } from './two-factor.ts';

const exampleToken = `ph_${'5f0c9a7e21d4b836'.repeat(4)}`;

export const token = Type.String({
  pattern: '^ph_[0-9a-f]{64}$',
  description: "The account's API key: `ph_` followed by 64 hexadecimal characters.",
});

const exampleTokenInfo = { token: exampleToken, ...exampleUser };
export const TokenInfo = objectOf('TokenInfo', exampleTokenInfo, {
  token,
  userId: Type.String({ description: 'Starts with `u_`.' }),
  email: Type.String(),
  name: Type.String(),
});
export type TokenInfo = Static<typeof TokenInfo>;

export const NewToken = objectOf('NewToken', { token: exampleToken }, { token });
export type NewToken = Static<typeof NewToken>;

const exampleLogin = { email: 'ada@example.com', password: 'correct horse battery staple' };
export const Login = bodyOf('Login', exampleLogin, {
  email: Type.String(),
  password: Type.String(),
  code: Type.Optional(secondFactorCode),
});
