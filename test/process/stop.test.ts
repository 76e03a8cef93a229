import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { call, register } from '../support/client.ts';
import { parseEvents, readEvents, startRawServer } from '../support/models.ts';
import { serveProgram, withDataDir } from '../support/process.ts';
import { nextData } from '../support/raw.ts';
import { retryUntil } from '../support/retry.ts';

describe('promptharbor serve: stop', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal}, sent twice: a request in flight is served, new connections are refused, exit 0`, () =>
      withDataDir(async (dataDir) => {
        const service = await serveProgram({ DATA_DIR: dataDir });
        const { port } = new URL(service.url);
        const body = JSON.stringify({ email: 'slow@example.com', password: 'a long enough password' });
        const socket = connect(Number(port), '127.0.0.1');
        let response = '';
        socket.setEncoding('utf8').on('data', (chunk: string) => {
          response += chunk;
        });
        // The request does not ask for the connection to be closed, so the service must close it.
        socket.write(
          `POST /api/auth/register HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`,
        );
        await nextData(socket);
        assert.match(response, /^HTTP\/1\.1 100 Continue/, 'the request has started');

        service.child.kill(signal);
        await waitUntilRefused(Number(port));
        // When the service runs under npm, Ctrl+C arrives twice.
        service.child.kill(signal);
        socket.write(body);
        await once(socket, 'close');
        assert.match(response, /HTTP\/1\.1 201 Created\r\n/);
        assert.match(response, /"token":"ph_[0-9a-f]{64}"/);
        const { code, stdout } = await service.finished;
        assert.equal(code, 0);
        assert.match(stdout, /"msg":"stopped"/);
        assert.match(stdout, /"route":"\/api\/auth\/register","status":201/, 'its log line is written');
      }));
  }

  it('with DRAIN_MS: not ready at once, but requests on new connections are still served', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir, DRAIN_MS: '300000' });
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
      service.child.kill('SIGTERM');
      await retryUntil('the service is not ready', async () => (await call(service, 'GET', '/readyz')).status === 503);
      assert.deepEqual((await call(service, 'GET', '/readyz')).body, { error: 'The service is stopping.', code: 'overloaded' });
      assert.equal((await fetch(`${service.url}/healthz`, { headers: { connection: 'close' } })).status, 200);
      assert.match((await register(service)).token, /^ph_/);
      await service.kill();
    }));

  it('with DRAIN_MS: stops when the time is over', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir, DRAIN_MS: '1' });
      const { code, stdout } = await service.stop();
      assert.equal(code, 0);
      assert.match(stdout, /"msg":"draining[^\n]*\n(?:.*\n)*.*"msg":"stopped"/);
    }));

  it('the streams of runs and checks end with an event that says so', (t) =>
    withDataDir(async (dataDir) => {
      const begun: ServerResponse[] = [];
      const { promise: bothBegun, resolve } = Promise.withResolvers<void>();
      const model = await startRawServer((_req, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write('data: {"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}\n\n');
        if (begun.push(res) === 2) resolve();
      });
      t.after(() => model.close());
      const service = await serveProgram({ DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1' });
      const { token: key } = await register(service);
      const send = (method: string, path: string, body: object) => call(service, method, path, { key, body });
      await send('POST', '/api/prompts', { name: 'greet', template: 'Hello' });
      await send('POST', '/api/prompts/greet/cases', { name: 'one', variables: {}, checks: [] });
      await send('POST', '/api/models', { name: 'm', baseUrl: model.url, models: ['some-model'], apiKey: 'k' });
      const runStream = await fetch(`${service.url}/api/prompts/greet/run`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ connection: 'm' }),
      });
      assert.ok(runStream.body);
      const chunks = runStream.body.pipeThrough(new TextDecoderStream()).values();
      let received = '';
      while (!received.includes('Hel')) received += (await chunks.next()).value ?? assert.fail(received);
      const checksStream = send('POST', '/api/prompts/greet/checks', { connection: 'm' });
      await bothBegun;
      assert.equal((await service.stop()).code, 0);
      const run = parseEvents(`${received}${(await Array.fromAsync(chunks)).join('')}`);
      assert.deepEqual(
        run.map(({ event }) => event),
        ['delta', 'usage', 'error'],
      );
      assert.equal(run.at(-1)?.data.code, 'canceled');
      assert.match(String(run.at(-1)?.data.message), /^The service stopped before the run was complete/);
      assert.deepEqual(readEvents(await checksStream).at(-1), {
        event: 'error',
        data: { code: 'service_stopping', message: 'The service is stopping. Try again when it is back.', status: 503 },
      });
    }));

  it('a third signal ends it at once, whatever is in flight', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir });
      const { port } = new URL(service.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        'POST /api/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n',
      );
      await nextData(socket);
      service.child.kill('SIGINT');
      await waitUntilRefused(Number(port));
      // The test sends different signals, because the system merges pending signals of one kind.
      service.child.kill('SIGTERM');
      service.child.kill('SIGINT');
      const { code, stdout, stderr } = await service.finished;
      assert.ok(code === 130 || code === 143, `exit code ${code}`);
      assert.doesNotMatch(stdout, /"msg":"stopped"/);
      assert.match(stderr, /again, exiting without waiting/);
    }));

  it('idle connections do not delay it', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir });
      const { port } = new URL(service.url);
      const fresh = connect(Number(port), '127.0.0.1');
      const used = connect(Number(port), '127.0.0.1');
      used.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: keep-alive\r\n\r\n');
      await Promise.all([once(fresh, 'connect'), nextData(used)]);
      const closed = Promise.all([once(fresh, 'close'), once(used, 'close')]);
      assert.equal((await service.stop()).code, 0);
      await closed;
    }));

  it('ASVS 15.2.2: a client that never finishes is disconnected', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir });
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        'POST /api/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n',
      );
      await nextData(socket);
      assert.equal((await service.stop()).code, 0);
    }));

  it('a request on an open connection during the stop gets a regular response', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir });
      const { token } = await register(service);
      const { port } = new URL(service.url);
      // The service stops only after this connection, which is still busy, has its response.
      const socket = connect(Number(port), '127.0.0.1');
      let response = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        response += chunk;
      });
      socket.write(
        'POST /api/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
      );
      await nextData(socket);
      service.child.kill('SIGTERM');
      await waitUntilRefused(Number(port));
      socket.write(`{}GET /api/auth/token HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
      await once(socket, 'close');
      const statuses = [...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      assert.ok(statuses.join() === '100,400' || statuses.join() === '100,400,200', response);
      assert.equal((await service.finished).code, 0);
    }));

  it('after kill -9 and a restart the acknowledged key works, and the old ones do not', () =>
    withDataDir(async (dataDir) => {
      const first = await serveProgram({ DATA_DIR: dataDir });
      const { token, email, password } = await register(first);
      const keys = [token];
      for (let count = 0; count < 3; count += 1) {
        const response = await call(first, 'DELETE', '/api/auth/token', { key: keys.at(-1) ?? '' });
        keys.push((response.body as { token: string }).token);
      }
      await first.kill();

      const second = await serveProgram({ DATA_DIR: dataDir });
      const current = keys.pop() ?? '';
      assert.equal((await call(second, 'GET', '/api/auth/token', { key: current })).status, 200);
      for (const key of keys) assert.equal((await call(second, 'GET', '/api/auth/token', { key })).status, 401);
      const login = await call(second, 'POST', '/api/auth/token', { body: { email, password } });
      assert.equal((login.body as { token: string }).token, current);
      await second.stop();
    }));
});

/** Waits until the port refuses connections, which shows that the stop has begun. */
async function waitUntilRefused(port: number): Promise<void> {
  await retryUntil('the port still accepts connections', async () => {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return false;
    } catch {
      return true;
    } finally {
      socket.destroy();
    }
  });
}
