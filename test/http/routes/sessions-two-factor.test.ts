import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import {
  advanceClock,
  callFromPage,
  codeOf,
  enableTwoFactor,
  stopClock,
  type TwoFactorAccount,
  wrongCodeOf,
} from '../../support/browser.ts';
import { type ApiResponse, call, register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

const required = '{"error":"Enter the code from your authenticator app","code":"code_required"}';

// ASVS 6.3.4: both ways to sign in have the same protection.
for (const path of ['/api/auth/token', '/api/session/sign-in/email']) {
  for (const engine of engines) {
    describe(`POST ${path} with two-factor on (${engine.name})`, () => {
      let service: Service;
      before(async () => {
        service = await startService({ engine });
        stopClock();
      });
      after(async () => {
        mock.timers.reset();
        await service.close();
      });

      const enabled = () => enableTwoFactor(service);
      const login = ({ email, password }: { email: string; password: string }, extra: Record<string, unknown> = {}) =>
        callFromPage(service, 'POST', path, { body: { email, password, ...extra } });

      it('ASVS 6.3.3, 6.3.4: 200: with the code of now, of the step before and of the step after', async () => {
        for (const steps of [-1, 0, 1]) {
          const account = await enabled();
          advanceClock(30);
          const response = await login(account, { code: codeOf(account.secret, steps) });
          assert.equal(response.status, 200, `${steps}: ${response.text}`);
          assert.equal((response.body as { userId: string }).userId, account.userId);
        }
      });

      it('200: a code typed with a space, a recovery code typed in capitals and without dashes', async () => {
        const account = await enabled();
        const code = codeOf(account.secret);
        assert.equal((await login(account, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).status, 200);
        const recovery = account.recoveryCodes[0]?.replaceAll('-', '').toUpperCase();
        assert.equal((await login(account, { code: recovery })).status, 200);
      });

      it('200: with two-factor off a code is ignored', async () => {
        assert.equal((await login(await register(service), { code: '000000' })).status, 200);
      });

      it('ASVS 6.3.3: 401: code_required for the right password alone, without a session', async () => {
        const account = await enabled();
        for (const extra of [{}, { code: '' }, { code: '  ' }]) {
          const response = await login(account, extra);
          assert.equal(response.status, 401);
          assert.equal(response.text, required);
          assert.deepEqual(response.headers.getSetCookie(), []);
        }
      });

      it('ASVS 6.3.8: 401: a wrong password reveals nothing about the second factor, even with a right code', async () => {
        const account = await enabled();
        for (const extra of [{}, { code: codeOf(account.secret) }, { code: account.recoveryCodes[0] }]) {
          const response = await login({ ...account, password: 'wrong password' }, extra);
          assert.equal(response.status, 401);
          assert.equal(codeIn(response), 'invalid_credentials');
        }
        assert.equal((await login(account, { code: codeOf(account.secret) })).status, 200, 'the code was not used up');
      });

      it('401: invalid_code for a wrong, an old and a future code, and for one of another account', async () => {
        const [account, other] = [await enabled(), await enabled()];
        advanceClock(60);
        const wrong = [wrongCodeOf(account.secret), codeOf(account.secret, -2), codeOf(account.secret, 2), other.recoveryCodes[0] ?? ''];
        for (const code of wrong) {
          const response = await login(account, { code });
          assert.equal(response.status, 401, code);
          assert.equal(codeIn(response), 'invalid_code', code);
        }
        assert.equal((await login(other, { code: other.recoveryCodes[0] })).status, 200, 'the other code is still valid');
      });

      it('401: a code is accepted once, and no earlier one after it', async () => {
        const account = await enabled();
        advanceClock(30);
        const before = codeOf(account.secret, -1);
        const code = codeOf(account.secret);
        assert.equal((await login(account, { code })).status, 200);
        assert.equal(codeIn(await login(account, { code })), 'invalid_code');
        assert.equal(codeIn(await login(account, { code: before })), 'invalid_code');
        advanceClock(30);
        assert.equal((await login(account, { code: codeOf(account.secret) })).status, 200);
      });

      it('401: the code that confirmed the set-up does not sign in', async () => {
        const account = await enabled();
        assert.equal(codeIn(await login(account, { code: codeOf(account.secret, -1) })), 'invalid_code');
      });

      it('401: of four concurrent uses of one code exactly one succeeds', async () => {
        const account = await enabled();
        await assertOneWins(account, codeOf(account.secret));
      });

      it('401: of four concurrent uses of one recovery code exactly one succeeds, and the other codes stay valid', async () => {
        const account = await enabled();
        await assertOneWins(account, account.recoveryCodes[5] ?? '');
        assert.equal((await login(account, { code: account.recoveryCodes[6] })).status, 200);
      });

      it('400: a code of a wrong type or too long', async () => {
        const account = await enabled();
        for (const code of [123456, null, ['123456'], { $ne: '' }, '1'.repeat(65)]) {
          assert.equal((await login(account, { code })).status, 400, JSON.stringify(code));
        }
      });

      it('401: invalid codes, including NUL and other scripts', async () => {
        const account = await enabled();
        for (const code of ['12345\u0000', '\u0000', '１２３４５６', "' or 1=1 --"]) {
          assert.equal(codeIn(await login(account, { code })), 'invalid_code', code);
        }
      });

      it('ASVS 6.3.1: 429: wrong codes are throttled like wrong passwords, and the password alone does not reset the count', async () => {
        const account = await enabled();
        for (let guess = 0; guess < 5; guess += 1) {
          assert.equal((await login(account)).text, required);
          assert.equal(codeIn(await login(account, { code: wrongCodeOf(account.secret) })), 'invalid_code');
        }
        const throttled = await login(account, { code: codeOf(account.secret) });
        assert.equal(throttled.status, 429);
        assert.equal(throttled.headers.get('retry-after'), '1');
        assert.equal((await call(service, 'GET', '/api/account', { key: account.token })).status, 200, 'the key is never throttled');
        advanceClock(1);
        assert.equal((await login(account, { code: codeOf(account.secret) })).status, 200);
      });

      async function assertOneWins(account: TwoFactorAccount, code: string): Promise<void> {
        const responses = await Promise.all(Array.from({ length: 4 }, () => login(account, { code })));
        assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401, 401, 401]);
        for (const response of responses.filter(({ status }) => status === 401)) assert.equal(codeIn(response), 'invalid_code');
      }
    });
  }
}

for (const engine of engines) {
  describe(`DELETE /api/account with two-factor on (${engine.name})`, () => {
    it('401 without and with a wrong code, 204 with a right one', async () => {
      const service = await startService({ engine });
      stopClock();
      try {
        const { cookie, password, secret, token } = await enableTwoFactor(service);
        const remove = (code?: string) =>
          callFromPage(service, 'DELETE', '/api/account', { cookie, body: { password, ...(code && { code }) } });
        assert.equal((await remove()).text, required);
        assert.equal(codeIn(await remove(wrongCodeOf(secret))), 'invalid_code');
        assert.equal((await call(service, 'GET', '/api/account', { key: token })).status, 200);
        assert.equal((await remove(codeOf(secret))).status, 204);
        assert.equal((await call(service, 'GET', '/api/account', { key: token })).status, 401);
      } finally {
        mock.timers.reset();
        await service.close();
      }
    });
  });
}

function codeIn(response: ApiResponse): string | undefined {
  return (response.body as { code?: string }).code;
}
