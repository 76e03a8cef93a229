import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { allowInactivity } from '../../src/http/inactivity.ts';
import { createRejectionLog } from '../../src/http/observability/rejection-log.ts';
import { createServer } from '../../src/http/server.ts';

const logger = pino({ level: 'silent' });

/** Uses the service's HTTP server with shorter timeouts. */
describe('Slow clients', () => {
  let app: FastifyInstance;
  const patient = { arrived: Promise.withResolvers<void>(), finished: Promise.withResolvers<void>() };
  before(async () => {
    app = createServer({
      commonHeaders: {},
      trustProxy: false,
      logger,
      log: () => undefined,
      rejections: createRejectionLog(logger),
      timeouts: { headersMs: 100, requestMs: 200, inactivityMs: 300, keepAliveMs: 100, checkIntervalMs: 20 },
    });
    app.post('/slow', async () => new Promise(() => {}));
    app.post('/echo', async () => ({}));
    app.post('/patient', async (req, reply) => {
      allowInactivity(req, reply);
      patient.arrived.resolve();
      await patient.finished.promise;
      return {};
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => app.close());

  /** Sends the bytes, waits until the connection is closed, and returns the received data. */
  async function receive(bytes: string, onConnect: (socket: Socket) => void = () => undefined): Promise<string> {
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', () => undefined);
    socket.write(bytes);
    onConnect(socket);
    await once(socket, 'close');
    return received;
  }

  it('ASVS 15.2.2: a connection without a request is closed', async () => {
    const received = await receive('');
    assert.match(received, /^(HTTP\/1\.1 408 |$)/);
  });

  it('ASVS 15.2.2: 408: headers that do not end', async () => {
    assert.match(await receive('GET / HTTP/1.1\r\nhost: x\r\n'), /^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  });

  it('ASVS 15.2.2: 408: headers that arrive byte by byte', async () => {
    const received = await receive('GET / HTTP/1.1\r\nhost: x\r\nx: ', (socket) => {
      const drip = setInterval(() => socket.write('y'), 10);
      socket.once('close', () => clearInterval(drip));
    });
    assert.match(received, /^HTTP\/1\.1 408 /);
  });

  it('ASVS 15.2.2: 408: a body that arrives byte by byte', async () => {
    const head = 'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n';
    const received = await receive(head, (socket) => {
      const drip = setInterval(() => socket.write(' '), 10);
      socket.once('close', () => clearInterval(drip));
    });
    assert.match(received, /^HTTP\/1\.1 408 /);
  });

  it('ASVS 15.2.2: a connection on which nothing happens is closed, even while a response is awaited', async () => {
    assert.equal(await receive('POST /slow HTTP/1.1\r\nhost: x\r\n\r\n'), '');
  });

  it('a response that may take long is not cut off, but the next one on its connection is', async () => {
    const slow = 'POST /slow HTTP/1.1\r\nhost: x\r\n\r\n';
    const received = receive('POST /patient HTTP/1.1\r\nhost: x\r\n\r\n', (socket) => socket.once('data', () => socket.write(slow)));
    await patient.arrived.promise;
    // When the service cuts this request off, the connection with the patient request has been inactive for longer.
    await receive(slow);
    patient.finished.resolve();
    assert.match(await received, /^HTTP\/1\.1 200 .*\{\}$/s);
  });

  it('ASVS 15.2.2: a connection that is kept open is closed without a next request', async () => {
    assert.match(await receive('POST /echo HTTP/1.1\r\nhost: x\r\n\r\n'), /^HTTP\/1\.1 200 /);
  });
});
