import { type Static, Type } from 'typebox';

const exampleCodes = ['k3v9p-2m8xq-7hd4r-wz6tn', 'b5c2y-uf8ea-3gjm9-xk4sq'];

export const secondFactorCode = Type.String({
  maxLength: 64,
  description: 'The 6 digits that the authenticator app shows, or one of the recovery codes. Each is accepted once.',
});

export const TwoFactorStart = Type.Object(
  { password: Type.String({ description: "The account's password." }) },
  { title: 'TwoFactorStart', additionalProperties: false, examples: [{ password: 'correct horse battery staple' }] },
);

export const TwoFactorSecret = Type.Object(
  {
    secret: Type.String({ description: 'For typing into an authenticator app, in base32.' }),
    uri: Type.String({ description: 'The same as an `otpauth:` address, to be shown as a QR code.' }),
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

export const TwoFactorConfirmation = Type.Object(
  { code: Type.String({ maxLength: 64, description: 'The 6 digits that the authenticator app shows now.' }) },
  { title: 'TwoFactorConfirmation', additionalProperties: false, examples: [{ code: '492039' }] },
);

export const TwoFactorProof = Type.Object(
  { password: Type.String({ description: "The account's password." }), code: secondFactorCode },
  { title: 'TwoFactorProof', additionalProperties: false, examples: [{ password: 'correct horse battery staple', code: '492039' }] },
);

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Ten codes, shown this once. Each signs in once in place of the authenticator.',
    }),
  },
  { title: 'RecoveryCodes', examples: [{ recoveryCodes: exampleCodes }] },
);
export type RecoveryCodes = Static<typeof RecoveryCodes>;
