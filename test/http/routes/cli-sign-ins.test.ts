import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it, mock } from 'node:test';
import type { CliSignIn, StartedCliSignIn } from '../../../src/contract/cli-sign-ins.ts';
import { advanceClock, callFromPage, signUp, stopClock } from '../../support/browser.ts';
import { type ApiResponse, call } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

const newSecret = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

for (const engine of engines) {
  describe(`/api/auth/cli (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine, env: { TRUST_PROXY: 'true' } });
      stopClock();
    });
    after(async () => {
      mock.timers.reset();
      await service.close();
    });

    async function start(extra: object = {}) {
      const verifier = newSecret();
      const body = { challenge: challengeOf(verifier), computer: 'ada-laptop', ...extra };
      const headers = { 'x-forwarded-for': `203.0.113.${Math.floor(Math.random() * 250)}` };
      const response = await call(service, 'POST', '/api/auth/cli', { body, headers });
      assert.equal(response.status, 201, response.text);
      return { ...(response.body as StartedCliSignIn), verifier };
    }
    const claim = (verifier: string, code?: string, at: { url: string } = service) =>
      call(at, 'POST', '/api/auth/cli/token', { body: { verifier, ...(code !== undefined && { code }) } });
    const answer = (cookie: string, code: string, verb: 'approve' | 'deny') =>
      callFromPage(service, 'POST', `/api/session/cli/${code}/${verb}`, { cookie });
    const codeOf = (response: ApiResponse) =>
      new URL((response.body as { redirect: string }).redirect).searchParams.get('code') ?? undefined;

    it('200: the person types the code, sees who asks and approves; the command gets the one key of the account, once', async () => {
      const account = await signUp(service);
      const { userCode, url, verifier } = await start();
      assert.equal(url, '/cli', 'no link contains the code');
      assert.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      refused(await claim(verifier), 409, 'cli_sign_in_pending');
      const typed = userCode.toLowerCase().replace('-', ' ');
      const { body } = await callFromPage(service, 'POST', `/api/session/cli/${encodeURIComponent(typed)}`, { cookie: account.cookie });
      const { computer, address, sameNetwork, returnsToBrowser } = body as CliSignIn;
      assert.deepEqual([computer, address.startsWith('203.0.113.'), sameNetwork, returnsToBrowser], ['ada-laptop', true, false, false]);
      assert.deepEqual((await answer(account.cookie, typed, 'approve')).body, { redirect: null });
      const claimed = await claim(verifier);
      assert.equal(claimed.headers.get('cache-control'), 'no-store');
      const { email, token, userId } = account;
      assert.deepEqual(claimed.body, { token, userId, email, name: email.split('@')[0] });
      refused(await claim(verifier), 400, 'invalid_cli_sign_in');
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200, 'the key stays the same');
    });

    it('200: with a port, only with the code that the browser brings back', async () => {
      const account = await signUp(service);
      const { userCode, url, verifier } = await start({ port: 52_133 });
      assert.equal(url, `/cli?code=${userCode}`);
      refused(await claim(verifier, newSecret()), 400, 'invalid_cli_sign_in');
      const approved = await answer(account.cookie, userCode, 'approve');
      assert.match((approved.body as { redirect: string }).redirect, /^http:\/\/127\.0\.0\.1:52133\/\?code=[\w-]{43}$/);
      refused(await claim(verifier), 400, 'invalid_cli_sign_in');
      refused(await claim(verifier, newSecret()), 400, 'invalid_cli_sign_in');
      refused(await claim(newSecret(), codeOf(approved)), 400, 'invalid_cli_sign_in');
      const statuses = await Promise.all([1, 2, 3].map(async () => (await claim(verifier, codeOf(approved))).status));
      assert.deepEqual(statuses.sort(), [200, 400, 400]);
    });

    it('403: a denied sign-in, once; 404: a second answer to it, even by another account', async () => {
      const [account, other] = [await signUp(service), await signUp(service)];
      const { userCode, verifier } = await start();
      assert.equal((await answer(account.cookie, userCode, 'deny')).status, 200);
      refused(await answer(other.cookie, userCode, 'approve'), 404, 'cli_sign_in_not_found');
      refused(await claim(verifier), 403, 'cli_sign_in_denied');
      refused(await claim(verifier), 400, 'invalid_cli_sign_in');
    });

    it('400: after ten minutes, and after the session that approved it has ended', async () => {
      const account = await signUp(service);
      const old = await start();
      const unused = await start();
      assert.equal((await answer(account.cookie, unused.userCode, 'approve')).status, 200);
      await callFromPage(service, 'POST', '/api/session/sign-out', { cookie: account.cookie });
      refused(await claim(unused.verifier), 400, 'invalid_cli_sign_in');
      advanceClock(10 * 60);
      refused(await claim(old.verifier), 400, 'invalid_cli_sign_in');
      const { cookie } = await signUp(service);
      refused(await answer(cookie, old.userCode, 'approve'), 404, 'cli_sign_in_not_found');
    });

    it('401, 403: an answer without a session, with a key, or from another site', async () => {
      const account = await signUp(service);
      const { userCode } = await start();
      const path = `/api/session/cli/${userCode}/approve`;
      assert.equal((await callFromPage(service, 'POST', path)).status, 401);
      assert.equal((await call(service, 'POST', path, { key: account.token })).status, 401);
      const foreign = { cookie: account.cookie, headers: { origin: 'https://evil.example' } };
      assert.equal((await call(service, 'POST', path, foreign)).status, 403);
    });

    it('400: malformed requests; 200: the name of the computer is reduced to plain text', async () => {
      for (const body of [{}, { challenge: 'short', computer: 'x' }, { challenge: challengeOf('x'), computer: 'x', port: 80 }]) {
        assert.equal((await call(service, 'POST', '/api/auth/cli', { body })).status, 400);
      }
      const { cookie } = await signUp(service);
      const { userCode } = await start({ computer: 'x\u202e<b>\n' });
      const { body } = await callFromPage(service, 'POST', `/api/session/cli/${userCode}`, { cookie });
      assert.equal((body as CliSignIn).computer, 'xb');
    });

    it('429: an account that guesses codes, and an address that starts very many sign-ins', async () => {
      const { cookie } = await signUp(service);
      const guesses = [];
      for (let count = 0; count < 6; count += 1) guesses.push((await answer(cookie, 'BBBB-BBBB', 'approve')).status);
      assert.deepEqual(guesses, [404, 404, 404, 404, 404, 429]);
      const starts = [];
      for (let count = 0; count < 51; count += 1) {
        const body = { challenge: challengeOf(newSecret()), computer: 'x' };
        const headers = { 'x-forwarded-for': '198.51.100.77' };
        starts.push((await call(service, 'POST', '/api/auth/cli', { body, headers })).status);
      }
      assert.deepEqual([starts[0], starts.at(-1)], [201, 429]);
    });

    it('200: approved on one instance, claimed on another', async (t) => {
      const { database } = service;
      if (engine.name === 'SQLite') return t.skip('one process uses the embedded database');
      const second = await startService({ engine, database });
      t.after(() => second.close());
      const account = await signUp(service);
      const { userCode, verifier } = await start();
      refused(await claim(verifier, undefined, second), 409, 'cli_sign_in_pending');
      assert.equal((await answer(account.cookie, userCode, 'approve')).status, 200);
      assert.equal((await claim(verifier, undefined, second)).status, 200);
    });

    it('16.2.5: no verifier, code or key is in the log, and the approval is in the activity', async () => {
      const account = await signUp(service);
      const { userCode, verifier } = await start();
      await answer(account.cookie, userCode, 'approve');
      await claim(verifier);
      for (const secret of [verifier, account.token]) assert.ok(!service.logs().includes(secret));
      assert.ok(service.logs().includes(`"event":"cli_sign_in_approved","account":"${account.userId}"`));
    });
  });
}

function refused(response: ApiResponse, status: number, code: string): void {
  assert.deepEqual([response.status, (response.body as { code?: string }).code], [status, code], response.text);
}
