import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { call, register } from '../../support/client.ts';
import { retryUntil } from '../../support/retry.ts';
import { type Service, startService } from '../../support/service.ts';

describe('The event loop cannot keep up', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('ASVS 15.2.2: 503 with Retry-After, but 200 from /healthz', async () => {
    const { token } = await register(service);
    for (const [path, status] of [
      ['/api/prompts', 503],
      ['/api/auth/token', 503],
      ['/healthz', 200],
    ] as const) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n\r\n`);
      // The request waits in the socket while the event loop, which the service shares with this test, is blocked.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
      const response = Buffer.concat(await socket.toArray()).toString();
      assert.match(response, new RegExp(`^HTTP/1.1 ${status} `));
      if (status === 503) assert.match(response, /\r\nretry-after: 1\r\n.*"code":"overloaded"/s);
    }
  });

  it('401 again: requests are served once the event loop has caught up', async () => {
    let status: number | undefined;
    await retryUntil('the service still sheds load', async () => {
      status = (await call(service, 'GET', '/api/prompts')).status;
      return status !== 503;
    });
    assert.equal(status, 401);
  });
});
