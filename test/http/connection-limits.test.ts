import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { findMaxConnections, limitConnections } from '../../src/http/connection-limits.ts';
import { networkOf } from '../../src/platform/networks.ts';
import { call } from '../support/client.ts';
import { newClient } from '../support/prompts.ts';
import { nextData, sendRaw } from '../support/raw.ts';
import { retryUntil } from '../support/retry.ts';
import { type Service, startService } from '../support/service.ts';

const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

describe('Pipelined requests', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  function open(): Socket {
    const { port, hostname } = new URL(service.url);
    return connect(Number(port), hostname).on('error', () => undefined);
  }

  it('are served repeatedly if 32 wait for the first one', async (t) => {
    const socket = open();
    t.after(() => socket.destroy());
    for (let round = 0; round < 5; round += 1) {
      socket.write(request.repeat(33));
      let received = '';
      while (received.split('HTTP/1.1 200 ').length <= 33) received += (await nextData(socket)).toString();
    }
  });

  it('begin one after another, each in a separate turn of the event loop', async (t) => {
    const client = await newClient(service);
    const { accounts } = service.ctx.store;
    const { findProfile } = accounts;
    const [turns, underWay] = [new Set<number>(), new Set<string>()];
    let turn = 0;
    let ticking = setImmediate(function tick() {
      turn += 1;
      ticking = setImmediate(tick);
    });
    t.after(() => clearImmediate(ticking));
    t.mock.method(accounts, 'findProfile', async (id: string) => {
      turns.add(turn);
      assert.equal(underWay.size, 0);
      underWay.add(id);
      const profile = await findProfile(id);
      underWay.delete(id);
      return profile;
    });
    const read = `GET /api/account HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.token}\r\n`;
    const responses = await sendRaw(service, `${`${read}\r\n`.repeat(20)}${read}connection: close\r\n\r\n`);
    assert.deepEqual(
      responses.map(({ status }) => status),
      Array(21).fill(200),
    );
    assert.equal(turns.size, 21);
  });

  for (const [name, flood] of Object.entries({
    'without bodies': request,
    // With bodies, Node sends each response before it parses the next request, so no request waits in the queue.
    'with bodies': 'POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\nx',
    'with long headers': `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(2100)}\r\n\r\n`,
  })) {
    it(`ASVS 15.2.2: a connection with more waiting requests is closed, ${name}, and other connections are served`, async () => {
      const attack = async () => {
        const socket = open();
        let received = '';
        socket.on('data', (data) => (received += data.toString()));
        socket.write(flood.repeat(20_000));
        await new Promise((resolve) => socket.once('close', resolve));
        assert.ok(received.split('HTTP/1.1 ').length < 20_000, 'not all of them are served');
      };
      await Promise.all(Array.from({ length: 5 }, attack));
      const lines = service
        .logs()
        .split('\n')
        .filter((line) => line.includes('too_many_pipelined'));
      assert.ok(lines.length >= 1 && lines.length < 15, `${lines.length} log lines for the flood`);
      assert.equal((await call(service, 'GET', '/healthz')).status, 200);
    });
  }

  it('that wait for a stream are cleaned up, however the connection ends', async () => {
    const client = await newClient(service);
    // A workspace may have eight exports at once, and these are too large for one write.
    for (let number = 0; number < 8; number += 1) await client.create({ name: `${number}`, template: 'x'.repeat(200_000) });
    const upgrade = request.replace('\r\n\r\n', '\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.token}\r\n\r\n`;
    for (const end of ['CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', request.repeat(30) + upgrade]) {
      const socket = open();
      socket.write(get('/api/events') + get('/api/export').repeat(8) + end);
      await new Promise((resolve) => socket.resume().once('close', resolve));
      assert.equal((await client.call('GET', '/api/export')).status, 200);
    }
  });
});

describe('A flood of connections', () => {
  it('ASVS 15.2.2: connections above MAX_CONNECTIONS are closed, the others are served, and a slot that becomes free is used again', async (t) => {
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

  it('the default limit fits the process', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    assert.equal(service.server.maxConnections, findMaxConnections());
    assert.ok(findMaxConnections() >= 200 && findMaxConnections() <= 10_000);
  });

  it('one address may use only its share of the connections', () => {
    const server = new Server();
    const rejected: unknown[] = [];
    limitConnections(server, { max: 100, perAddress: 2 }, { add: (rejection) => rejected.push(rejection) });
    const open = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        isOpen: true,
        destroy: () => Object.assign(socket, { isOpen: false }),
      });
      server.emit('connection', socket);
      return socket;
    };
    const sockets = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'].map(open);
    assert.deepEqual(
      sockets.map(({ isOpen }) => isOpen),
      [true, true, false, true],
    );
    assert.equal(rejected.length, 1);
    sockets[0]?.emit('close');
    assert.deepEqual([open('192.0.2.1').isOpen, open('192.0.2.1').isOpen], [true, false]);
  });

  it('IPv6 addresses count by their /64 network', () => {
    assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
    assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
    assert.equal(networkOf('2001:db8:1:2::1'), '2001:db8:1:2');
    assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0');
    assert.equal(networkOf('2001:0DB8:0:0::1'), '2001:db8:0:0');
    assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0');
    assert.equal(networkOf('::1'), '0:0:0:0');
  });
});
