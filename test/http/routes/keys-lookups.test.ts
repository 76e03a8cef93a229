import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { call, type RequestOptions, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

for (const engine of engines) {
  describe(`Key lookups of one request (${engine.name})`, () => {
    let service: Service;
    let account: TestAccount;
    let member: TestAccount;
    let cookie: string;
    let looked: string[] = [];
    let failure: AppError | undefined;
    before(async () => {
      service = await startService({
        engine,
        prepare({ store }) {
          const { findAccount } = store.keys;
          store.keys.findAccount = (key, workspaceId) => {
            looked.push(key);
            if (failure) throw failure;
            return findAccount(key, workspaceId);
          };
        },
      });
      account = await register(service);
      cookie = await signIn(service, account);
      member = await newMember(service, account, 'viewer');
      const body = { name: 'greeting', template: 'Hello' };
      assert.equal((await call(service, 'POST', '/api/prompts', { key: account.token, body })).status, 201);
      assert.equal((await call(service, 'GET', '/api/prompts', { key: account.token })).status, 200, 'now in the response cache');
    });
    after(() => service.close());

    /** The number of keys looked up in PostgreSQL. The embedded engine has no such metric. */
    const queriedKeys = () => service.ctx.store.metrics().find(({ name }) => name === 'promptharbor_lookup_keys_total')?.value;

    type Credentials = Record<'known' | 'member' | 'stranger' | 'unknown' | 'session', RequestOptions>;
    const requests: [
      name: string,
      lookups: 0 | 1 | 2,
      status: number,
      method: string,
      path: string,
      by: keyof Credentials,
      body?: unknown,
    ][] = [
      ['a verified key', 1, 200, 'GET', '/api/auth/token', 'known'],
      ['a response from the cache', 1, 200, 'GET', '/api/prompts', 'known'],
      ['a member, from the cache', 1, 200, 'GET', '/api/prompts', 'member'],
      ['a member, not from the cache', 1, 200, 'GET', '/api/prompts?limit=7', 'member'],
      ['no member of the workspace', 1, 404, 'GET', '/api/prompts', 'stranger'],
      ['no member of the workspace, with a POST', 1, 404, 'POST', '/api/render', 'stranger', { template: 'x' }],
      ['a response that is not in the cache', 1, 200, 'GET', '/api/prompts/greeting', 'known'],
      ['a request that the fast path leaves to the route', 1, 200, 'HEAD', '/api/prompts', 'known'],
      ['invalid input', 1, 400, 'GET', '/api/prompts?limit=0', 'known'],
      ['an unknown key', 1, 401, 'GET', '/api/auth/token', 'unknown'],
      ['an unknown key for prompts', 1, 401, 'GET', '/api/prompts', 'unknown'],
      ['an unknown prompt', 1, 404, 'GET', '/api/prompts/nobody', 'known'],
      ['an unknown path below /api/prompts', 1, 404, 'GET', '/api/prompts/a/b/c', 'known'],
      ['a POST, once more when its body has arrived', 2, 200, 'POST', '/api/render', 'known', { template: 'x' }],
      ['a POST with an unknown key', 1, 401, 'POST', '/api/render', 'unknown', { template: 'x' }],
      ['an unknown path elsewhere', 0, 404, 'GET', '/api/nowhere', 'known'],
      ['a session', 0, 200, 'GET', '/api/prompts', 'session'],
    ];
    for (const [name, lookups, status, method, path, by, body] of requests) {
      it(`${status} with ${['no lookup', 'one lookup', 'two lookups'][lookups]}: ${name}`, async () => {
        const credentials: Credentials = {
          known: { key: account.token },
          member: { key: member.token, ...inWorkspace(account) },
          stranger: { key: account.token, ...inWorkspace(member) },
          unknown: { key: `ph_${'0'.repeat(64)}` },
          session: { cookie },
        };
        const options = { ...credentials[by], body };
        looked = [];
        const queriedBefore = queriedKeys();
        const response = await call(service, method, path, options);
        assert.equal(response.status, status, response.text);
        assert.deepEqual(looked, Array(lookups).fill(options.key));
        if (queriedBefore !== undefined) assert.equal(queriedKeys(), queriedBefore + lookups);
      });
    }

    it('503 with one lookup: a lookup that fails', async () => {
      failure = new AppError('database_unavailable');
      try {
        for (const path of ['/api/auth/token', '/api/prompts']) {
          looked = [];
          assert.equal((await call(service, 'GET', path, { key: account.token })).status, 503);
          assert.deepEqual(looked, [account.token]);
        }
      } finally {
        failure = undefined;
      }
    });

    it('401 with one lookup: a key that was reset', async () => {
      const reset = await call(service, 'DELETE', '/api/auth/token', { key: account.token });
      looked = [];
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 401);
      assert.deepEqual(looked, [account.token]);
      account = { ...account, token: (reset.body as { token: string }).token };
    });
  });
}
