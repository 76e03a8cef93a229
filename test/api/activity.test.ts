import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register, signIn, type TestAccount } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

interface Activity {
  data: { id: string; type: string; at: string; address: string | null; userAgent: string | null }[];
  nextCursor: string | null;
}

for (const engine of engines) {
  describe(`GET /api/account/activity (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    async function activityOf({ token: key }: { token: string }, query = ''): Promise<Activity> {
      await service.ctx.recorder.flush();
      const response = await call(service, 'GET', `/api/account/activity${query}`, { key });
      assert.equal(response.status, 200, response.text);
      return response.body as Activity;
    }

    it('200: shows sign-in, failed sign-in, rotation and password change, the newest first, with address and browser', async () => {
      const account = await register(service);
      const userAgent = 'Test Browser/1.0';
      const login = (password: string) =>
        call(service, 'POST', '/api/auth/token', { body: { email: account.email, password }, headers: { 'user-agent': userAgent } });
      assert.equal((await login(account.password)).status, 200);
      assert.equal((await login('a wrong password')).status, 401);
      const cookie = await signIn(service, account);
      const changed = await call(service, 'POST', '/api/session/change-password', {
        cookie,
        body: { currentPassword: account.password, newPassword: 'another long password' },
        headers: { origin: service.url, 'user-agent': userAgent },
      });
      assert.equal(changed.status, 200, changed.text);
      const reset = await call(service, 'DELETE', '/api/auth/token', { key: account.token, headers: { 'user-agent': userAgent } });

      const { data, nextCursor } = await activityOf(reset.body as { token: string });
      const types = data.map(({ type }) => type);
      assert.equal(nextCursor, null);
      assert.equal(types[0], 'key_reset');
      assert.equal(types.at(-1), 'account_created');
      for (const type of ['sign_in', 'sign_in_failed', 'password_changed']) assert.ok(types.includes(type), `${type} in ${types}`);
      for (const { type, at, address } of data) {
        assert.equal(address, '127.0.0.1', type);
        assert.equal(new Date(at).toISOString(), at);
      }
      for (const type of ['key_reset', 'sign_in_failed', 'password_changed']) {
        assert.equal(data.find((event) => event.type === type)?.userAgent, userAgent, type);
      }
      assert.doesNotMatch(JSON.stringify(data), /ph_[0-9a-f]{64}|password"/);
    });

    it('200: pages are complete and without repetition while more events happen', async () => {
      const account = await register(service);
      for (let index = 0; index < 7; index += 1)
        service.ctx.audit({ type: 'sign_in', accountId: account.userId, client: { address: `10.0.0.${index}`, userAgent: undefined } });
      const everything = (await activityOf(account)).data.map(({ id }) => id);
      assert.equal(everything.length, 8);

      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        assert.ok(seen.length < everything.length, 'there are no more pages than entries');
        const page: Activity = await activityOf(account, `?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor;
        service.ctx.audit({ type: 'sign_in', accountId: account.userId });
      } while (cursor !== null);
      assert.deepEqual(seen, everything);
    });

    it('200: ASVS 8.2.2: shows no other account’s events, and a failed sign-in only to the account that was tried', async () => {
      const [tried, other] = [await register(service), await register(service)];
      await call(service, 'POST', '/api/auth/token', { body: { email: tried.email, password: 'a wrong password' } });
      await call(service, 'POST', '/api/auth/token', { body: { email: 'nobody@example.com', password: 'a wrong password' } });
      assert.deepEqual(await typesOf(tried), ['sign_in_failed', 'account_created']);
      assert.deepEqual(await typesOf(other), ['account_created']);
    });

    it('200: an event is stored after a clean stop', async (t) => {
      const database = await engine.create();
      const first = await startService({ engine, database });
      t.after(() => first.close());
      const account = await register(first);
      await first.close();
      const second = await startService({ engine, database });
      t.after(async () => {
        await second.close();
        await database.remove();
      });
      const response = await call(second, 'GET', '/api/account/activity', { key: account.token });
      assert.deepEqual(
        (response.body as Activity).data.map(({ type }) => type),
        ['account_created'],
      );
    });

    it('400: a bad limit or cursor', async () => {
      const { token: key } = await register(service);
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'since=2026-03-01']) {
        assert.equal((await call(service, 'GET', `/api/account/activity?${query}`, { key })).status, 400, query);
      }
    });

    it('401: without a key', async () => {
      const response = await call(service, 'GET', '/api/account/activity');
      assert.equal(response.status, 401);
      assert.equal(response.text, '{"error":"Unauthorized"}');
    });

    async function typesOf(account: TestAccount): Promise<string[]> {
      return (await activityOf(account)).data.map(({ type }) => type);
    }
  });
}
