import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PromptHarbor,
  PromptHarborError,
  type PromptHarborOptions,
  RateLimitError,
  RenderError,
  ServerError,
  TimeoutError,
} from '../../client/src/index.ts';
import { newClient } from '../support/prompts.ts';
import { startService } from '../support/service.ts';

const apiKey = `ph_${'a'.repeat(64)}`;

describe('requests of the client', () => {
  it('reads the environment, and refuses a key in a browser page', (t) => {
    t.after(() => {
      for (const name of ['API_KEY', 'URL', 'WORKSPACE']) delete process.env[`PROMPTHARBOR_${name}`];
      Reflect.deleteProperty(globalThis, 'window');
    });
    assert.equal(new PromptHarbor().baseUrl, 'http://127.0.0.1:3000');
    process.env.PROMPTHARBOR_URL = 'https://prompts.example.com/base/';
    assert.equal(new PromptHarbor().baseUrl, 'https://prompts.example.com/base');
    Object.assign(globalThis, { window: { document: {} } });
    assert.doesNotThrow(() => new PromptHarbor());
    process.env.PROMPTHARBOR_API_KEY = apiKey;
    assert.throws(() => new PromptHarbor(), /browser/);
    assert.doesNotThrow(() => new PromptHarbor({ dangerouslyAllowBrowser: true }));
  });

  it('refuses options that cannot work', async () => {
    for (const options of [
      { baseUrl: 'prompts.example.com' },
      { baseUrl: 'ftp://x' },
      { baseUrl: 'http://user:password@x' },
      { apiKey: 'with\nline' },
      { timeoutMs: 0 },
      { retries: -1 },
      { retries: 1.5 },
    ]) {
      assert.throws(() => new PromptHarbor(options), PromptHarborError, JSON.stringify(options));
    }
    await assert.rejects(new PromptHarbor().prompts.get('a'), /no API key/);
  });

  it('never shows the key where the client or an error is printed', async (t) => {
    const { ph } = await serve(t, (_req, res) => res.writeHead(500).end('{}'), { retries: 0 });
    const err = await ph.prompts.get('a').catch((failure: unknown) => failure);
    for (const value of [ph, err]) assert.ok(!inspect(value, { depth: 9, showHidden: true }).includes(apiKey));
  });

  it('sends the key, the workspace and the name as one segment', async (t) => {
    const body = { name: 'a', type: 'text', version: 1, data: [], nextCursor: null };
    const options = { apiKey: `${apiKey}\n`, workspace: 'u_1' };
    const { ph, requests } = await serve(t, (_req, res) => res.end(JSON.stringify(body)), options);
    await ph.prompts.get('support/übung 1?#', { label: 'a' });
    await ph.prompts.list({ name: ['a', 'b'], deleted: true }, { workspace: 'u_2' });
    const [first, second] = requests;
    assert.equal(first?.url, '/api/prompts/support%2F%C3%BCbung%201%3F%23?label=a');
    assert.equal(first?.headers.authorization, `Bearer ${apiKey}`);
    assert.equal(first?.headers['promptharbor-workspace'], 'u_1');
    assert.equal(second?.url, '/api/prompts?name=a&name=b&deleted=true');
    assert.equal(second?.headers['promptharbor-workspace'], 'u_2');
    for (const name of ['', '.', '..']) await assert.rejects(ph.prompts.delete(name), PromptHarborError);
    assert.equal(requests.length, 2, 'a path that fetch would shorten is never sent');
  });

  it('has an error class for each status, with code, details and request id', async (t) => {
    const classes = {
      400: InvalidRequestError,
      401: AuthenticationError,
      404: NotFoundError,
      409: ConflictError,
      422: RenderError,
      429: RateLimitError,
      503: ServerError,
    };
    for (const [status, Class] of Object.entries(classes)) {
      const body = { error: 'Invalid input', code: 'invalid_input', details: [{ path: '/name', message: 'Required' }] };
      const { ph } = await serve(t, (_req, res) => res.writeHead(Number(status), { 'x-request-id': 'r1' }).end(JSON.stringify(body)), {
        retries: 0,
      });
      await assert.rejects(ph.auth.verify(), (err) => {
        assert.ok(err instanceof Class && err instanceof ApiError && err instanceof PromptHarborError);
        assert.equal(err.message, 'Invalid input: /name: Required');
        assert.deepEqual([err.status, err.code, err.requestId, err.details], [Number(status), 'invalid_input', 'r1', body.details]);
        return true;
      });
    }
  });

  it('explains responses that are not from PromptHarbor: HTML, a redirect, an error of a proxy', async (t) => {
    const html = await serve(t, (_req, res) => res.end('<html>'));
    await assert.rejects(html.ph.prompts.list(), /not JSON/);
    const redirect = await serve(t, (_req, res) => res.writeHead(301, { location: 'https://x.example' }).end());
    await assert.rejects(redirect.ph.prompts.list(), /redirects to https:\/\/x.example/);
    assert.equal(redirect.requests.length, 1);
    const proxy = await serve(t, (_req, res) => res.writeHead(502).end('<html>'), { retries: 0 });
    await assert.rejects(proxy.ph.prompts.list(), { status: 502, code: undefined });
  });

  it('explains responses of other programs that have some of the fields', async (t) => {
    const answers = [
      {},
      { data: {} },
      { data: [{}], nextCursor: null },
      { data: [null], nextCursor: null },
      { data: [{ id: 'x' }] },
      { data: [{ id: 'x', name: null, type: 'text' }] },
      { data: null, name: null, type: null, version: null, token: null, userId: null, email: null },
    ];
    for (const answer of [...answers, [], null, 'text', { token: 'x' }, { name: 'x', version: 1 }]) {
      const { ph } = await serve(t, (_req, res) => res.end(JSON.stringify(answer)), { retries: 0 });
      const refused = { message: /^The response has no valid "(data|name|type|version|token|userId)"/ };
      await assert.rejects(Array.fromAsync(ph.prompts.list()), refused, JSON.stringify(answer));
      await assert.rejects(ph.prompts.get('x'), refused);
      await assert.rejects(ph.auth.login({ email: 'a@example.com', password: 'x' }), refused);
    }
  });

  it('repeats a write that was never sent', async () => {
    let attempts = 0;
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const ph = new PromptHarbor({
      apiKey,
      retries: 1,
      fetch: async () => {
        attempts += 1;
        throw new TypeError('fetch failed', { cause: refused });
      },
    });
    await assert.rejects(ph.prompts.create({ name: 'a' }), ConnectionError);
    assert.equal(attempts, 2);
  });

  it('ends on a timeout, even while the body is read, and on a signal, even between attempts', async (t) => {
    const silent = await serve(t, () => {}, { retries: 0, timeoutMs: 50 });
    await assert.rejects(silent.ph.prompts.get('a'), TimeoutError);
    const half = await serve(t, (_req, res) => res.write('{"data":'), { retries: 0, timeoutMs: 50 });
    await assert.rejects(half.ph.prompts.get('a'), TimeoutError);
    const failing = await serve(t, (_req, res) => res.writeHead(503, { 'retry-after': '30' }).end(), { retries: 2 });
    const controller = new AbortController();
    const request = failing.ph.prompts.get(
      'a',
      {},
      { signal: controller.signal, onResponse: () => setImmediate(() => controller.abort(new Error('mine'))) },
    );
    await assert.rejects(request, /mine/);
    assert.equal(failing.requests.length, 1);
    await assert.rejects(failing.ph.prompts.get('a', {}, { signal: AbortSignal.abort(new Error('before')) }), /before/);
  });

  it('ends with an error if a server sends endless pages, or an endless page', async (t) => {
    const respondWith: [string, (count: number) => object][] = [
      ['the same cursor', () => ({ data: [{ id: 'p', name: 'a', type: 'text' }], nextCursor: 'same' })],
      ['cursors in a circle', (count) => ({ data: [{ id: 'p', name: 'a', type: 'text' }], nextCursor: String(count % 7) })],
      ['empty pages', (count) => ({ data: [], nextCursor: String(count) })],
    ];
    for (const [title, pageOf] of respondWith) {
      let count = 0;
      const { ph } = await serve(t, (_req, res) => {
        count += 1;
        res.setHeader('content-type', 'application/json');
        res.end(JSON.stringify(pageOf(count)));
      });
      const list = async () => {
        for await (const item of ph.prompts.list()) assert.equal(item.name, 'a');
      };
      await assert.rejects(list(), /endless number of pages/, title);
      await assert.rejects(ph.prompts.load(), /endless number of pages/, title);
    }
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const { ph } = await serve(t, (_req, res) => void Readable.from(repeat(chunk)).pipe(res), { retries: 0 });
    await assert.rejects(async () => ph.prompts.list(), /too large/);
  });

  it('lists one page when awaited and all items when iterated', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const ph = new PromptHarbor({ baseUrl: service.url, apiKey: (await newClient(service)).token });
    for (const name of ['a', 'b', 'c']) await ph.prompts.create({ name, template: '' });
    const page = await ph.prompts.list({ limit: 2 });
    assert.deepEqual(
      page.data.map(({ name }) => name),
      ['a', 'b'],
    );
    const names: string[] = [];
    for await (const { name } of ph.prompts.list({ limit: 2 })) names.push(name);
    assert.deepEqual(names, ['a', 'b', 'c']);

    const controller = new AbortController();
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const event of ph.events.stream({}, { signal: controller.signal })) {
        seen.push(event.type);
        if (event.type === 'hello') await ph.prompts.delete('a');
        else controller.abort(new Error('enough'));
      }
    }, /enough/);
    assert.deepEqual(seen, ['hello', 'prompt.deleted']);
    await ph.auth.reset();
    assert.equal((await ph.auth.verify()).name, 'Test', 'goes on with the new key');
    const old = new PromptHarbor({ baseUrl: service.url, apiKey });
    await assert.rejects(old.events.stream().next(), AuthenticationError);
  });

  it('continues with Last-Event-ID after a lost connection, without repeating an event', async (t) => {
    const { ph, requests } = await serve(t, (req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      const after = req.headers['last-event-id'];
      res.write(
        after === undefined
          ? 'id: 1\r\ndata: {"type":"hello"}\r\n\r\n:\n\nid: 2\ndata: {"ty'
          : `id: ${Number(after) + 1}\ndata: {"type":\ndata: "label.moved"}\n\n`,
      );
      setImmediate(() => res.destroy());
    });
    const ids: string[] = [];
    for await (const { id } of ph.events.stream()) {
      ids.push(id);
      if (ids.length === 3) break;
    }
    assert.deepEqual(ids, ['1', '2', '3']);
    assert.deepEqual(
      requests.map(({ headers }) => headers['last-event-id']),
      [undefined, '1', '2'],
    );
  });

  it('streams checks test case by test case; errors and lost connections throw, nothing is repeated, and leaving the loop cancels the run', async (t) => {
    const one = 'event: case\ndata: {"done":1,"total":2,"case":{"id":"c_1"}}\n\n';
    const ends = ['event: done\ndata: {"id":"k_1"}\n\n', 'event: error\ndata: {"code":"forbidden","message":"No","status":403}\n\n', ''];
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { ph, requests } = await serve(t, (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(`:\n\n${one}`);
      const end = ends[requests.length - 1];
      if (end === undefined) res.once('close', resolve);
      else res.end(end);
    });
    const types: string[] = [];
    const read = async () => {
      for await (const event of ph.checks.stream('a', { version: 1 })) types.push(event.type);
    };
    await read();
    await assert.rejects(read, (err) => err instanceof ForbiddenError && err.code === 'forbidden' && err.message === 'No');
    await assert.rejects(read, ConnectionError);
    for await (const event of ph.checks.stream('a', { version: 1 })) {
      assert.deepEqual(event, { type: 'case', done: 1, total: 2, case: { id: 'c_1' } });
      break;
    }
    await closed;
    assert.deepEqual([types, requests.length], [['case', 'done', 'case', 'case'], 4]);
  });
});

describe('a request that failed', { concurrency: true }, () => {
  const repeated: [string, (res: ServerResponse) => unknown, (ph: PromptHarbor) => Promise<unknown>, number][] = [
    ['a read after 500', (res) => res.writeHead(500).end(), (ph) => ph.prompts.get('a'), 3],
    ['a read after a lost connection', (res) => res.destroy(), (ph) => ph.prompts.get('a'), 3],
    ['a render after a lost connection', (res) => res.destroy(), (ph) => ph.prompts.render('a'), 3],
    ['a label move after a lost connection', (res) => res.destroy(), (ph) => ph.labels.move('a', { label: 'b', version: 1 }), 3],
    ['a write after 429', (res) => res.writeHead(429, { 'retry-after': '0' }).end(), (ph) => ph.prompts.create({ name: 'a' }), 3],
    ['a write after 408', (res) => res.writeHead(408).end(), (ph) => ph.prompts.create({ name: 'a' }), 3],
    [
      'a write that was shed',
      (res) => res.writeHead(503).end('{"error":"","code":"overloaded"}'),
      (ph) => ph.prompts.create({ name: 'a' }),
      3,
    ],
    ['no write that may have happened: lost connection', (res) => res.destroy(), (ph) => ph.versions.create('a', { template: '' }), 1],
    ['no write that may have happened: 500', (res) => res.writeHead(500).end(), (ph) => ph.prompts.delete('a'), 1],
    ['no key reset that may have happened', (res) => res.destroy(), (ph) => ph.auth.reset(), 1],
    ['nothing after 404', (res) => res.writeHead(404).end(), (ph) => ph.prompts.get('a'), 1],
    [
      'no login after too many attempts',
      (res) => res.writeHead(429).end('{"error":"","code":"too_many_attempts"}'),
      (ph) => ph.auth.login({ email: '', password: '' }),
      1,
    ],
    [
      'nothing when asked to wait for an hour',
      (res) => res.writeHead(503, { 'retry-after': '3600' }).end(),
      (ph) => ph.prompts.get('a'),
      1,
    ],
  ];
  for (const [title, respond, send, attempts] of repeated) {
    it(`is repeated: ${title}`, async (t) => {
      const { ph, requests } = await serve(t, (_req, res) => respond(res), { retries: 2 });
      await assert.rejects(send(ph), PromptHarborError);
      assert.equal(requests.length, attempts);
    });
  }
});

function* repeat(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk;
}

async function serve(t: TestContext, respond: (req: IncomingMessage, res: ServerResponse) => unknown, options: PromptHarborOptions = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    requests.push(req);
    req.resume().on('end', () => respond(req, res));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const ph = new PromptHarbor({ apiKey, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options });
  return { ph, requests };
}
