import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callFromPage, codeOf, signUp, wrongCodeOf } from '../../support/browser.ts';
import { call, register, signIn, type TestAccount } from '../../support/client.ts';
import { freezeClock } from '../../support/clock.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

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
      // Flushes twice, because the first flush may join a write that began before the newest event.
      await service.ctx.recorder.flush();
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

    it('200: ASVS 16.3.1: every security-relevant act is shown and logged', async (t) => {
      const account = await signUp(service);
      const { userId, email, password } = account;
      freezeClock(t);
      const post = (path: string, cookie: string, body?: unknown) =>
        callFromPage(service, 'POST', path, { cookie, ...(body !== undefined && { body }) });
      const newest = async () => (await typesOf(account))[0];
      const [here, there] = [await signIn(service, account), await signIn(service, account)];

      await post('/api/session/sign-out', there);
      assert.equal(await newest(), 'sign_out');
      await post('/api/session/end-others', here);
      assert.equal(await newest(), 'sessions_ended');
      await post('/api/session/end-others', here);
      assert.equal((await typesOf(account)).filter((type) => type === 'sessions_ended').length, 1, 'none if there was none to end');
      await signIn(service, account);
      const { body } = await call(service, 'GET', '/api/session/list', { cookie: here });
      const other = (body as { data: { id: string; current: boolean }[] }).data.find(({ current }) => !current);
      await callFromPage(service, 'DELETE', `/api/session/list/${other?.id}`, { cookie: here });
      assert.equal(await newest(), 'sessions_ended');

      const started = await post('/api/account/two-factor', here, { password });
      assert.equal(await newest(), 'two_factor_started');
      const { secret } = started.body as { secret: string };
      await post('/api/account/two-factor/confirm', here, { code: wrongCodeOf(secret) });
      assert.equal(await newest(), 'confirmation_failed');
      await post('/api/account/two-factor/confirm', here, { code: codeOf(secret) });
      assert.equal(await newest(), 'two_factor_enabled');
      const proof = { password, code: codeOf(secret, 1) };
      assert.equal((await post('/api/account/two-factor/recovery-codes', here, proof)).status, 200);
      assert.equal(await newest(), 'recovery_codes_replaced');

      await post('/api/session/change-password', here, { currentPassword: 'wrong', newPassword: 'another long password' });
      assert.equal(await newest(), 'confirmation_failed');
      await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email } });
      await service.ctx.mails.drain(5000);
      assert.equal(await newest(), 'password_reset_requested');
      for (let guess = 0; guess < 6; guess += 1) await call(service, 'POST', '/api/auth/token', { body: { email, password: 'wrong' } });
      assert.deepEqual((await typesOf(account)).slice(0, 3), ['attempts_throttled', 'sign_in_failed', 'sign_in_failed'], 'once a wait');
      for (const type of new Set(await typesOf(account)))
        assert.ok(service.logs().includes(`"event":"${type}","account":"${userId}"`), type);
    });

    it('ASVS 16.3.1: only the id and the time of a deletion are kept of a deleted account', async () => {
      const account = await signUp(service);
      await activityOf(account);
      const before = new Date().toISOString();
      const { status } = await callFromPage(service, 'DELETE', '/api/account', {
        cookie: account.cookie,
        body: { password: account.password },
      });
      assert.equal(status, 204);
      await service.ctx.background.drain(60_000);
      await service.ctx.recorder.flush();
      assert.ok((await service.ctx.store.accounts.listDeletedSince(new Date(before))).includes(account.userId));
      assert.deepEqual(await service.ctx.store.activity.list(account.userId, { beforeId: undefined, limit: 10 }), []);
      assert.ok(service.logs().includes(`"event":"account_deleted","account":"${account.userId}"`));
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
