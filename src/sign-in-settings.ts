import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parse } from 'yaml';
import { memberRoles } from './contract/roles.ts';
import { tryTo } from './platform/try-to.ts';

/** The settings of an OpenID Connect provider. */
export type ProviderSettings = ReturnType<typeof completeProvider>;

/** The people who may sign in with a password: everyone, or only the owners of these email addresses. */
export type PasswordSignIn = 'on' | readonly string[];

const text = Type.String({ minLength: 1, maxLength: 2000 });
const WorkspaceRole = Type.Object(
  { workspace: Type.String({ pattern: '^[wu]_[a-z0-9_]+$' }), role: Type.Enum([...memberRoles]) },
  { additionalProperties: false },
);
const GroupRole = Type.Object({ group: text, ...WorkspaceRole.properties }, { additionalProperties: false });

const Provider = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    icon: Type.Optional(Type.String({ pattern: '^data:image/(svg\\+xml|png|webp);base64,[A-Za-z0-9+/=]+$', maxLength: 16_384 })),
    issuer: text,
    clientId: text,
    clientSecret: Type.Optional(text),
    clientSecretVariable: Type.Optional(text),
    scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }), { maxItems: 50 })),
    subjectClaim: Type.Optional(text),
    domains: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' }), { maxItems: 1000 })),
    registration: Type.Optional(Type.Enum(['open', 'closed'])),
    signOut: Type.Optional(Type.Enum(['provider', 'local'])),
    groups: Type.Optional(
      Type.Object(
        {
          claim: text,
          roles: Type.Array(GroupRole, { maxItems: 1000 }),
          withoutGroup: Type.Optional(Type.Union([Type.Literal('refuse'), Type.Literal('allow'), Type.Array(WorkspaceRole)])),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
type Provider = Static<typeof Provider>;

const ProviderFile = Type.Object({ providers: Type.Array(Provider, { minItems: 1, maxItems: 20 }) }, { additionalProperties: false });

type Environment = Record<string, string | undefined>;

/** Reads the providers from the environment and from the file that it names. Adds a sentence to `problems` for each invalid setting. */
export function loadProviders(env: Environment, registration: 'open' | 'closed', problems: string[]): ProviderSettings[] {
  const given = [...readVariables(env, problems), ...readFile(env, problems)];
  const providers = given.map((provider) => completeProvider(provider, { env, registration, problems }));
  for (const field of ['id', 'issuer'] as const) {
    const values = providers.map((provider) => provider[field]);
    const repeated = values.find((value, index) => values.indexOf(value) !== index);
    if (repeated !== undefined) problems.push(`OIDC_FILE: two providers have the ${field} ${repeated}`);
  }
  return providers;
}

export function parsePasswordSignIn(value: string): PasswordSignIn | undefined {
  if (value === 'on') return 'on';
  if (value === 'off') return [];
  const emails = value.split(',').map((part) => part.trim().toLowerCase());
  return emails.every((email) => /^[^\s@]+@[^\s@]+$/.test(email)) ? emails : undefined;
}

/** Returns whether a host is this machine, so that requests to it cannot be intercepted. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Returns whether tokens may be sent to a URL. */
export function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

function readVariables(env: Environment, problems: string[]): Provider[] {
  const read = (name: string) => env[name]?.trim() || undefined;
  const [issuer, clientId, clientSecret, name] = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'].map(read);
  if (issuer === undefined && clientId === undefined && clientSecret === undefined && name === undefined) return [];
  if (issuer === undefined) problems.push('OIDC_ISSUER: required with the other OIDC settings');
  if (clientId === undefined) problems.push('OIDC_CLIENT_ID: required with OIDC_ISSUER');
  if (issuer === undefined || clientId === undefined) return [];
  return [{ id: 'sso', issuer, clientId, ...(clientSecret && { clientSecret }), ...(name && { name }) }];
}

function readFile(env: Environment, problems: string[]): Provider[] {
  const path = env.OIDC_FILE?.trim();
  if (!path) return [];
  const content = tryTo(() => readFileSync(path, 'utf8'));
  if (content === undefined) {
    problems.push(`OIDC_FILE: cannot read ${path}`);
    return [];
  }
  // A YAML parser can also read JSON.
  const value: unknown = tryTo(() => parse(content, { maxAliasCount: 0 }));
  const validator = Compile(ProviderFile);
  if (validator.Check(value)) return value.providers;
  const found = value === undefined ? ['expected JSON or YAML with a list "providers"'] : validator.Errors(value).flatMap(describeError);
  problems.push(...new Set(found.map((problem) => `OIDC_FILE: ${problem}`)));
  return [];
}

/** The valid values of each field in the file. All other fields expect text. */
const expectedValues: Record<string, string> = {
  providers: 'a list of 1 to 20 providers',
  id: '1 to 32 lower-case letters, digits and "-"',
  name: '1 to 60 characters',
  icon: 'a data: URL of an SVG, PNG or WebP image in base64, at most 16384 characters',
  scopes: 'a list of scopes without spaces',
  domains: 'a list of domains in lower-case letters, such as example.com',
  registration: 'open or closed',
  signOut: 'provider or local',
  groups: 'an object with claim and roles',
  roles: 'a list of { group, workspace, role }',
  workspace: 'the id of a workspace, such as w_mi4w7x2c_000a1d4b8365f0c9a7e',
  role: memberRoles.join(', '),
  withoutGroup: 'refuse, allow, or a list of { workspace, role }',
};

type SchemaError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

/** Describes an error in the file with the path of the field, such as `providers[0].domains[1]`, and the expected value. */
function describeError(error: SchemaError): string[] {
  const names = error.instancePath.split('/').slice(1);
  const path = names.map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : `${index > 0 ? '.' : ''}${name}`)).join('');
  const prefix = path === '' ? '' : `${path}.`;
  if (error.keyword === 'required') return error.params.requiredProperties.map((name) => `${prefix}${name} is required`);
  if (error.keyword === 'boolean') return [`${path} is not a known field`];
  if (error.keyword === 'additionalProperties') return [];
  const field = names.findLast((name) => !/^\d+$/.test(name));
  if (field === undefined) return ['expected JSON or YAML with a list "providers"'];
  return [`${path}: expected ${expectedValues[field] ?? 'a string'}`];
}

function completeProvider(
  { id, clientSecretVariable, groups, ...provider }: Provider,
  { env, registration, problems }: { env: Environment; registration: 'open' | 'closed'; problems: string[] },
) {
  const where = id === 'sso' ? 'OIDC_ISSUER' : `OIDC_FILE: the issuer of ${id}`;
  const issuer = URL.parse(provider.issuer);
  if (!issuer || !isSecure(issuer) || issuer.search || issuer.hash || issuer.username) {
    problems.push(`${where}: expected a URL that starts with https:// (or http:// on this machine), such as https://id.example.com`);
  }
  const named = clientSecretVariable === undefined ? undefined : env[clientSecretVariable]?.trim();
  if (clientSecretVariable !== undefined && !named) problems.push(`OIDC_FILE: the variable ${clientSecretVariable} of ${id} is not set`);
  return {
    id,
    name: provider.name ?? issuer?.hostname ?? id,
    icon: provider.icon,
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: named ?? provider.clientSecret,
    scopes: [...new Set(['openid', ...(provider.scopes ?? ['email', 'profile'])])],
    /** The claim that identifies a person at the provider, and never changes. */
    subjectClaim: provider.subjectClaim ?? 'sub',
    /** The domains whose addresses the provider may vouch for. If there are any, people with other addresses cannot sign in. */
    domains: provider.domains ?? [],
    registration: provider.registration ?? registration,
    /** Whether signing out also ends the session at the provider. */
    signOut: provider.signOut ?? 'provider',
    groups: groups && { ...groups, withoutGroup: groups.withoutGroup ?? 'refuse' },
  };
}
