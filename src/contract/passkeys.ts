import { type Static, Type } from 'typebox';
import { maxAccountNameLength } from './limits.ts';
import { bodyOf, objectOf, orNull } from './shapes.ts';
import { secondFactorCode } from './two-factor.ts';

const base64url = (maxLength: number, description: string) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]+$', description });
const credentialId = base64url(1400, 'The id of the credential.');
const clientData = base64url(4096, 'The client data, in base64url.');

const examplePasskey = {
  id: 'pk_mhz1k3p0_0005f0c9a7e21d4b836',
  name: 'Laptop',
  host: 'prompts.example.com',
  createdAt: '2026-11-02T09:30:00.000Z',
  lastUsedAt: null,
};
export const Passkey = objectOf('Passkey', examplePasskey, {
  id: Type.String(),
  name: Type.String(),
  host: Type.String({ description: 'The host at which the passkey works: that of `PUBLIC_URL` when it was created.' }),
  createdAt: Type.String(),
  lastUsedAt: orNull(Type.String(), 'The time of the last sign-in with the passkey. Null if there was none.'),
});
export type Passkey = Static<typeof Passkey>;

export const PasskeyList = objectOf('PasskeyList', { data: [examplePasskey] }, { data: Type.Array(Passkey) });

const passkeyName = Type.String({ maxLength: maxAccountNameLength, description: 'A name for the passkey, 1 to 100 characters.' });

/** Returns the schema of options that browsers read unchanged. The Web Authentication specification defines their shape. */
const optionsOf = (title: string, kind: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    title,
    additionalProperties: true,
    description: `The options for the browser's \`navigator.credentials\`, as \`${kind}\` of the Web Authentication specification. They are valid for 5 minutes.`,
  });

export const PasskeyCreationOptions = optionsOf('PasskeyCreationOptions', 'PublicKeyCredentialCreationOptionsJSON');
export const PasskeyRequestOptions = optionsOf('PasskeyRequestOptions', 'PublicKeyCredentialRequestOptionsJSON');

export const PasskeyAttestation = Type.Object(
  {
    id: credentialId,
    clientDataJSON: clientData,
    attestationObject: base64url(8192, 'The attestation object, in base64url.'),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
  },
  { additionalProperties: false, description: 'The new credential that the browser returned.' },
);
export type PasskeyAttestation = Static<typeof PasskeyAttestation>;

const exampleAssertion = {
  id: 'kV0l1hU8mXQ',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M',
  signature: 'MEUCIQ',
  userHandle: 'dV9taHoxazNwMA',
};
export const PasskeyAssertion = bodyOf('PasskeyAssertion', exampleAssertion, {
  id: credentialId,
  clientDataJSON: clientData,
  authenticatorData: base64url(4096, 'The authenticator data, in base64url.'),
  signature: base64url(2048, 'The signature, in base64url.'),
  userHandle: base64url(128, 'The user handle, in base64url. It identifies the account.'),
});
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

const exampleNewPasskey = {
  name: 'Laptop',
  credential: { id: 'kV0l1hU8mXQ', clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
};
export const NewPasskey = bodyOf('NewPasskey', exampleNewPasskey, { name: passkeyName, credential: PasskeyAttestation });

const exampleAddedPasskey = { passkey: examplePasskey, recoveryCodes: null };
export const AddedPasskey = objectOf('AddedPasskey', exampleAddedPasskey, {
  passkey: Passkey,
  recoveryCodes: orNull(
    Type.Array(Type.String()),
    'Ten recovery codes, returned only once. Null if the account already had a second factor. Each code works once, together with the password.',
  ),
});
export type AddedPasskey = Static<typeof AddedPasskey>;

export const PasskeyChange = bodyOf('PasskeyChange', { name: 'Laptop' }, { name: passkeyName });

const exampleConfirmation = { password: 'correct horse battery staple' };
export const SessionConfirmation = bodyOf('SessionConfirmation', exampleConfirmation, {
  password: Type.Optional(Type.String({ description: "The account's password." })),
  code: Type.Optional(secondFactorCode),
  passkey: Type.Optional(PasskeyAssertion),
});
