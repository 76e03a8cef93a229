import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createOutbound, type Outbound } from '../../../src/domain/outbound/outbound.ts';
import { startRawServer } from '../../support/models.ts';
import { type NameServer, startNameServer } from '../../support/name-server.ts';

const post = { workspaceId: 'u_1', method: 'POST' as const, headers: {}, timeoutMs: 60_000 };

describe('The thread for other servers', () => {
  let outbound: Outbound;
  let names: NameServer;
  before(async () => {
    names = await startNameServer({ 'slow.example': 'silent', 'private.example': ['10.0.0.1'] });
    outbound = createOutbound({ allow: ['127.0.0.1'], nameServers: [names.address] });
  });
  after(async () => {
    await outbound.close();
    await names.close();
  });

  it('returns the status, and the text of errors only', async () => {
    const server = await startRawServer((req, res) => {
      const status = Number(req.url?.slice(-3));
      res.writeHead(status, { 'retry-after': '7' }).end(`status ${status}`);
    });
    const send = async (status: number) => {
      const { date, ...response } = await outbound.request({ ...post, url: `${server.url}/${status}` });
      assert.ok(!Number.isNaN(Date.parse(date ?? '')));
      return response;
    };
    assert.deepEqual(await send(204), { status: 204, retryAfter: '7', text: '' });
    assert.deepEqual(await send(200), { status: 200, retryAfter: '7', text: '' });
    assert.deepEqual(await send(503), { status: 503, retryAfter: '7', text: 'status 503' });
    await server.close();
  });

  it('refuses URLs that lead to private addresses, but not those whose name server does not respond', async () => {
    await assert.rejects(outbound.assertAllowed('u_1', new URL('https://private.example/')), { kind: 'blocked' });
    await assert.rejects(outbound.assertAllowed('u_1', new URL('ftp://public.example/')), { kind: 'blocked' });
    const slow = [1, 2].map(() => outbound.assertAllowed('u_1', new URL('https://slow.example/')));
    await assert.rejects(outbound.assertAllowed('u_2', new URL('https://private.example/')), { kind: 'blocked' });
    await Promise.all(slow);
  });

  it('ends requests when it is closed, and starts again with the next one', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const server = await startRawServer((_req, res) => {
      resolve();
      res.on('error', () => undefined);
    });
    const failing = assert.rejects(outbound.request({ ...post, url: server.url }), { kind: 'network' });
    await arrived;
    await outbound.close();
    await failing;
    await server.close();
    await assert.rejects(outbound.request({ ...post, url: server.url }), { kind: 'refused' });
  });
});
