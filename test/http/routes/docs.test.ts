import assert from 'node:assert/strict';
import fs from 'node:fs';
import { request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, describe, it } from 'node:test';
import type { SearchEntry } from '../../../dashboard/src/docs/search-entry.ts';
import type { OpenApiDocument } from '../../../scripts/docs/document.ts';
import { renderPage } from '../../../scripts/docs/page.ts';
import { originPlaceholder } from '../../../src/http/routes/docs.ts';
import { call, register, signIn } from '../../support/client.ts';
import { type Service, startService } from '../../support/service.ts';

const description = JSON.parse(fs.readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;

describe('GET /docs', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('200: shows every operation of the description', async () => {
    const { status, headers, text } = await call(service, 'GET', '/docs');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
    assert.ok(operations.length > 10);
    for (const { operationId } of operations) {
      assert.ok(text.includes(`<article class="operation" id="${operationId}"`), `${operationId} is there`);
      assert.equal(text.split(`href="#${operationId}"`).length, 4, `${operationId}: twice in the contents, once in its heading`);
    }
  });

  it('200: has a policy without exceptions, and neither inline script nor inline style', async () => {
    const { headers, text } = await call(service, 'GET', '/docs');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/);
    assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=|javascript:/i);
    assert.deepEqual(
      text.match(/<script[^>]*>.?/gs)?.map((tag) => tag.replace(/v=[^"]+/, 'v=…')),
      ['<script src="/docs/theme.js?v=…"><', '<script type="module" src="/docs/script.js?v=…"><'],
    );
  });

  it('ASVS 14.3.2: 200: is the same for everyone, so that no cache can hold a key', async () => {
    const account = await register(service);
    const cookie = await signIn(service, account);
    const page = await call(service, 'GET', '/docs', { cookie });
    assert.ok(page.text === (await call(service, 'GET', '/docs')).text);
    assert.ok(!page.text.includes(account.token));
    assert.equal(page.headers.get('set-cookie'), null);
    const key = await call(service, 'GET', '/api/auth/token', { cookie });
    assert.equal(key.status, 200);
    assert.equal(key.headers.get('cache-control'), 'no-store');
  });

  it('200: loads nothing from another host, and everything that it loads exists', async () => {
    const { text } = await call(service, 'GET', '/docs');
    const targets = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
    assert.ok(targets.some((target) => target.startsWith('/docs/style.css?v=')));
    for (const target of new Set(targets)) {
      assert.match(target, /^(#|\/(?!\/))/);
      if (target.startsWith('/')) assert.equal((await call(service, 'GET', target)).status, 200, target);
      else assert.ok(text.includes(` id="${target.slice(1)}"`), `${target} leads somewhere`);
    }
  });

  it('200: the examples send their requests to the host of the page', async () => {
    const { text } = await call(service, 'GET', '/docs');
    assert.ok(commandsOf(text).includes(`curl '${service.url}/api/auth/register'`));
    assert.ok(!text.includes(originPlaceholder));
  });

  it('200: every example quotes its URL, so that an IPv6 address works in a shell', async () => {
    const commands = commandsOf(await getWithHost(service, '[::1]:3000'));
    const urls = commands.match(/curl .*/g) ?? [];
    assert.ok(urls.length > 10);
    for (const line of urls) assert.match(line, /^curl (?:-X [A-Z]+ )?'http:\/\/\[::1\]:3000\/[^']*'(?: \\)?$/);
  });

  it('200: a Host header that is no host does not reach the page', async () => {
    for (const host of ['"><script>alert(1)</script>', "a';touch /tmp/x;'", 'example.com/$(id)']) {
      const text = await getWithHost(service, host);
      assert.ok(commandsOf(text).includes("curl 'http://localhost:3000/api/auth/register'"), host);
      assert.ok(!text.includes('alert(') && !text.includes('touch') && !text.includes('$(id)'), host);
    }
    const text = await getWithHost(service, 'prompts.example.com');
    assert.ok(commandsOf(text).includes("curl 'http://prompts.example.com/api/auth/register'"));
  });

  it('304: the page, its style and its icon are sent once', async () => {
    for (const path of ['/docs', '/docs/style.css', '/docs/script.js', '/docs/inter-latin.woff2', '/docs/icon.svg']) {
      const first = await call(service, 'GET', path);
      const etag = first.headers.get('etag') ?? '';
      assert.equal(first.headers.get('cache-control'), 'no-cache', path);
      const second = await call(service, 'GET', path, { headers: { 'if-none-match': etag } });
      assert.equal(second.status, 304, path);
      assert.equal(second.text, '', path);
    }
  });

  it('200: the style may be cached forever only under the address with its hash', async () => {
    const { text } = await call(service, 'GET', '/docs');
    const href = /href="(\/docs\/style\.css\?v=[^"]+)"/.exec(text)?.[1] ?? '';
    const exact = await call(service, 'GET', href);
    assert.equal(exact.headers.get('content-type'), 'text/css; charset=utf-8');
    assert.match(exact.headers.get('cache-control') ?? '', /immutable/);
    assert.doesNotMatch(exact.text, /@import/);
    const urls = [...exact.text.matchAll(/url\("([^"]*)"\)/g)].map(([, url = '']) => url);
    assert.equal(urls.length, 2);
    for (const url of urls) {
      const font = await fetch(service.url + url);
      assert.equal(font.headers.get('content-type'), 'font/woff2', url);
      assert.match(font.headers.get('cache-control') ?? '', /immutable/, url);
    }
    assert.equal((await call(service, 'GET', '/docs/style.css?v=other')).headers.get('cache-control'), 'no-cache');
  });

  it('200: compressed where the caller accepts it, under another ETag, and never where it refuses it', async () => {
    for (const path of ['/docs/guides', '/docs/style.css', '/docs/search.json']) {
      const plain = await fetch(service.url + path, { headers: { 'accept-encoding': 'identity' } });
      assert.equal(plain.headers.get('content-encoding'), null, path);
      assert.equal(plain.headers.get('vary'), 'accept-encoding', path);
      const text = await plain.text();
      const etags = new Set([plain.headers.get('etag')]);
      for (const encoding of ['br', 'gzip']) {
        const small = await fetch(service.url + path, { headers: { 'accept-encoding': `deflate, ${encoding};q=0.5` } });
        assert.equal(small.headers.get('content-encoding'), encoding, path);
        assert.equal(await small.text(), text, path);
        etags.add(small.headers.get('etag'));
      }
      assert.equal(etags.size, 3, path);
      const refused = await fetch(service.url + path, { headers: { 'accept-encoding': 'br;q=0, gzip;q=0.0' } });
      assert.equal(refused.headers.get('content-encoding'), null, path);
    }
  });

  it('404: the compressed files have no addresses of their own', async () => {
    for (const path of ['/docs/style.css.br', '/docs/guides.html.gz']) assert.equal((await call(service, 'GET', path)).status, 404, path);
  });

  it('200: HEAD has the headers and no body', async () => {
    const { status, headers, text } = await call(service, 'HEAD', '/docs');
    assert.equal(status, 200);
    assert.ok(Number(headers.get('content-length')) > 1000);
    assert.equal(text, '');
  });

  it('404: no other path below it exists', async () => {
    for (const path of ['/docs/nothing', '/docs/style.css/x', '/docs/..%2f..%2fpackage.json', '/docs/index.html']) {
      const { status, body, headers } = await call(service, 'GET', path);
      assert.equal(status, 404, path);
      assert.deepEqual(body, { error: 'Not found', code: 'not_found' }, path);
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", path);
    }
  });

  it('405: any method but GET and HEAD', async () => {
    const { status, headers } = await call(service, 'POST', '/docs');
    assert.equal(status, 405);
    assert.equal(headers.get('allow'), 'GET, HEAD');
  });

  it('301: a trailing slash redirects to the page', async () => {
    const { status, headers } = await call(service, 'GET', '/docs/');
    assert.equal(status, 301);
    assert.equal(headers.get('location'), '/docs');
  });
});

describe('GET /docs/guides', () => {
  let service: Service;
  const pages = new Map<string, string>();
  before(async () => {
    service = await startService();
    const found = ['/docs/guides'];
    for (const path of found) {
      const { status, text } = await call(service, 'GET', path);
      assert.equal(status, 200, path);
      pages.set(path, text);
      for (const target of targetsOf(text).map((href) => href.split('#')[0] ?? ''))
        if (/^\/docs\/guides[^.]*$/.test(target) && !found.includes(target)) found.push(target);
    }
  });
  after(() => service.close());

  it('200: the index leads to every document', () => {
    const named = fs.globSync('docs/**/*.md').map((file) => file.replace(/^docs/, '/docs/guides').replace(/(?:\/README)?\.md$/, ''));
    for (const path of [...named, '/docs/guides/client', '/docs/guides/security', '/docs/guides/changelog'])
      assert.ok(pages.has(path), path);
    for (const path of named.filter((name) => !name.includes('/decisions/')))
      assert.ok(path === '/docs/guides' || targetsOf(pages.get('/docs/guides') ?? '').includes(path), `${path} is one click away`);
  });

  it('200: every link leads somewhere, and all that a page loads is on this host', async () => {
    const reference = (await call(service, 'GET', '/docs')).text;
    for (const [path, text] of pages) {
      for (const target of targetsOf(text)) {
        if (/^https:\/\//.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        assert.match(file, /^(?:\/(?!\/)|$)/, `${path}: ${target}`);
        const page = file === '' ? text : file === '/docs' ? reference : pages.get(file);
        if (page === undefined) assert.equal((await call(service, 'HEAD', file)).status, 200, `${path}: ${target}`);
        else if (anchor) assert.ok(page.includes(` id="${anchor}"`), `${path}: ${target}`);
      }
      assert.ok(![...text.matchAll(/src="([^"]*)"/g)].some(([, source]) => !source?.startsWith('/docs/')), path);
      assert.doesNotMatch(text, /<style|<[^>]+\s(?:style|on\w+)=|href="javascript:/i, path);
    }
  });

  it('200: has the policy of the reference', async () => {
    const [guide, reference] = [await call(service, 'GET', '/docs/guides/cli'), await call(service, 'GET', '/docs')];
    assert.equal(guide.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(guide.headers.get('content-security-policy'), reference.headers.get('content-security-policy'));
    assert.equal(guide.headers.get('cache-control'), 'no-cache');
  });

  it('200: the search knows guides and operations', async () => {
    const url = /data-search="([^"]+)"/.exec(pages.get('/docs/guides') ?? '')?.[1] ?? '';
    const { headers, text } = await call(service, 'GET', url);
    const entries = JSON.parse(text) as SearchEntry[];
    assert.match(headers.get('cache-control') ?? '', /immutable/);
    assert.ok(entries.some((entry) => entry.url === '/docs#verifyToken'));
    const backups = entries.find((entry) => entry.url === '/docs/guides/operating#backups');
    assert.match(backups?.text ?? '', /BACKUP_DIR/);
  });

  it('301 and 404: a trailing slash, and an unknown page', async () => {
    assert.equal((await call(service, 'GET', '/docs/guides/')).headers.get('location'), '/docs/guides');
    for (const path of ['/docs/guides/nothing', '/docs/guides/images', '/docs/reference.html', '/docs/guides/..%2f..%2f..%2fpackage.json'])
      assert.equal((await call(service, 'GET', path)).status, 404, path);
  });
});

describe('GET /docs with PUBLIC_URL', () => {
  it('200: the examples use it, whatever the Host header says', async () => {
    const service = await startService({ env: { PUBLIC_URL: 'https://prompts.example.com' } });
    try {
      const text = await getWithHost(service, 'evil.example.net');
      assert.ok(commandsOf(text).includes("curl 'https://prompts.example.com/api/auth/register'"));
      assert.ok(!text.includes('evil.example.net'));
    } finally {
      await service.close();
    }
  });
});

describe('GET /docs before the build', () => {
  it('404: says how to build it', async (t) => {
    const { existsSync } = fs;
    t.mock.method(fs, 'existsSync', (path: fs.PathLike) => !String(path).endsWith('/dist/docs/') && existsSync(path));
    syncBuiltinESMExports();
    const service = await startService();
    try {
      const { status, body } = await call(service, 'GET', '/docs');
      assert.equal(status, 404);
      assert.deepEqual(body, { error: 'The reference is not built. Run: npm run build', code: 'not_found' });
    } finally {
      await service.close();
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
  });
});

describe('the reference page of any description', () => {
  const render = (document: OpenApiDocument) =>
    renderPage(document, 'http://localhost', { styleUrl: '/s', themeUrl: '/t', scriptUrl: '/j', searchUrl: '/i' });

  it('escapes hostile text wherever it stands', () => {
    const evil = '"><img src=x onerror=alert(1)>\'`</code><script>';
    const schema = {
      description: evil,
      properties: { [evil]: { type: evil, description: evil, pattern: evil, default: evil, examples: [evil], format: evil } },
      required: [evil],
    };
    const page = render({
      info: { title: evil, version: evil, description: `${evil}\n\n- ${evil}\n- \`${evil}\` **${evil}**` },
      paths: {
        [`/${evil}`]: {
          [evil]: {
            operationId: evil,
            summary: evil,
            description: evil,
            tags: [evil],
            security: [{ key: [] }],
            parameters: [{ name: evil, in: 'query', required: true, description: evil, schema: { examples: [evil], enum: [evil] } }],
            requestBody: { content: { 'application/json': { schema } } },
            responses: {
              200: { description: evil, content: { 'application/json': { schema: { anyOf: [schema, { const: evil }] } } } },
              400: { description: evil },
            },
          },
        },
      },
      components: { schemas: { Error: schema }, securitySchemes: { key: { description: evil } } },
    });
    assert.ok(page.includes('&#60;img'));
    // The text is escaped, so it cannot end an attribute or begin an element.
    const attributes = [...page.matchAll(/<[a-z0-9]+((?: [a-z-]+(?:="[^"<>]*")?)*)>/g)];
    assert.equal(page.match(/<[^/!]/g)?.length, attributes.length, 'every element is well formed');
    assert.equal(page.match(/<img/gi)?.length, 1, 'the logo is the only picture');
    assert.equal(page.match(/<script/gi)?.length, 2, 'the scripts are its own');
  });

  it('keeps an example inside its quotes in the shell', () => {
    const schema = { examples: [{ text: "it's $(id) `id`" }] };
    const operation = { operationId: 'x', requestBody: { content: { 'application/json': { schema } } } };
    const page = render({ info: { title: 't', version: '1' }, paths: { '/x': { post: operation } } });
    assert.ok(page.includes('it&#39;\\&#39;&#39;s $(id)'));
  });

  it('shows how to call operations for browsers: with the cookie, and with the origin where something changes', () => {
    const session = [{ session: [] }];
    const text = commandsOf(
      render({
        info: { title: 't', version: '1' },
        paths: {
          '/in': { post: { operationId: 'signIn', tags: ['Browser sessions'] } },
          '/list': { get: { operationId: 'list', security: session } },
          '/end': { delete: { operationId: 'end', security: session } },
          '/key': { delete: { operationId: 'reset', security: [{ key: [] }] } },
        },
      }),
    );
    const origin = "-H 'Origin: http://localhost'";
    assert.ok(text.includes(`curl http://localhost/list \\\n  -b cookies.txt -c cookies.txt\n`));
    assert.ok(text.includes(`curl -X DELETE http://localhost/end \\\n  -b cookies.txt -c cookies.txt \\\n  ${origin}\n`));
    assert.match(text, /curl -X POST http:\/\/localhost\/in \\\n {2}-c cookies.txt \\\n {2}-H 'Origin: http:\/\/localhost'/);
    assert.match(text, /curl -X DELETE http:\/\/localhost\/key \\\n {2}-H "Authorization: Bearer \$PROMPTHARBOR_API_KEY"$/m);
  });

  it('shows nested objects, arrays, unions and limits, and ends where a shape holds itself', () => {
    const tree = {
      title: 'Tree',
      type: 'object',
      properties: {
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' }, maxItems: 9 },
        kind: { anyOf: [{ const: 'leaf' }, { const: 'branch' }] },
        size: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
        note: { anyOf: [{ type: 'string', maxLength: 20 }, { type: 'null' }] },
        labels: { type: 'object', patternProperties: { '^.*$': { type: 'integer' } } },
        place: { type: 'object', properties: { line: { type: 'integer', description: 'Counted from one.' } } },
      },
    };
    const response = { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } };
    const page = render({
      info: { title: 't', version: '1' },
      paths: { '/tree': { get: { operationId: 'tree', responses: { 200: response } } } },
      components: { schemas: { Tree: tree } },
    });
    for (const text of ['array of Tree', 'at most 9 items', '&#34;leaf&#34; or &#34;branch&#34;', '1 to 100', '<code>50</code>']) {
      assert.ok(page.includes(text), text);
    }
    for (const text of ['string or null', 'object of integer', 'Counted from one.']) assert.ok(page.includes(text), text);
  });
});

function targetsOf(page: string): string[] {
  return [...page.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target);
}

/** Returns the text of the code samples as a reader would copy it. */
function commandsOf(page: string): string {
  const samples = [...page.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, sample = '']) => sample);
  return samples
    .join('\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}

/** Sends another Host header, which `fetch` does not allow. */
function getWithHost(service: { url: string }, host: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const req = request(`${service.url}/docs`, { headers: { host } }, async (res) => {
    resolve((await res.toArray()).join(''));
  });
  req.on('error', reject).end();
  return promise;
}
