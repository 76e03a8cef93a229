import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { sha256 } from '../../../src/cli/files/sha256.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import { readLangfuse } from '../../../src/domain/transfer/langfuse-reads.ts';
import { sha256Hex } from '../../../src/formats/sha256.ts';
import { newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

interface Read {
  status: number;
  body: string | null;
  retryAfter: string | null;
  problem: string | null;
}

describe('POST /api/import/langfuse', () => {
  let service: Service;
  before(async () => {
    service = await startService({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  });
  after(() => service.close());

  async function startLangfuse(t: TestContext, respond: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
    const server = createServer(respond).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const keys = { publicKey: 'pk-lf-1', secretKey: 'sk-lf-very-secret' };
  async function read(url: string, what: object = { page: 1 }): Promise<Read> {
    const client = await newClient(service);
    const response = await client.call('POST', '/api/import/langfuse', { url, ...keys, ...what });
    assert.equal(response.status, 200, response.text);
    return response.body as Read;
  }

  it('200: passes on a page and a version, with the keys of the project and below the path of the address', async (t) => {
    const requests: string[] = [];
    const url = await startLangfuse(t, (req, res) => {
      requests.push(`${req.method} ${req.url} ${req.headers.authorization}`);
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"secret":1}');
    });
    assert.deepEqual(await read(`${url}/lf/`), { status: 200, body: '{"data":[],"secret":1}', retryAfter: null, problem: null });
    await read(url, { name: 'a/../b ?x', version: 3 });
    const basic = `Basic ${Buffer.from('pk-lf-1:sk-lf-very-secret').toString('base64')}`;
    assert.deepEqual(requests, [
      `GET /lf/api/public/v2/prompts?page=1&limit=50 ${basic}`,
      `GET /api/public/v2/prompts/a%2F..%2Fb%20%3Fx?version=3&resolve=false ${basic}`,
    ]);
    assert.ok(!service.logs().includes('sk-lf-very-secret'));
  });

  it('400: refuses names that would lead elsewhere', async () => {
    const client = await newClient(service);
    for (const name of ['.', '..', '\ud800']) {
      const response = await client.call('POST', '/api/import/langfuse', { url: 'http://127.0.0.1:1', ...keys, name, version: 1 });
      assert.equal(response.status, 400, response.text);
    }
  });

  it('ASVS 15.2.2: a response occupies a slot of its workspace until it is sent', async (t) => {
    let visits = 0;
    const url = await startLangfuse(t, (_req, res) => {
      visits += 1;
      res.end('{}');
    });
    const actor = { workspaceId: 'u_slow' } as Actor;
    const responses = Array.from({ length: 3 }, () => new AbortController());
    const [first, second, third] = responses.map(({ signal }) => readLangfuse(service.ctx, actor, { url, ...keys, page: 1 }, signal));
    await Promise.all([first, second]);
    assert.equal((await read(url)).status, 200, 'others read meanwhile');
    assert.equal(visits, 3);
    responses[0]?.abort();
    assert.equal((await third)?.status, 200);
    for (const response of responses) response.abort();
  });

  it('200: explains what is wrong with a server, and never shows what it sent', async (t) => {
    const leaked = await startLangfuse(t, (_req, res) => void res.end('{}'));
    const visits: string[] = [];
    const inner = await startLangfuse(t, (req, res) => {
      visits.push(req.url ?? '');
      res.end('{}');
    });
    const answers: [what: string, respond: (res: ServerResponse) => void, expected: RegExp][] = [
      ['wrong keys', (res) => res.writeHead(401).end('nope secret text'), /rejected the keys/],
      ['a redirect', (res) => res.writeHead(302, { location: inner }).end(), /redirects to another address/],
      ['no JSON', (res) => res.end('<html>'), /did not send JSON/],
      [
        'bytes that are no text',
        (res) => res.end(Buffer.concat([Buffer.from('"'), Buffer.alloc(1000, 0xff), Buffer.from('"')])),
        /did not send JSON/,
      ],
      ['deep JSON', (res) => res.end('['.repeat(100_000)), /did not send JSON/],
      ['an endless body', (res) => endless(res), /sent more than 2 MiB/],
      ['chunks of one byte', (res) => trickle(res), /too much framing|more than 2 MiB|did not respond/],
      ['a broken response', (res) => void res.socket?.destroy(), /connection .* was (?:lost|closed)/],
      ['a failure', (res) => res.writeHead(500).end(), /responded with 500/],
    ];
    for (const [what, respond, expected] of answers) {
      const url = await startLangfuse(t, (_req, res) => respond(res));
      const result = await read(url);
      assert.match(result.problem ?? '', expected, what);
      assert.equal(result.body, null, what);
      assert.ok(!JSON.stringify(result).includes('secret text'), what);
    }
    assert.deepEqual(visits, [], 'a redirect is not followed');
    assert.match((await read(leaked.replace('127.0.0.1', '127.0.0.2'))).problem ?? '', /not a public address/);
    assert.match((await read('http://169.254.169.254')).problem ?? '', /not a public address/);
    const limited = await startLangfuse(t, (_req, res) => res.writeHead(429, { 'retry-after': '7' }).end());
    assert.deepEqual(await read(limited), {
      status: 429,
      body: null,
      retryAfter: '7',
      problem: `${new URL(limited).host} responded with 429.`,
    });
  });

  it('ends the request to a slow server when the caller leaves', async (t) => {
    const arrived = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const url = await startLangfuse(t, (req) => {
      arrived.resolve();
      req.socket.once('close', () => closed.resolve());
    });
    const client = await newClient(service);
    const controller = new AbortController();
    const request = fetch(`${service.url}/api/import/langfuse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, ...keys, page: 1 }),
      signal: controller.signal,
    });
    await arrived.promise;
    controller.abort();
    await assert.rejects(request);
    await closed.promise;
  });

  it('400: accepts only addresses of HTTP servers, and either a page or a version', async () => {
    const client = await newClient(service);
    const bodies = [
      { url: 'file:///etc/passwd', page: 1 },
      { url: 'https://user:pass@example.com', page: 1 },
      { url: 'nothing', page: 1 },
      { url: 'https://example.com' },
      { url: 'https://example.com', page: 1, name: 'a', version: 1 },
      { url: 'https://example.com', page: 0 },
    ];
    for (const body of bodies) {
      assert.equal((await client.call('POST', '/api/import/langfuse', { ...keys, ...body })).status, 400, JSON.stringify(body));
    }
  });

  it('makes the same ids in a browser as on the command line', () => {
    for (const text of ['', 'abc', 'é😀', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'y'.repeat(1000)]) {
      assert.equal(sha256Hex(text), sha256(text, 'hex'));
    }
  });
});

function endless(res: ServerResponse): void {
  const chunk = 'x'.repeat(64 * 1024);
  const write = () => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once('drain', write);
  };
  write();
}

function trickle(res: ServerResponse): void {
  const write = () => {
    for (let count = 0; count < 1000; count += 1) res.write('x');
    if (!res.destroyed) setImmediate(write);
  };
  write();
}
