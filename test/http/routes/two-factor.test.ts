import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { advanceClock, callFromPage, codeOf, enableTwoFactor, isSignedIn, signUp, stopClock, wrongCodeOf } from '../../support/browser.ts';
import { type ApiResponse, call, cookieOf, register, signIn } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

const path = '/api/account/two-factor';
const codeFormat = /^[a-km-np-z2-9]{5}(-[a-km-np-z2-9]{5}){3}$/;

for (const engine of engines) {
  describe(`${path} (${engine.name})`, () => {
    let service: Service;
    let plain: Awaited<ReturnType<typeof signUp>>;
    before(async () => {
      service = await startService({ engine });
      stopClock();
      plain = await signUp(service);
    });
    after(async () => {
      mock.timers.reset();
      await service.close();
    });

    /** Obtains the key through the API, which requires the same proof as the dashboard. */
    const login = (account: { email: string; password: string }, code?: string) =>
      call(service, 'POST', '/api/auth/token', { body: { email: account.email, password: account.password, ...(code && { code }) } });

    describe('POST', () => {
      it('200: a secret in base32 and its otpauth URI; no code is required yet', async () => {
        const account = await register(service);
        const response = await callFromPage(service, 'POST', path, {
          cookie: await signIn(service, account),
          body: { password: account.password },
        });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('cache-control'), 'no-store');
        const { secret, uri } = response.body as { secret: string; uri: string };
        assert.match(secret, /^[A-Z2-7]{32}$/);
        assert.equal(uri, `otpauth://totp/PromptHarbor:${encodeURIComponent(account.email)}?secret=${secret}&issuer=PromptHarbor`);
        assert.equal((await login(account)).status, 200);
      });

      it('200: repeated, only the newest secret can be confirmed', async () => {
        const account = await signUp(service);
        const { cookie } = account;
        const start = async () => {
          const { body } = await callFromPage(service, 'POST', path, { cookie, body: { password: account.password } });
          return (body as { secret: string }).secret;
        };
        const [first, second] = [await start(), await start()];
        assert.notEqual(first, second);
        assert.equal((await callFromPage(service, 'POST', `${path}/confirm`, { cookie, body: { code: codeOf(first) } })).status, 401);
        assert.equal((await callFromPage(service, 'POST', `${path}/confirm`, { cookie, body: { code: codeOf(second) } })).status, 200);
      });

      it('200: 11.3.2 the secret is stored encrypted and recovery codes as digests', async () => {
        const { userId, secret, token, recoveryCodes } = await enableTwoFactor(service);
        const stored = await service.ctx.store.twoFactor.find(userId);
        assert.match(stored?.secretCipher ?? '', /^v1\./);
        assert.ok(!stored?.secretCipher.includes(secret));
        assert.equal(service.ctx.keyring.open(stored?.secretCipher ?? '', userId), undefined, 'not interchangeable with the key');
        for (const code of recoveryCodes) assert.equal(await service.ctx.store.twoFactor.useRecoveryCode(userId, code), false);
        const profile = await call(service, 'GET', '/api/account', { key: token });
        assert.equal((profile.body as { twoFactor: boolean }).twoFactor, true);
        assert.ok(!profile.text.includes(secret));
      });

      it('401: with a wrong password', async () => {
        const { cookie } = await signUp(service);
        const response = await callFromPage(service, 'POST', path, { cookie, body: { password: 'wrong password' } });
        assert.equal(response.status, 401);
        assert.equal(codeIn(response), 'invalid_credentials');
      });

      it('409: once it is on, the secret cannot be replaced', async () => {
        const account = await enableTwoFactor(service);
        const response = await callFromPage(service, 'POST', path, { cookie: account.cookie, body: { password: account.password } });
        assert.equal(response.status, 409);
        assert.equal(codeIn(response), 'two_factor_on');
        assert.equal((await login(account, codeOf(account.secret))).status, 200);
      });
    });

    describe('POST confirm', () => {
      it('200: ten different recovery codes of 100 bits, not to be cached; 7.4.3 ends the other sessions', async () => {
        const account = await register(service);
        const elsewhere = await signIn(service, account);
        const { cookie, recoveryCodes } = await enableTwoFactor(service, account);
        assert.equal(new Set(recoveryCodes).size, 10);
        for (const code of recoveryCodes) assert.match(code, codeFormat);
        assert.equal(await isSignedIn(service, elsewhere), false);
        assert.equal(await isSignedIn(service, cookie), true);
      });

      it('401: wrong codes, counted by the throttle (6.3.1) until 429', async () => {
        const account = await signUp(service);
        const { cookie } = account;
        const { body } = await callFromPage(service, 'POST', path, { cookie, body: { password: account.password } });
        const { secret } = body as { secret: string };
        for (const code of [wrongCodeOf(secret), codeOf(secret, 3), '', '12345\u0000', '１２３４５６']) {
          const response = await callFromPage(service, 'POST', `${path}/confirm`, { cookie, body: { code } });
          assert.equal(response.status, 401, code);
          assert.equal(codeIn(response), 'invalid_code');
        }
        const throttled = await callFromPage(service, 'POST', `${path}/confirm`, { cookie, body: { code: codeOf(secret) } });
        assert.equal(throttled.status, 429);
        assert.equal(throttled.headers.get('retry-after'), '1');
        advanceClock(1);
        assert.equal((await callFromPage(service, 'POST', `${path}/confirm`, { cookie, body: { code: codeOf(secret) } })).status, 200);
      });

      it('409: before the set-up, and a second time', async () => {
        const fresh = await signUp(service);
        const early = await callFromPage(service, 'POST', `${path}/confirm`, { cookie: fresh.cookie, body: { code: '123456' } });
        assert.equal(early.status, 409);
        assert.equal(codeIn(early), 'two_factor_not_started');

        const { cookie, secret } = await enableTwoFactor(service);
        const again = await callFromPage(service, 'POST', `${path}/confirm`, { cookie, body: { code: codeOf(secret) } });
        assert.equal(again.status, 409);
        assert.equal(codeIn(again), 'two_factor_on');
      });
    });

    describe('The count of wrong codes', () => {
      it('429: ASVS 6.3.1: is not cleared by the password, with or without a session', async () => {
        const account = await enableTwoFactor(service);
        const { cookie, password } = account;
        const wrong = wrongCodeOf(account.secret);
        for (let guess = 0; guess < 5; guess += 1) {
          assert.equal(codeIn(await login(account, wrong)), 'invalid_code');
          // Without the second factor, the password alone would be enough for each of these requests.
          assert.equal(codeIn(await callFromPage(service, 'POST', path, { cookie, body: { password } })), 'two_factor_on');
          assert.equal(codeIn(await login(account)), 'code_required');
        }
        assert.equal((await login(account, wrong)).status, 429);
        const changed = await callFromPage(service, 'POST', '/api/session/change-password', {
          cookie,
          body: { currentPassword: password, newPassword: 'another long password' },
        });
        assert.equal(changed.status, 200);
        const body = { password: 'another long password', code: codeOf(account.secret) };
        assert.equal((await login({ ...account, password: body.password }, body.code)).status, 429);
        assert.equal(
          (await callFromPage(service, 'DELETE', path, { cookie: cookieOf(changed), body })).status,
          429,
          'for any use of a code',
        );

        advanceClock(1);
        assert.equal((await login({ ...account, password: body.password }, body.code)).status, 200);
        assert.equal(codeIn(await login({ ...account, password: body.password }, wrong)), 'invalid_code', 'a right code clears it');
      });

      it('429: ASVS 6.3.1: of concurrent wrong codes exactly five are tried', async () => {
        const account = await enableTwoFactor(service);
        const responses = await Promise.all(Array.from({ length: 10 }, () => login(account, wrongCodeOf(account.secret))));
        assert.equal(responses.filter((response) => codeIn(response) === 'invalid_code').length, 5);
        assert.equal(responses.filter(({ status }) => status === 429).length, 5);
      });
    });

    describe('DELETE', () => {
      it('204: with a code, after which the password alone is enough and old recovery codes are invalid', async () => {
        const account = await enableTwoFactor(service);
        const response = await callFromPage(service, 'DELETE', path, {
          cookie: account.cookie,
          body: { password: account.password, code: codeOf(account.secret) },
        });
        assert.equal(response.status, 204);
        assert.equal((await login(account)).status, 200);

        const again = await enableTwoFactor(service, account);
        assert.equal((await login(account, account.recoveryCodes[0])).status, 401);
        assert.equal((await login(account, codeOf(again.secret))).status, 200);
      });

      it('204: with a recovery code; 7.4.3 ends the other sessions', async () => {
        const account = await enableTwoFactor(service);
        const other = await callFromPage(service, 'POST', '/api/session/sign-in/email', {
          body: { email: account.email, password: account.password, code: codeOf(account.secret) },
        });
        const elsewhere = other.headers.getSetCookie()[0]?.split(';')[0] ?? '';
        assert.equal(await isSignedIn(service, elsewhere), true);
        const code = account.recoveryCodes[3];
        const response = await callFromPage(service, 'DELETE', path, {
          cookie: account.cookie,
          body: { password: account.password, code },
        });
        assert.equal(response.status, 204);
        assert.equal(await isSignedIn(service, elsewhere), false);
        assert.equal(await isSignedIn(service, account.cookie), true);
      });

      it('401: wrong password or wrong code, and it stays on', async () => {
        const account = await enableTwoFactor(service);
        const { cookie, password, secret } = account;
        const noPassword = await callFromPage(service, 'DELETE', path, { cookie, body: { password: 'wrong', code: codeOf(secret) } });
        assert.equal(noPassword.status, 401);
        assert.equal(codeIn(noPassword), 'invalid_credentials');
        const noCode = await callFromPage(service, 'DELETE', path, { cookie, body: { password, code: wrongCodeOf(secret) } });
        assert.equal(noCode.status, 401);
        assert.equal(codeIn(noCode), 'invalid_code');
        assert.equal((await login(account)).status, 401);
      });

      it('409: when it is off', async () => {
        const account = await signUp(service);
        const { cookie } = account;
        const response = await callFromPage(service, 'DELETE', path, { cookie, body: { password: account.password, code: '123456' } });
        assert.equal(response.status, 409);
        assert.equal(codeIn(response), 'two_factor_off');
      });
    });

    describe('POST recovery-codes', () => {
      it('200: a new set, and the old codes are invalid', async () => {
        const account = await enableTwoFactor(service);
        const response = await callFromPage(service, 'POST', `${path}/recovery-codes`, {
          cookie: account.cookie,
          body: { password: account.password, code: codeOf(account.secret) },
        });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('cache-control'), 'no-store');
        const { recoveryCodes } = response.body as { recoveryCodes: string[] };
        assert.equal(new Set([...recoveryCodes, ...account.recoveryCodes]).size, 20);
        assert.equal((await login(account, account.recoveryCodes[0])).status, 401);
        assert.equal((await login(account, recoveryCodes[0])).status, 200);
      });

      it('401: not with a code that was used; 409: not when two-factor is off', async () => {
        const account = await enableTwoFactor(service);
        const body = { password: account.password, code: codeOf(account.secret) };
        assert.equal((await login(account, body.code)).status, 200);
        const used = await callFromPage(service, 'POST', `${path}/recovery-codes`, { cookie: account.cookie, body });
        assert.equal(used.status, 401);
        assert.equal(codeIn(used), 'invalid_code');

        const off = await callFromPage(service, 'POST', `${path}/recovery-codes`, {
          cookie: plain.cookie,
          body: { password: plain.password, code: '123456' },
        });
        assert.equal(off.status, 409);
        assert.equal(codeIn(off), 'two_factor_off');
      });
    });

    const endpoints: [string, string, Record<string, string>][] = [
      ['POST', path, { password: 'a long enough password' }],
      ['POST', `${path}/confirm`, { code: '123456' }],
      ['DELETE', path, { password: 'a long enough password', code: '123456' }],
      ['POST', `${path}/recovery-codes`, { password: 'a long enough password', code: '123456' }],
    ];
    for (const [method, address, body] of endpoints) {
      it(`${method} ${address} 401: not with the API key, nor without a session`, async () => {
        for (const key of [{ key: plain.token }, {}]) {
          const response = await callFromPage(service, method, address, { ...key, body });
          assert.equal(response.status, 401);
          assert.equal(response.text, '{"error":"Unauthorized"}');
        }
      });

      it(`${method} ${address} 403: 3.5.1 not from another site`, async () => {
        const response = await call(service, method, address, { cookie: plain.cookie, body, headers: { origin: 'https://evil.example' } });
        assert.equal(response.status, 403);
      });

      it(`${method} ${address} 400: missing fields, wrong types, unknown fields`, async () => {
        const [field = ''] = Object.keys(body);
        // A password is not needed shortly after the sign-in.
        const missing = field === 'password' ? [] : [{}];
        for (const wrong of [undefined, ...missing, [], { ...body, [field]: 123456 }, { ...body, [field]: null }, { ...body, extra: 1 }]) {
          const response = await callFromPage(service, method, address, { cookie: plain.cookie, ...(wrong && { body: wrong }) });
          assert.equal(response.status, 400, JSON.stringify(wrong));
        }
      });
    }

    it('16.2.5 no secret, code or password is in the log, and what happened is', async () => {
      const account = await enableTwoFactor(service, await register(service, { password: 'never to be logged' }));
      const code = codeOf(account.secret);
      await login(account, account.recoveryCodes[0]);
      await callFromPage(service, 'DELETE', path, { cookie: account.cookie, body: { password: account.password, code } });
      const logs = service.logs();
      for (const secret of [account.secret, account.recoveryCodes[0] ?? '', account.password]) assert.ok(!logs.includes(secret));
      for (const event of ['two_factor_enabled', 'recovery_code_used', 'two_factor_disabled']) {
        assert.ok(logs.includes(`"event":"${event}","account":"${account.userId}"`), event);
      }
    });
  });
}

function codeIn(response: ApiResponse): string | undefined {
  return (response.body as { code?: string }).code;
}
