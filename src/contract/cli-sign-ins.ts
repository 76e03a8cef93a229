import { type Static, Type } from 'typebox';
import { bodyOf, objectOf, orNull } from './shapes.ts';

const secret = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description });

const exampleNew = { challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', computer: 'ada-laptop', port: 52133 };
export const NewCliSignIn = bodyOf('NewCliSignIn', exampleNew, {
  challenge: secret('The SHA-256 digest of a random verifier, in base64url.'),
  computer: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The name of the computer, which the person who approves the sign-in sees.',
  }),
  port: Type.Optional(
    Type.Integer({
      minimum: 1024,
      maximum: 65_535,
      description:
        'The port on 127.0.0.1 to which the browser returns with a code. Without a port, the person types the user code in the dashboard, ' +
        'and the command polls until the sign-in is approved.',
    }),
  ),
});
export type NewCliSignIn = Static<typeof NewCliSignIn>;

const exampleStarted = {
  userCode: 'BCDF-GHJK',
  url: 'https://prompts.example.com/cli?code=BCDF-GHJK',
  expiresAt: '2026-11-02T09:40:00.000Z',
  intervalSeconds: 3,
};
export const StartedCliSignIn = objectOf('StartedCliSignIn', exampleStarted, {
  userCode: Type.String({
    description: 'The code that the command shows. In the dashboard, the person compares it or, without a port, types it.',
  }),
  url: Type.String({
    description:
      'The page to open, or its path if the service does not know its public URL. It contains the user code only if the sign-in has a port.',
  }),
  expiresAt: Type.String(),
  intervalSeconds: Type.Integer({ description: 'The time to wait between two requests for the key.' }),
});
export type StartedCliSignIn = Static<typeof StartedCliSignIn>;

const exampleClaim = { verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' };
export const CliSignInClaim = bodyOf('CliSignInClaim', exampleClaim, {
  verifier: secret('The random verifier. The challenge is its digest.'),
  code: Type.Optional(secret('The code with which the browser returned to the port. Required if the sign-in has a port.')),
});

const exampleCliSignIn = {
  userCode: 'BCDF-GHJK',
  computer: 'ada-laptop',
  address: '203.0.113.7',
  sameNetwork: true,
  returnsToBrowser: true,
  createdAt: '2026-11-02T09:30:00.000Z',
  expiresAt: '2026-11-02T09:40:00.000Z',
};
export const CliSignIn = objectOf('CliSignIn', exampleCliSignIn, {
  userCode: Type.String(),
  computer: Type.String({ description: 'The name that the command sent. Nobody has verified it.' }),
  address: Type.String({ description: 'The IP address from which the command started the sign-in.' }),
  sameNetwork: Type.Boolean({ description: 'Whether this request comes from the same address or network as the command.' }),
  returnsToBrowser: Type.Boolean({ description: 'Whether only a command on this browser’s computer can receive the key.' }),
  createdAt: Type.String(),
  expiresAt: Type.String(),
});
export type CliSignIn = Static<typeof CliSignIn>;

export const AnsweredCliSignIn = objectOf(
  'AnsweredCliSignIn',
  { redirect: 'http://127.0.0.1:52133/?code=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
  { redirect: orNull(Type.String(), 'The URL with which the browser returns to the command. Null if the command polls for the key.') },
);
