import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiResponse, call } from './client.ts';
import { findFastFolder } from './fast-folder.ts';
import type { IdentityProvider, Person } from './identity-provider.ts';

interface Target {
  url: string;
}

/** Returns the environment of a service that uses these providers. */
export async function providerEnv(...providers: object[]): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(findFastFolder(), 'promptharbor-oidc-'));
  const file = join(folder, 'providers.json');
  await writeFile(file, JSON.stringify({ providers }));
  return { OIDC_FILE: file, OUTBOUND_ALLOW: '127.0.0.1' };
}

/** Creates a browser that keeps cookies and can do what a sign-in needs. */
export function createBrowser(service: Target) {
  const cookies = new Map<string, string>();

  function keep(response: ApiResponse): ApiResponse {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (attributes.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  return {
    cookies,
    get cookie(): string {
      return header();
    },
    open: async (path: string) => keep(await call(service, 'GET', path, { cookie: header() })),
    post: async (path: string, body?: object) =>
      keep(await call(service, 'POST', path, { cookie: header(), headers: { origin: service.url }, ...(body && { body }) })),

    /** Opens the address to which the provider sends the browser. */
    async comeBack(url: URL): Promise<ApiResponse> {
      return keep(await call(service, 'GET', url.pathname + url.search, { cookie: header() }));
    },

    /** Starts a sign-in and returns the address at the provider. */
    async start(query = '', provider = 'sso'): Promise<string> {
      const response = keep(await call(service, 'GET', `/api/session/oidc/${provider}/start${query}`, { cookie: header() }));
      assert.equal(response.status, 303, response.text);
      return response.headers.get('location') ?? '';
    },

    /** Signs in at a provider, and returns the last response. */
    async signIn(provider: IdentityProvider, person: Person, { query = '', id = 'sso' } = {}): Promise<ApiResponse> {
      return this.comeBack(provider.authorize(await this.start(query, id), person));
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;

export function assertOpens(response: ApiResponse, page: string): void {
  assert.equal(response.status, 303, response.text);
  assert.equal(response.headers.get('location'), page);
}

/** Asserts that a sign-in failed with a code, and that the response does not sign the browser in. */
export function assertProblem(response: ApiResponse, problem: string, page = '/login'): void {
  assert.equal(response.status, 303, response.text);
  const location = new URL(response.headers.get('location') ?? '', 'http://x');
  assert.deepEqual([location.pathname, location.searchParams.get('problem')], [page, problem]);
  const isSignedIn = response.headers.getSetCookie().some((line) => /promptharbor\.session=[^;]/.test(line));
  assert.equal(isSignedIn, false, 'the response must not contain a session');
}

let people = 0;

/** Returns a person whom no service knows yet. */
export function newPerson(more: Partial<Person> = {}): Person & { email: string } {
  people += 1;
  return {
    sub: `person ${people}`,
    email: `person${people}@corp.example`,
    email_verified: true,
    name: `Person ${people}`,
    ...more,
  } as Person & {
    email: string;
  };
}
