import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { register } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

describe('HOST=localhost', { skip: !(await hasIpv6()) && 'needs IPv6' }, () => {
  let service: Service;
  const urls = () => ['127.0.0.1', '[::1]'].map((host) => `http://${host}:${new URL(service.url).port}`);

  before(async () => {
    service = await startService({ env: { HOST: 'localhost', MAX_CONNECTIONS: '10' } });
  });
  after(() => service.close());

  it('has the fast path on both addresses', async () => {
    const { token } = await register(service);
    let ofFramework = 0;
    const count = () => {
      ofFramework += 1;
    };
    subscribe('tracing:fastify.request.handler:start', count);
    try {
      for (const url of urls()) {
        const verify = (key: string) =>
          fetch(`${url}/api/auth/token`, { headers: { authorization: `Bearer ${key}`, connection: 'close' } });
        assert.equal((await verify(token)).status, 200, url);
        assert.equal(ofFramework, 0, url);
        assert.equal((await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).status, 200);
        assert.equal(ofFramework, 1, url);
        ofFramework = 0;
      }
    } finally {
      unsubscribe('tracing:fastify.request.handler:start', count);
    }
  });

  it('refuses other protocols and ends open connections of both with the service', async (t) => {
    const service = await startService({ env: { HOST: 'localhost' } });
    t.after(() => service.close());
    const port = Number(new URL(service.url).port);
    const socket = connect(port, '::1');
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.write('GET /healthz\r\n\r\n');
    await once(socket, 'close');
    assert.match(received, /^HTTP\/1\.1 400/);
    const idle = connect(port, '::1');
    await once(idle, 'connect');
    const closed = once(idle, 'close');
    await service.close();
    await closed;
    await assert.rejects(fetch(`http://[::1]:${port}/healthz`));
  });

  it('refuses connections above the limit on both together', async () => {
    const port = Number(new URL(service.url).port);
    const open = async (host: string) => {
      const socket = connect(port, host);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
      const isServed = await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
      return { socket, isServed };
    };
    const opened = [];
    for (let number = 0; number < 14; number += 1) opened.push(await open(number % 2 === 0 ? '127.0.0.1' : '::1'));
    assert.equal(opened.filter(({ isServed }) => isServed).length, 10);
    for (const { socket } of opened) socket.destroy();
  });
});

async function hasIpv6(): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(0, '::1'), 'listening');
    return (server.address() as AddressInfo).port > 0;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
