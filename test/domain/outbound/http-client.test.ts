import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createHttpClient, type HttpRequest } from '../../../src/domain/outbound/http-client.ts';
import { OutboundError } from '../../../src/domain/outbound/outbound-error.ts';
import { readBytes } from '../../../src/domain/outbound/read-bytes.ts';
import type { Resolve } from '../../../src/domain/outbound/resolver.ts';

const plain: Omit<HttpRequest, 'url'> = { method: 'POST', headers: {}, timeoutMs: 60_000 };

function resolveTo(...addresses: string[]): Resolve {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

async function errorOf(promise: Promise<unknown>): Promise<OutboundError> {
  const err: unknown = await promise.then(
    () => assert.fail('It was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(err instanceof OutboundError, String(err));
  return err;
}

describe('Requests to other servers', () => {
  let server: Server;
  let port: number;
  let respond: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => res.end('ok');
  let requests = 0;
  before(async () => {
    server = createServer((req, res) => {
      requests += 1;
      respond(req, res);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => server.close());
  const url = (path = '/', host = '127.0.0.1') => new URL(`http://${host}:${port}${path}`);
  const allowed = createHttpClient({ allow: ['127.0.0.1'] });

  it('are refused for every form of an address that is not public, and the error names the setting', async () => {
    const outbound = createHttpClient({ allow: [] });
    const before = requests;
    const hosts = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '017700000001', '0.0.0.0', '10.1.2.3', '169.254.169.254', '172.16.0.1'];
    const more = ['192.168.1.1', '100.64.0.1', '224.0.0.1', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'];
    const ipv6 = [
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[ff02::1]',
      '[2001:db8::1]',
      '[::ffff:0:7f00:1]',
      '[4000::1]',
    ];
    for (const host of [...hosts, ...more, ...ipv6]) {
      const err = await errorOf(outbound.send({ ...plain, url: url('/', host) }));
      assert.equal(err.kind, 'blocked', host);
      assert.match(err.message, /OUTBOUND_ALLOW=/);
    }
    assert.equal(requests, before);
  });

  it('are refused for names that resolve to a private address, even if they also resolve to a public one or end with a dot', async () => {
    const before = requests;
    const messages = new Set<string>();
    for (const resolve of [
      resolveTo('127.0.0.1'),
      resolveTo('93.184.215.14', '127.0.0.1'),
      resolveTo('::1'),
      resolveTo('::ffff:10.0.0.1'),
    ]) {
      const err = await errorOf(createHttpClient({ allow: [], resolve }).send({ ...plain, url: url('/', 'rebind.example') }));
      assert.equal(err.kind, 'blocked');
      messages.add(err.message);
      assert.match(String(err.cause), /127\.0\.0\.1|::1|10\.0\.0\.1/, 'the operator learns the address');
    }
    assert.deepEqual(
      [...messages],
      [
        'rebind.example is not a public address. To let the service connect to it, set OUTBOUND_ALLOW=rebind.example and restart the service',
      ],
      'the user does not learn what an internal name resolves to',
    );
    for (const host of ['localhost', 'localhost.', 'LOCALHOST'])
      assert.equal((await errorOf(createHttpClient({ allow: [] }).send({ ...plain, url: url('/', host) }))).kind, 'blocked');
    assert.equal(requests, before);
  });

  it('check the address of each request, so a name that changes is refused', async () => {
    let address = '127.0.0.2';
    const outbound = createHttpClient({ allow: ['127.0.0.1'], resolve: async () => [{ address, family: 4 }] });
    assert.equal((await errorOf(outbound.send({ ...plain, url: url('/', 'changes.example') }))).kind, 'blocked');
    address = '127.0.0.1';
    assert.equal((await outbound.send({ ...plain, url: url('/', 'changes.example') })).status, 200);
    address = '127.0.0.2';
    assert.equal((await errorOf(outbound.send({ ...plain, url: url('/', 'changes.example') }))).kind, 'blocked');
  });

  it('are sent to the exceptions: addresses, networks and names', async () => {
    for (const allow of [['127.0.0.1'], ['127.0.0.0/8'], ['::1', '127.0.0.1']]) {
      assert.equal((await createHttpClient({ allow }).send({ ...plain, url: url() })).status, 200);
    }
    const byName = createHttpClient({ allow: ['Models.Example'], resolve: resolveTo('127.0.0.1') });
    assert.equal((await byName.send({ ...plain, url: url('/', 'models.example.') })).status, 200);
    assert.equal((await errorOf(byName.send({ ...plain, url: url('/', 'others.example') }))).kind, 'blocked');
  });

  it('follow no redirect, and require a plain URL', async () => {
    respond = (_req, res) => res.writeHead(302, { location: `http://127.0.0.1:${port}/other` }).end();
    const before = requests;
    assert.equal((await allowed.send({ ...plain, url: url() })).status, 302);
    assert.equal(requests, before + 1);
    for (const address of ['ftp://example.com/', 'file:///etc/passwd', 'https://user:secret@example.com/', 'https://user@example.com/']) {
      assert.equal((await errorOf(allowed.send({ ...plain, url: new URL(address) }))).kind, 'blocked');
    }
  });

  it('read no more of a response than requested, and close the connection', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    respond = (_req, res) => {
      res.on('close', resolve);
      const write = (): void => {
        while (!res.destroyed && res.write('x'.repeat(65_536)));
      };
      res.on('drain', write);
      write();
    };
    const response = await allowed.send({ ...plain, url: url() });
    assert.equal((await readBytes(response.body, { maxBytes: 100_000 })).toString(), 'x'.repeat(100_000));
    await closed;
  });

  it('fail with a clear message: refused, unknown, silent, cut off, not HTTP, not TLS', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const freePort = (closed.address() as AddressInfo).port;
    closed.close();
    await once(closed, 'close');
    const refused = await errorOf(allowed.send({ ...plain, url: new URL(`http://127.0.0.1:${freePort}/`) }));
    assert.deepEqual([refused.kind, refused.message], ['refused', `127.0.0.1:${freePort} refused the connection`]);

    const unknown = createHttpClient({
      allow: [],
      resolve: async () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
    });
    assert.equal(
      (await errorOf(unknown.send({ ...plain, url: url('/', 'nowhere.example') }))).message,
      `The host nowhere.example:${port} was not found`,
    );

    respond = () => undefined;
    assert.equal((await errorOf(allowed.send({ ...plain, timeoutMs: 50, url: url() }))).kind, 'timeout');

    respond = (_req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('x', () => res.destroy());
    };
    const cut = await allowed.send({ ...plain, url: url() });
    assert.equal((await errorOf(readBytes(cut.body, { maxBytes: 1000 }))).kind, 'network');

    respond = (req) => req.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
    assert.equal((await errorOf(allowed.send({ ...plain, url: url() }))).kind, 'network');

    assert.equal((await errorOf(allowed.send({ ...plain, url: new URL(`https://127.0.0.1:${port}/`) }))).kind, 'tls');
  });

  it('end when the caller ends them', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<IncomingMessage>();
    respond = (req) => resolve(req);
    const controller = new AbortController();
    const sent = allowed.send({ ...plain, url: url(), signal: controller.signal });
    const req = await arrived;
    const closed = once(req.socket, 'close');
    controller.abort();
    await errorOf(sent);
    await closed;
  });
});
