import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createAddressCounter, findMaxConnections, networkOf } from '../../src/http/connections.ts';
import { call } from '../support/client.ts';
import { nextData } from '../support/raw.ts';
import { retryUntil } from '../support/retry.ts';
import { startService } from '../support/service.ts';

const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

describe('A flood of pipelined requests', () => {
  it('as many as a connection may have at once are served, again and again', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    t.after(() => socket.destroy());
    for (let round = 0; round < 5; round += 1) {
      socket.write(request.repeat(33));
      let received = '';
      while (received.split('HTTP/1.1 200 ').length <= 33) received += (await nextData(socket)).toString();
    }
  });

  it('ASVS 15.2.2: a connection with more of them is closed, and the others are served', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const { port, hostname } = new URL(service.url);
    const flood = async () => {
      const socket = connect(Number(port), hostname);
      let received = '';
      socket.on('error', () => undefined);
      socket.on('data', (data) => (received += data.toString()));
      socket.write(request.repeat(20_000));
      await new Promise((resolve) => socket.once('close', resolve));
      assert.ok(received.split('HTTP/1.1 200 ').length < 20_000, 'not all of them are served');
    };
    await Promise.all(Array.from({ length: 20 }, flood));
    const lines = service
      .logs()
      .split('\n')
      .filter((line) => line.includes('too_many_pipelined'));
    assert.ok(lines.length >= 1 && lines.length < 20, `${lines.length} log lines for the flood`);
    assert.equal((await call(service, 'GET', '/healthz')).status, 200);
  });
});

describe('A flood of connections', () => {
  it('ASVS 15.2.2: those above MAX_CONNECTIONS are closed, the others are served, and a free place is used again', async (t) => {
    const service = await startService({ env: { MAX_CONNECTIONS: '10' } });
    t.after(() => service.close());
    const { port, hostname } = new URL(service.url);
    const open = () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      return socket;
    };
    const respond = async (socket: Socket) => {
      socket.write(request);
      return (await nextData(socket)).toString();
    };
    const first = Array.from({ length: 10 }, open);
    for (const socket of first) assert.match(await respond(socket), /^HTTP\/1\.1 200 /);

    const flood = Array.from({ length: 200 }, open);
    await Promise.all(flood.map((socket) => once(socket, 'close')));
    for (const socket of first) assert.match(await respond(socket), /^HTTP\/1\.1 200 /);
    const lines = service
      .logs()
      .split('\n')
      .filter((line) => line.includes('too_many_connections'));
    assert.ok(lines.length >= 1 && lines.length < 200, `${lines.length} log lines for the flood`);

    for (const socket of first) socket.destroy();
    await retryUntil('a new connection is accepted', () =>
      call(service, 'GET', '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });

  it('the limit without a setting fits the process', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    assert.equal(service.server.maxConnections, findMaxConnections());
    assert.ok(findMaxConnections() >= 200 && findMaxConnections() <= 10_000);
  });

  it('one address has a share of them', () => {
    const counter = createAddressCounter(2);
    assert.deepEqual([counter.add('a'), counter.add('a'), counter.add('a'), counter.add('b')], [true, true, false, true]);
    counter.remove('a');
    assert.deepEqual([counter.add('a'), counter.add('a')], [true, false]);
  });

  it('IPv6 addresses count by their /64 network', () => {
    assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
    assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
    assert.equal(networkOf('2001:db8:1:2::1'), '2001:db8:1:2');
    assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0');
    assert.equal(networkOf('::1'), '0:0:0:0');
  });
});
