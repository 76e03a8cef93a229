import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createStreamBuffers } from '../../src/http/stream-buffer.ts';

const event = 'x'.repeat(1000);

describe('Buffers of streams', () => {
  const server = createServer();
  let port: number;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    port = address.port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Opens a response whose client reads nothing until it is resumed. */
  async function openResponse(): Promise<{ socket: Socket; res: ServerResponse }> {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    // A `request` event has the request and the response.
    const [, res] = (await once(server, 'request')) as [unknown, ServerResponse];
    return { socket, res };
  }

  it('keep the order, even of data that is sent just before the end', async () => {
    const { socket, res } = await openResponse();
    const buffer = createStreamBuffers().open(res);
    const sent = Array.from({ length: 200 }, (_, index) => `<${index}>`);
    for (const text of sent) buffer.write(text);
    res.end();
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const received = Buffer.concat(chunks).toString().match(/<\d+>/g);
    assert.deepEqual(received, sent);
  });

  it('report when a client has received what was sent, or has disconnected', async () => {
    const { socket, res } = await openResponse();
    const buffer = createStreamBuffers({ perTenant: 64 * 1024 * 1024, total: 64 * 1024 * 1024 }).open(res);
    let isDrained = false;
    for (let count = 0; count < 30_000; count += 1) buffer.write(event);
    const drained = buffer.drained().then(() => {
      isDrained = true;
    });
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    assert.deepEqual([isDrained, buffer.isEmpty()], [false, false]);
    socket.resume();
    await drained;
    socket.pause();
    for (let count = 0; count < 30_000; count += 1) buffer.write(event);
    const again = buffer.drained();
    socket.destroy();
    await again;
  });

  it('disconnect a client that is too far behind; when the total is reached, all clients that are noticeably behind, and no others', async () => {
    const buffers = createStreamBuffers({ perTenant: 256 * 1024, total: 64 * 1024 });
    const reading = await openResponse();
    const unread = [await openResponse(), await openResponse()];
    reading.socket.resume();
    const readingBuffer = buffers.open(reading.res);
    const unreadBuffers = unread.map(({ res }) => buffers.open(res));
    for (let count = 0; count < 100_000 && unread.some(({ res }) => !res.destroyed); count += 1) {
      readingBuffer.write(event);
      for (const buffer of unreadBuffers) buffer.write(event);
      await nextTurn();
    }
    assert.ok(unread.every(({ res }) => res.destroyed));
    assert.equal(reading.res.destroyed, false);
    // The destroyed responses no longer count, so the reading client gets much more data without being disconnected.
    for (let count = 0; count < 40; count += 1) readingBuffer.write(event);
    assert.equal(reading.res.destroyed, false);
    reading.socket.destroy();
  });
});
