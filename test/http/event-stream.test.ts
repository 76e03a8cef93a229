import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import Fastify from 'fastify';
import { createEventStreams, type EventStream } from '../../src/http/event-stream.ts';

describe('Streams of events', () => {
  const streams = createEventStreams({ perOwner: 2, total: 3, stalledMs: 60_000, what: 'open streams' });
  const opened: EventStream[] = [];
  const app = Fastify();
  let port: number;
  before(async () => {
    app.decorateRequest('streamStartedMs', undefined);
    app.get<{ Params: { account: string } }>('/:account', (req, reply) => {
      opened.push(streams.open(req, reply, new Set([req.params.account])));
    });
    app.get('/run/:account', (req, reply) => {
      opened.push(streams.openRun(req, reply));
    });
    port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  after(async () => {
    streams.close();
    await app.close();
  });

  async function open(account: string) {
    const controller = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/${account}`, { signal: controller.signal });
    const stream = opened.at(-1);
    assert.ok(stream);
    return {
      status: response.status,
      response,
      async close() {
        const { promise: closed, resolve } = Promise.withResolvers<void>();
        stream.onClose(resolve);
        controller.abort();
        await closed;
      },
    };
  }

  it('are limited for each account, and a closed stream frees its slot', async () => {
    const first = await open('a');
    const second = await open('a');
    assert.deepEqual([first.status, second.status, (await open('a')).status], [200, 200, 429]);
    const other = await open('b');
    await first.close();
    const third = await open('a');
    assert.equal(third.status, 200);
    assert.equal(streams.count, 3);
    for (const stream of [second, third, other]) await stream.close();
    assert.equal(streams.count, 0);
  });

  it('are limited in total: the account with the most streams loses one to an account without any, and runs lose nothing', async () => {
    const run = await open('run/a');
    const [first, second, other] = [await open('a'), await open('a'), await open('b')];
    const newcomer = await open('c');
    assert.equal(newcomer.status, 200);
    assert.equal(await first.response.text(), 'retry: 1000\n\n', 'it ends as streams do, so that its client continues it');
    assert.equal(streams.count, 4, 'a run is not one of the three');
    assert.equal((await open('d')).status, 503, 'everyone has one');
    assert.equal((await open('b')).status, 503, 'and nobody gets a second one');
    for (const stream of [second, other, newcomer, run]) await stream.close();
    assert.equal(streams.count, 0);
  });

  it('disconnect a client that does not read, instead of buffering for it', async () => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
    const before = opened.length;
    while (opened.length === before) await once(app.server, 'request').then(() => new Promise(setImmediate));
    const stream = opened.at(-1);
    assert.ok(stream);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    let isClosed = false;
    stream.onClose(() => {
      isClosed = true;
      resolve();
    });
    for (let id = 0; !isClosed && id < 10_000; id += 1) {
      stream.send(id, 'x'.repeat(10_000));
      await new Promise(setImmediate);
    }
    await closed;
    socket.destroy();
  });
});
