import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { after, before, describe, it } from 'node:test';
import { createHttpClient } from '../../../src/domain/outbound/http-client.ts';
import { createResolve } from '../../../src/domain/outbound/resolver.ts';
import { type NameServer, startNameServer } from '../../support/name-server.ts';

const never = new AbortController().signal;

describe('Names that users enter', () => {
  let server: NameServer;
  before(async () => {
    server = await startNameServer({
      'public.example': ['93.184.215.14'],
      'private.example': ['93.184.215.14', '10.0.0.1'],
      'slow.example': 'silent',
    });
  });
  after(() => server.close());
  const create = (isTrusted = (_name: string) => false) => createResolve({ isTrusted, nameServers: [server.address] });

  it('are looked up at name servers directly, and all their addresses are found', async () => {
    assert.deepEqual(await create()('public.example', never), [{ address: '93.184.215.14', family: 4 }]);
    await assert.rejects(create()('unknown.example', never), { code: 'ENOTFOUND' });
  });

  it('are refused if any of their addresses is private, before a request and when they are entered', async () => {
    const client = createHttpClient({ allow: [], nameServers: [server.address] });
    const url = new URL('http://private.example/');
    await assert.rejects(client.send({ url, method: 'GET', headers: {}, timeoutMs: 60_000 }), { kind: 'blocked' });
    await assert.rejects(client.assertAllowed(url), { kind: 'blocked' });
  });

  it('ASVS 15.2.2: whose server never responds are canceled with the request, and never occupy the system’s lookup queue', async () => {
    const controllers = Array.from({ length: 200 }, () => new AbortController());
    const resolve = create();
    const lookups: Promise<unknown>[] = [];
    for (const { signal } of controllers) {
      const asked = server.nextQuestion();
      lookups.push(resolve('slow.example', signal));
      // The questions are sent one at a time, because the system drops datagrams that arrive faster than the server reads them.
      await asked;
    }
    // The system's own lookups, such as for the database's host, still work while these lookups wait.
    assert.ok((await lookup('localhost')).address);
    assert.deepEqual(await resolve('public.example', never), [{ address: '93.184.215.14', family: 4 }]);
    for (const controller of controllers) controller.abort();
    for (const result of await Promise.allSettled(lookups)) assert.equal(result.status, 'rejected');
  });

  it('without a dot, and those that the operator allows, are looked up as the system does', async () => {
    const before = server.asked.length;
    assert.ok((await create()('localhost', never)).some(({ address }) => address === '127.0.0.1' || address === '::1'));
    await assert.rejects(create((name) => name === 'models.invalid')('models.invalid', never));
    assert.deepEqual(server.asked.slice(before), []);
  });
});
