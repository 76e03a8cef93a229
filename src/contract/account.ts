import { Type } from 'typebox';

const exampleToken = `ph_${'5f0c9a7e21d4b836'.repeat(4)}`;
const exampleUser = { userId: 'u_mhz1k3p0_5f0c9a7e21d4b836', email: 'ada@example.com', name: 'Ada' };

const token = Type.String({ pattern: '^ph_[0-9a-f]{64}$', description: "The account's API key: `ph_` and 64 hexadecimal characters." });

export const TokenInfo = Type.Object(
  {
    token,
    userId: Type.String({ description: 'Begins with `u_`.' }),
    email: Type.String(),
    name: Type.String(),
  },
  { title: 'TokenInfo', examples: [{ token: exampleToken, ...exampleUser }] },
);

export const NewToken = Type.Object({ token }, { title: 'NewToken', examples: [{ token: exampleToken }] });

export const Login = Type.Object(
  {
    email: Type.String(),
    password: Type.String(),
  },
  { title: 'Login', additionalProperties: false, examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }] },
);

export const Registration = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'Compared without regard to case.' }),
    password: Type.String({ description: '8 to 128 characters, any of them; 15 or more are recommended. The commonest are refused.' }),
    name: Type.Optional(Type.String({ maxLength: 100, description: 'The part of the e-mail before the @ if left out.' })),
  },
  {
    title: 'Registration',
    additionalProperties: false,
    examples: [{ email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' }],
  },
);
