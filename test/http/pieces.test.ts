import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import type { App } from '../../src/http/fastify.ts';
import { createRejectionLog } from '../../src/http/observability/rejection-log.ts';
import { createServer } from '../../src/http/server.ts';
import { createPace, paceMs } from '../../src/http/steps/pieces.ts';

const logger = pino({ level: 'silent' });

describe('Large responses', () => {
  const text = Array.from({ length: 200_000 }, (_, index) => `${index} `).join('');
  let app: App;
  let url: string;
  /** What is left to be sent, by method. */
  const payloads = new Map<string, unknown>();
  before(async () => {
    app = createServer({ commonHeaders: {}, trustProxy: false, logger, log: () => undefined, rejections: createRejectionLog(logger) });
    app.addHook('onSend', async (req, _reply, payload) => {
      payloads.set(req.method, payload);
      return payload;
    });
    app.get('/text', async (_req, reply) => reply.type('text/plain').send(text));
    app.get('/bytes', async (_req, reply) => reply.type('text/plain').send(Buffer.from(text)));
    await app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  after(() => app.close());

  it('ASVS 15.2.2: are whole, one alone and many at once, beside clients that leave', async () => {
    const read = async (path: string) => (await fetch(url + path)).text();
    const leave = async () => (await fetch(`${url}/text`)).body?.cancel();
    assert.ok((await read('/text')) === text);
    const all = await Promise.all(Array.from({ length: 20 }, async (_, index) => (index % 2 ? read('/bytes') : leave())));
    assert.equal(all.filter((each) => each === text).length, 10);
    assert.ok((await read('/bytes')) === text);
  });

  it('ASVS 15.2.2: to HEAD are not begun: nobody would wait for their end', async () => {
    for (const path of ['/text', '/bytes']) {
      const { headers } = await fetch(url + path, { method: 'HEAD' });
      assert.equal(headers.get('content-length'), String(text.length));
      assert.ok(!(payloads.get('HEAD') instanceof Readable));
      await (await fetch(url + path)).text();
      assert.ok(payloads.get('GET') instanceof Readable);
    }
  });
});

describe('The pace of large responses', () => {
  it('ASVS 15.2.2: is shared by those of a tenant that are sent at the same time; one alone has none', async () => {
    const join = createPace();
    using other = join('another');
    const one = join('tenant');
    const startedAt = performance.now();
    {
      using two = join('tenant');
      for (let piece = 0; piece < 10; piece += 1) await Promise.all([one.wait(), two.wait()]);
    }
    // Timers may be early by less than a millisecond, but each follows the one before.
    assert.ok(performance.now() - startedAt >= 18 * paceMs);

    let isNextTurn = false;
    setImmediate(() => {
      isNextTurn = true;
    });
    for (let piece = 0; piece < 100; piece += 1) await Promise.all([one.wait(), other.wait()]);
    assert.equal(isNextTurn, false, 'nobody waits for one that has ended, or for another tenant');
    one[Symbol.dispose]();
  });
});
