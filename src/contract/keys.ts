import { type Static, Type } from 'typebox';
import { exampleUser } from './accounts.ts';
import { secondFactorCode } from './two-factor.ts';

const exampleToken = `ph_${'5f0c9a7e21d4b836'.repeat(4)}`;

export const token = Type.String({
  pattern: '^ph_[0-9a-f]{64}$',
  description: "The account's API key: `ph_` followed by 64 hexadecimal characters.",
});

export const TokenInfo = Type.Object(
  {
    token,
    userId: Type.String({ description: 'Starts with `u_`.' }),
    email: Type.String(),
    name: Type.String(),
  },
  { title: 'TokenInfo', examples: [{ token: exampleToken, ...exampleUser }] },
);
export type TokenInfo = Static<typeof TokenInfo>;

export const NewToken = Type.Object({ token }, { title: 'NewToken', examples: [{ token: exampleToken }] });
export type NewToken = Static<typeof NewToken>;

export const Login = Type.Object(
  {
    email: Type.String(),
    password: Type.String(),
    code: Type.Optional(secondFactorCode),
  },
  { title: 'Login', additionalProperties: false, examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }] },
);
