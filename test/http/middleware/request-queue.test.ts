import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { newClient } from '../../support/prompts.ts';
import { nextData } from '../../support/raw.ts';
import { retryUntil } from '../../support/retry.ts';
import { type Service, startService } from '../../support/service.ts';

describe('The queue of a workspace', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('ASVS 15.2.2: a workspace has few requests in progress at a time, and does not delay others', async (test) => {
    const busy = await newClient(service);
    const other = await newClient(service);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    test.after(() => release());
    const { store } = service.ctx;
    const readSnapshot = store.readSnapshot;
    let underWay = 0;
    test.mock.method(store, 'readSnapshot', async (...args: Parameters<typeof readSnapshot>) => {
      if (args[0] !== busy.userId) return readSnapshot(...args);
      underWay += 1;
      await released;
      underWay -= 1;
      return readSnapshot(...args);
    });
    const requests = Array.from({ length: 110 }, (_, index) => busy.call('GET', `/api/prompts?limit=${1 + (index % 100)}`));
    const refused = await Promise.race(requests);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'], refused.text);
    assert.equal(underWay, 2);
    await other.get('/api/prompts');
    await other.create({ name: 'a', template: 'x' });
    release();
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 102);
    assert.equal(statuses.filter((status) => status === 429).length, 8);
  });

  it('ASVS 15.2.2: unfinished, aborted and invalid requests occupy no slot', async () => {
    const client = await newClient(service);
    const { hostname, port } = new URL(service.url);
    const head = `POST /api/prompts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: application/json\r\n`;
    const sockets = Array.from({ length: 8 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(`${head}Content-Length: 40000\r\n\r\n{"name": "half`);
      return socket;
    });
    await client.get('/api/prompts');
    for (const socket of sockets) socket.destroy();
    for (let count = 0; count < 8; count += 1) {
      assert.equal((await client.call('POST', '/api/prompts', { name: 1 })).status, 400);
      const signal = AbortSignal.timeout(1);
      await client.call('GET', `/api/prompts?limit=${50 + count}`, undefined, { signal }).catch(() => undefined);
    }
    await retryUntil('slots are lost', async () => (await client.call('GET', '/api/prompts?limit=7')).status === 200);
  });

  it('ASVS 15.2.2: 429: a workspace has few large bodies in memory at a time, until their requests are over', async () => {
    const client = await newClient(service, undefined, { retries: 0 });
    const other = await newClient(service, undefined, { retries: 0 });
    const large = { name: 'large', template: 'x'.repeat(200_000) };
    const { hostname, port } = new URL(service.url);
    const head = `POST /api/prompts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: application/json\r\n`;
    const framings = ['Content-Length: 1048576\r\n\r\n ', 'Transfer-Encoding: chunked\r\n\r\n1\r\n \r\n'];
    const sockets = Array.from({ length: 20 }, (_, index) => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(head + framings[index % 2]);
      return socket;
    });
    const refused = await Promise.race(sockets.map(async (socket) => String((await once(socket, 'data'))[0])));
    assert.match(refused, /^HTTP\/1\.1 429 .*"too_many_concurrent"/s);
    await retryUntil('large bodies are not refused', async () => (await client.call('POST', '/api/prompts', large)).status === 429);
    await client.create({ name: 'small', template: 'x' });
    await other.create(large);
    for (const socket of sockets) socket.destroy();
    await retryUntil('the memory is not free again', async () => (await client.call('POST', '/api/prompts', large)).status === 201);
  });

  it('ASVS 15.2.2: a body that is too large, and then truncated or not HTTP, ends only its own connection', async () => {
    const client = await newClient(service);
    const { hostname, port } = new URL(service.url);
    const head = `POST /api/prompts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: application/json\r\n`;
    const chunk = (length: number) => `${length.toString(16)}\r\n${' '.repeat(length)}\r\n`;
    const bodies = [`${chunk(4096)}zzzz\r\n`, chunk(4096)];
    for (const body of [...bodies, ...bodies]) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk(1024 * 1024 - 1000)}`);
      // When this response arrives, the service has read everything that was sent before it.
      await client.get('/api/prompts');
      socket.write(body);
      assert.match(String(await nextData(socket)), /^HTTP\/1\.1 4/);
      socket.resetAndDestroy();
      await client.get('/api/prompts');
    }
  });
});
