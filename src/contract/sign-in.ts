import { type Static, Type } from 'typebox';
import { bodyOf, objectOf, orNull } from './shapes.ts';

const exampleProvider = { id: 'sso', name: 'Example ID', icon: null };

export const SignInOptions = objectOf(
  'SignInOptions',
  { providers: [exampleProvider], password: true },
  {
    providers: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'The name on the button.' }),
        icon: orNull(Type.String(), 'The icon on the button, as a `data:` URL.'),
      }),
      { description: 'The OpenID Connect providers. A browser signs in at `/api/session/oidc/{id}/start`.' },
    ),
    password: Type.Boolean({ description: 'Whether everyone may sign in with a password.' }),
  },
);
export type SignInOptions = Static<typeof SignInOptions>;

export const ProviderUrl = objectOf(
  'ProviderUrl',
  { url: 'https://id.example.com/authorize?client_id=promptharbor' },
  { url: Type.String({ description: 'The page of the provider to open in this browser.' }) },
);

export const SignedOut = objectOf(
  'SignedOut',
  { url: 'https://id.example.com/logout?client_id=promptharbor' },
  { url: orNull(Type.String(), 'The page that also ends the session at the provider. Null if there is none.') },
);

const exampleIdentity = {
  issuer: 'https://id.example.com',
  provider: 'sso',
  name: 'Example ID',
  email: 'ada@example.com',
  createdAt: '2026-11-02T09:30:00.000Z',
  lastUsedAt: '2026-11-14T16:05:12.120Z',
};
export const Identity = objectOf('Identity', exampleIdentity, {
  issuer: Type.String(),
  provider: orNull(Type.String(), 'The id of the provider. Null if it is no longer configured.'),
  name: Type.String({ description: 'The name of the provider, or its issuer if it is no longer configured.' }),
  email: orNull(Type.String(), 'The email address that the provider stated last. It may differ from the address of the account.'),
  createdAt: Type.String(),
  lastUsedAt: Type.String(),
});
export type Identity = Static<typeof Identity>;

export const IdentityList = objectOf('IdentityList', { data: [exampleIdentity] }, { data: Type.Array(Identity) });

export const IdentityRemoval = bodyOf(
  'IdentityRemoval',
  { issuer: 'https://id.example.com' },
  { issuer: Type.String({ maxLength: 2000 }) },
);

export const LogoutToken = Type.Object(
  { logout_token: Type.String({ maxLength: 8192 }) },
  { title: 'LogoutToken', description: 'A logout token of OpenID Connect Back-Channel Logout 1.0.', examples: [{ logout_token: 'eyJ…' }] },
);

export const LogoutAccepted = objectOf('LogoutAccepted', { status: 'ok' }, { status: Type.Literal('ok') });
