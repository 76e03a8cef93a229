import { type Static, Type } from 'typebox';
import { bodyOf, objectOf } from './shapes.ts';

const exampleCodes = ['k3v9p-2m8xq-7hd4r-wz6tn', 'b5c2y-uf8ea-3gjm9-xk4sq'];

export const secondFactorCode = Type.String({
  maxLength: 64,
  description: 'The 6 digits from the authenticator app, or a recovery code. Each code is accepted once.',
});

const exampleTwoFactorStart = { password: 'correct horse battery staple' };
export const TwoFactorStart = bodyOf('TwoFactorStart', exampleTwoFactorStart, {
  password: Type.Optional(
    Type.String({ description: "The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session." }),
  ),
  code: Type.Optional(
    Type.String({ maxLength: 64, description: 'A recovery code, if the account has a passkey and the password is given.' }),
  ),
});

export const TwoFactorSecret = Type.Object(
  {
    secret: Type.String({ description: 'The secret in base32, for manual entry.' }),
    uri: Type.String({ description: 'The secret as an `otpauth:` URI, for a QR code.' }),
  },
  {
    title: 'TwoFactorSecret',
    description: 'A secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds).',
    examples: [
      {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/PromptHarbor:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=PromptHarbor',
      },
    ],
  },
);
export type TwoFactorSecret = Static<typeof TwoFactorSecret>;

const exampleTwoFactorConfirmation = { code: '492039' };
export const TwoFactorConfirmation = bodyOf('TwoFactorConfirmation', exampleTwoFactorConfirmation, {
  code: Type.String({ maxLength: 64, description: 'The current 6 digits from the authenticator app.' }),
});

const exampleTwoFactorProof = { password: 'correct horse battery staple', code: '492039' };
export const TwoFactorProof = bodyOf('TwoFactorProof', exampleTwoFactorProof, {
  password: Type.Optional(
    Type.String({ description: "The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session." }),
  ),
  code: Type.Optional(secondFactorCode),
});

const exampleRecoveryCodes = { recoveryCodes: exampleCodes };
export const RecoveryCodes = objectOf('RecoveryCodes', exampleRecoveryCodes, {
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Ten codes, shown only once. Each code can be used once instead of a code from the authenticator app.',
  }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;
