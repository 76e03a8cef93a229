import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { call } from '../../support/client.ts';
import { hostileMessages } from '../../support/hostile/mcp.ts';
import { describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { sendRawOnce } from '../../support/raw.ts';
import { openTestSession } from '../../support/workspaces.ts';

const accept = { accept: 'application/json, text/event-stream' };
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describeOnEveryEngine('POST /mcp', (service) => {
  it('401: without a valid key, even with a session, and without offering OAuth', async () => {
    const owner = await newClient(service());
    const cookie = await openTestSession(service(), owner);
    const own = { origin: service().url };
    for (const options of [{}, { key: 'ph_wrong' }, { cookie, headers: { ...accept, ...own } }]) {
      const { status, headers, text } = await call(service(), 'POST', '/mcp', { body: ping, headers: accept, ...options });
      assert.deepEqual([status, text, headers.get('www-authenticate')], [401, '{"error":"Unauthorized"}', 'Bearer']);
    }
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server', 'openid-configuration']) {
      const { status, headers } = await call(service(), 'GET', `/.well-known/${path}`);
      assert.equal(status, 404);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
    }
  });

  it('403: from the page of another origin; 200 from our own and without one', async () => {
    const owner = await newClient(service());
    const statusFrom = async (origin?: string) =>
      (await owner.call('POST', '/mcp', ping, { key: owner.token, headers: { ...accept, ...(origin !== undefined && { origin }) } }))
        .status;
    assert.deepEqual(await Promise.all([statusFrom('https://evil.example'), statusFrom('null')]), [403, 403]);
    assert.deepEqual(await Promise.all([statusFrom(service().url), statusFrom()]), [200, 200]);
    // In a DNS rebinding attack, a name that belongs to the attacker resolves to this machine.
    const lines = ['POST /mcp HTTP/1.1', 'Host: evil.example', 'Origin: http://evil.example', `Authorization: Bearer ${owner.token}`];
    const more = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close', '', '{}'];
    assert.equal((await sendRawOnce(service(), [...lines, ...more].join('\r\n'))).status, 403);
  });

  it('400, 405, 413, 415: says what is wrong with the request', async () => {
    const owner = await newClient(service());
    const send = (body: unknown, path = '/mcp') => owner.call('POST', path, body, { key: owner.token, headers: accept });
    const batch = await send([ping, ping]);
    assert.deepEqual(
      [batch.status, (batch.body as { error: string }).error],
      [400, 'Send one message at a time. Batches are not supported.'],
    );
    assert.equal((await send(ping, '/mcp?label=No')).status, 400);
    assert.equal((await send(ping, '/mcp?other=1')).status, 400);
    assert.equal((await send({ ...ping, params: { _meta: { x: 'x'.repeat(1_100_000) } } })).status, 413);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await owner.call(method, '/mcp');
      assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
    }
    const text = await owner.call('POST', '/mcp', ping, { key: owner.token, headers: { ...accept, 'content-type': 'text/plain' } });
    assert.equal(text.status, 415);
  });

  it('-32602: names the params that do not fit their method, without the text of a library', async () => {
    const owner = await newClient(service());
    const message = { jsonrpc: '2.0', id: 'x', method: 'prompts/get', params: { arguments: { a: 1 } } };
    const { status, text } = await owner.call('POST', '/mcp', message, { key: owner.token, headers: accept });
    const error = { code: -32602, message: 'Invalid params: check params/name, params/arguments/a' };
    assert.deepEqual([status, text], [200, `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 'x', error })}\n\n`]);
  });

  it('503 and 500: an outage and a bug are errors of HTTP, which say nothing about their cause', async (t) => {
    const owner = await newClient(service());
    const send = (method: string) => owner.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method }, { key: owner.token, headers: accept });
    const list = t.mock.method(service().ctx.store, 'readSnapshot', async () => {
      throw new AppError('database_unavailable', { cause: new Error('secret cause') });
    });
    const away = await send('prompts/list');
    assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '1']);
    assert.equal((await send('tools/list')).status, 200);
    list.mock.mockImplementation(async () => {
      throw new Error('secret cause');
    });
    const failed = await send('prompts/list');
    assert.deepEqual([failed.status, failed.text.includes('secret')], [500, false]);
  });

  it('hostile messages: no 5xx, no data of another workspace, and the service works as before', async () => {
    const [owner, other] = [await newClient(service()), await newClient(service())];
    await owner.create({ name: 'own', template: 'Hello {{ x }}' });
    await other.create({ name: 'secret', template: 'the hidden text', description: 'the hidden description' });
    const logged = service().logs().length;
    let index = 0;
    for (const { headers, body } of hostileMessages(200)) {
      index += 1;
      const response = await fetch(`${service().url}/mcp`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${owner.token}` },
        body,
      });
      const text = await response.text();
      assert.ok(response.status < 500, `message ${index}: ${response.status} ${text}\n${body.slice(0, 500)}`);
      assert.doesNotMatch(text, /hidden|node_modules|\.ts:|select |"code":-32603|invalid_type/, `message ${index}`);
    }
    assert.equal((await owner.call('POST', '/mcp', ping, { key: owner.token, headers: accept })).status, 200);
    assert.doesNotMatch(service().logs().slice(logged), /"level":"error"/);
  });
});
