import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sessionCookieName } from '../../../src/http/middleware/cookies.ts';
import { root } from '../../../src/root.ts';
import { call, register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;

const pages = [
  '/dashboard',
  '/dashboard/',
  '/dashboard/prompts/support%2Ftriage',
  '/dashboard/settings',
  '/login',
  '/signup',
  '/reset',
  '/invitations/abc',
];

describe('The dashboard', () => {
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  describe('GET /', () => {
    it('302: redirects to the dashboard', async () => {
      const { status, headers } = await call(service, 'GET', '/');
      assert.equal(status, 302);
      assert.equal(headers.get('location'), '/dashboard');
    });
  });

  describe('GET /dashboard, /login, /signup, /reset, /invitations', () => {
    it('200: one page for every path, not to be cached', async () => {
      for (const path of pages) {
        const { status, headers, text } = await call(service, 'GET', path);
        assert.equal(status, 200, path);
        assert.match(headers.get('content-type') ?? '', /^text\/html/, path);
        assert.equal(headers.get('cache-control'), 'no-cache', path);
        assert.match(text, /<div id="root">/, path);
      }
    });

    it('200: ASVS 3.4.x: a policy without inline scripts or styles, with a fresh nonce each time', async () => {
      const [first, second] = [await call(service, 'GET', '/dashboard'), await call(service, 'GET', '/dashboard')];
      const policy = first.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'; script-src 'self';/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.ok(!policy.includes('unsafe'), policy);
      const nonceOf = (text: string) => /nonce="([^"]{20,})"/.exec(text)?.[1];
      assert.ok(nonceOf(first.text));
      assert.notEqual(nonceOf(first.text), nonceOf(second.text));
      assert.ok(policy.includes(`'nonce-${nonceOf(first.text)}'`));
      assert.ok(!/<script(?![^>]*\bsrc=)/.test(first.text), 'an inline script');
    });

    it('200: says when there is no account to sign in to yet', async () => {
      const sessionOf = async ({ url }: Pick<Service, 'url'>, headers = {}) =>
        /name="session" content="([^"]*)"/.exec(await (await fetch(`${url}/dashboard`, { headers })).text())?.[1];
      for (const engine of engines) {
        const empty = await startService({ engine });
        assert.equal(await sessionOf(empty), 'no-accounts');
        // The browser may still have a cookie from an earlier installation at the same address.
        assert.equal(await sessionOf(empty, { cookie: `${sessionCookieName}=x` }), 'no-accounts');
        await register(empty);
        assert.equal(await sessionOf(empty), 'none');
        assert.equal(await sessionOf(empty, { cookie: `${sessionCookieName}=x` }), 'possible');
        await empty.close();
      }
      const closed = await startService({ env: { REGISTRATION: 'closed' } });
      assert.equal(await sessionOf(closed), 'none');
      await closed.close();
    });

    it('405: any method but GET and HEAD', async () => {
      const { status, headers } = await call(service, 'POST', '/dashboard', { body: {} });
      assert.equal(status, 405);
      assert.match(headers.get('allow') ?? '', /GET/);
    });
  });

  describe('GET /dashboard/assets/*', () => {
    it('200: cached for a year, compressed at build time', async () => {
      const asset = (await firstLoad())[0] ?? '';
      const plain = await fetch(service.url + asset, { headers: { 'accept-encoding': 'identity' } });
      assert.equal(plain.status, 200);
      assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.match(plain.headers.get('content-type') ?? '', /javascript/);
      const small = await fetch(service.url + asset, { headers: { 'accept-encoding': 'br' } });
      assert.equal(small.headers.get('content-encoding'), 'br');
      assert.equal(await small.text(), await plain.text());
    });

    it('404: an unknown asset, and never the page instead', async () => {
      for (const name of ['nope.js', '..%2Findex.html', '%2e%2e%2findex.html', 'index.html', '']) {
        const { status, text } = await call(service, 'GET', `/dashboard/assets/${name}`);
        assert.equal(status, 404, name);
        assert.ok(!text.includes('<html'), name);
      }
    });

    it('200: no page loads more than 155 kB of compressed scripts and styles to start, and none the editor', async () => {
      for (const [page, modules] of Object.entries(startingModules)) {
        // The pages on which people start stay below the limit without Brotli too.
        const encodings = firstPages.has(page) ? (['br', 'gzip'] as const) : (['br'] as const);
        for (const encoding of encodings) {
          let bytes = 0;
          for (const file of filesOf(['index.html', ...modules])) {
            const { body, headers } = await readCompressed(`/dashboard/${file}`, encoding);
            assert.equal(headers['content-encoding'], encoding, file);
            bytes += body.length;
            const text = encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
            assert.ok(!text.includes('cm-content'), `${page}: ${file} holds the editor`);
          }
          assert.ok(bytes > 50_000 && bytes < 155_000, `${page}: ${bytes} bytes (${encoding}). Load what it does not need to start later.`);
        }
      }
    });
  });
});

const shell = 'src/shell/Shell.tsx';
/** The modules that the router loads for a page. Modules that load later, such as the editor and dialogs, do not count. */
const startingModules = {
  'sign in': ['src/auth/LoginPage.tsx'],
  'sign up': ['src/auth/SignupPage.tsx'],
  statistics: [shell, 'src/stats/StatsPage.tsx'],
  'list of prompts': [shell, 'src/prompts/PromptsPage.tsx'],
  prompt: [shell, 'src/editor/PromptPage.tsx'],
  'new prompt': [shell, 'src/prompts/NewPromptPage.tsx'],
  settings: [shell, 'src/settings/SettingsLayout.tsx', 'src/settings/pages.ts'],
  security: [shell, 'src/settings/SettingsLayout.tsx', 'src/settings/SecurityPage.tsx'],
  members: [shell, 'src/settings/SettingsLayout.tsx', 'src/members/MembersPage.tsx'],
  webhooks: [shell, 'src/settings/SettingsLayout.tsx', 'src/webhooks/pages.ts'],
  models: [shell, 'src/settings/SettingsLayout.tsx', 'src/models/ModelsPage.tsx'],
  connect: [shell, 'src/settings/SettingsLayout.tsx', 'src/connect/ConnectPage.tsx'],
};

const firstPages = new Set(['sign in', 'sign up', 'statistics', 'list of prompts']);

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>;

/** Returns the scripts and styles of the modules and of all their static imports. */
function filesOf(modules: string[]): Set<string> {
  const manifest: Manifest = JSON.parse(readFileSync(new URL('dist/dashboard/.vite/manifest.json', root), 'utf8'));
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name] ?? assert.fail(`The build has no ${name}`);
    if (files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    chunk.imports?.forEach(visit);
  };
  modules.forEach(visit);
  return files;
}

/** Returns the scripts that the page itself references. */
async function firstLoad(): Promise<string[]> {
  const { text } = await call(service, 'GET', '/dashboard');
  return [...text.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = '']) => path);
}

/** Reads the body as it is sent, because `fetch` would decompress it. */
async function readCompressed(path: string, encoding: 'br' | 'gzip'): Promise<{ body: Buffer; headers: IncomingHttpHeaders }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(service.url + path, { headers: { 'accept-encoding': encoding } }, resolve).on('error', reject);
  const res = await promise;
  return { body: Buffer.concat(await res.toArray()), headers: res.headers };
}
