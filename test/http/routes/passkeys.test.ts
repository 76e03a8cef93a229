import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { disableTwoFactor } from '../../../src/domain/accounts/two-factor.ts';
import { advanceClock, callFromPage, codeOf, enableTwoFactor, isSignedIn, signUp, stopClock } from '../../support/browser.ts';
import { type ApiResponse, call, cookieOf } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { verifyAddress } from '../../support/links.ts';
import { addPasskey, answer, getChallenge, newDevice, signInByPasskey, signUpWithPasskey } from '../../support/passkeys.ts';
import { type Service, startService } from '../../support/service.ts';

const path = '/api/account/passkeys';

for (const engine of engines) {
  describe(`${path} (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
      stopClock();
    });
    after(async () => {
      mock.timers.reset();
      await service.close();
    });

    const page = (method: string, url: string, cookie: string, body?: unknown) => callFromPage(service, method, url, { cookie, body });
    const confirm = (cookie: string, body: unknown) => page('POST', '/api/session/confirm', cookie, body);
    const login = ({ email, password }: { email: string; password: string }, code?: string) =>
      call(service, 'POST', '/api/auth/token', { body: { email, password, ...(code !== undefined && { code }) } });

    describe('POST', () => {
      it('201: the first passkey returns ten recovery codes and ends the other sessions; the second one does neither', async () => {
        const account = await signUp(service);
        const other = cookieOf(await callFromPage(service, 'POST', '/api/session/sign-in/email', { body: credentials(account) }));
        const first = await addPasskey(service, account, { name: ' Laptop ' });
        assert.equal(first.passkey.name, 'Laptop');
        assert.equal(first.passkey.host, 'localhost');
        assert.equal(first.recoveryCodes?.length, 10);
        assert.equal(await isSignedIn(service, other), false);
        assert.equal(await isSignedIn(service, account.cookie), true);

        const { cookie } = account;
        const again = cookieOf(await signInByPasskey(service, first.device));
        const second = await addPasskey(service, { cookie }, { name: 'Phone' });
        assert.equal(second.recoveryCodes, null);
        assert.equal(await isSignedIn(service, again), true);
        const { body } = await page('GET', path, cookie);
        assert.deepEqual(
          (body as { data: { name: string }[] }).data.map(({ name }) => name),
          ['Laptop', 'Phone'],
        );
        assert.equal(((await page('GET', '/api/account', cookie)).body as { hasPasskeys: boolean }).hasPasskeys, true);
      });

      it('201: with an authenticator app, its recovery codes stay valid', async () => {
        const account = await enableTwoFactor(service);
        const { recoveryCodes } = await addPasskey(service, account);
        assert.equal(recoveryCodes, null);
        assert.equal((await login(account, codeOf(account.secret))).status, 200);
        assert.equal((await login(account, account.recoveryCodes[0])).status, 200);
      });

      it('200: the options require a resident key and the verification of the user, and exclude devices that are registered', async () => {
        const account = await signUpWithPasskey(service);
        const { body, headers } = await page('POST', `${path}/options`, account.cookie);
        assert.equal(headers.get('cache-control'), 'no-store');
        const options = body as Record<string, unknown>;
        assert.deepEqual(options.rp, { id: 'localhost', name: 'PromptHarbor' });
        assert.deepEqual(options.authenticatorSelection, {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        });
        assert.deepEqual(options.excludeCredentials, [{ type: 'public-key', id: account.device.id, transports: ['internal'] }]);
      });

      it('ASVS 6.5.x: 401: a challenge answered twice, of another session, of a sign-in, too old; wrong origin, host, type or user', async () => {
        const [account, other] = [await signUp(service), await signUp(service)];
        const options = async (cookie: string) => (await page('POST', `${path}/options`, cookie)).body as { challenge: string };
        const add = (credential: unknown) => page('POST', path, account.cookie, { name: 'x', credential });
        const first = await options(account.cookie);
        const device = newDevice(service);
        const [attestation, second] = [device.create(first), newDevice(service).create(first)];
        assert.equal((await add(attestation)).status, 201);
        refused(await add(second), 'a used challenge');
        refused(await add(newDevice(service).create(await options(other.cookie))), 'the challenge of another session');
        refused(await add(newDevice(service).create((await getChallenge(service)).options, { rpId: 'localhost' })), 'that of a sign-in');
        refused(await add(newDevice(service).create({ ...first, challenge: 'bm9uc2Vuc2U' })), 'a challenge of their own');
        for (const change of [
          { origin: 'https://evil.example' },
          { origin: `${service.url.replace('127.0.0.1', 'localhost')}0` },
          { rpId: 'evil.example' },
          { type: 'webauthn.get' },
          { isUserVerified: false },
        ]) {
          refused(await add(newDevice(service).create(await options(account.cookie), change)), JSON.stringify(change));
        }
        const old = newDevice(service).create(await options(account.cookie));
        advanceClock(5 * 60);
        refused(await add(old), 'an expired challenge');
        assert.equal(((await page('GET', path, account.cookie)).body as { data: unknown[] }).data.length, 1);
      });

      it('409: a device of another account, and the 21st passkey', async () => {
        const owner = await signUpWithPasskey(service);
        const account = await signUp(service);
        const { body } = await page('POST', `${path}/options`, account.cookie);
        const taken = await page('POST', path, account.cookie, { name: 'x', credential: owner.device.create(body as never) });
        assert.equal(codeIn(taken), 'passkey_exists');
        assert.equal((await login(account)).status, 200, 'nothing changed for the account');
        for (let count = 0; count < 20; count += 1) await addPasskey(service, account);
        const options = await page('POST', `${path}/options`, account.cookie);
        const credential = newDevice(service).create(options.body as never);
        assert.equal(codeIn(await page('POST', path, account.cookie, { name: 'x', credential })), 'too_many_passkeys');
      });

      it('403, 401: with the key, from another origin, without a session', async () => {
        const account = await signUp(service);
        assert.equal((await call(service, 'POST', `${path}/options`, { key: account.token })).status, 401);
        const foreign = { cookie: account.cookie, headers: { origin: 'https://evil.example' } };
        assert.equal((await call(service, 'POST', `${path}/options`, foreign)).status, 403);
        assert.equal((await callFromPage(service, 'POST', `${path}/options`)).status, 401);
      });
    });

    describe('a fresh sign-in', () => {
      it('ASVS 6.5.x: 403: adding and removing passkeys ten minutes after the sign-in, until the identity is confirmed', async () => {
        const account = await signUpWithPasskey(service);
        const { cookie, passkeyId } = account;
        const started = (await page('POST', `${path}/options`, cookie)).body as { challenge: string };
        advanceClock(10 * 60 + 1);
        const attempts = () => [
          page('POST', `${path}/options`, cookie),
          page('POST', path, cookie, { name: 'x', credential: newDevice(service).create(started) }),
          page('DELETE', `${path}/${passkeyId}`, cookie),
          page('DELETE', '/api/account', cookie, {}),
        ];
        for (const attempt of attempts()) assert.equal(codeIn(await attempt), 'fresh_sign_in_required');

        const wrong = await confirm(cookie, { password: 'wrong password' });
        assert.equal(codeIn(wrong), 'invalid_credentials');
        assert.equal(codeIn(await confirm(cookie, { password: account.password })), 'code_required');
        assert.equal((await confirm(cookie, {})).status, 400);
        assert.equal((await page('POST', `${path}/options`, cookie)).status, 403);
        assert.equal((await confirm(cookie, { password: account.password, code: account.recoveryCodes[0] })).status, 204);
        assert.equal((await page('POST', `${path}/options`, cookie)).status, 200);
      });

      it('204: confirmed with a passkey of the account; 401 with one of another account or with a used challenge', async () => {
        const [account, other] = [await signUpWithPasskey(service), await signUpWithPasskey(service)];
        advanceClock(11 * 60);
        const { options, cookie } = await getChallenge(service);
        const both = `${account.cookie}; ${cookie}`;
        refused(await confirm(both, { passkey: other.device.sign(options) }), 'the passkey of another account');
        assert.equal((await confirm(both, { passkey: account.device.sign(options) })).status, 204);
        refused(await confirm(both, { passkey: account.device.sign(options) }), 'a used challenge');
        assert.equal((await page('DELETE', `${path}/${account.passkeyId}`, account.cookie)).status, 204);
        assert.equal(await isSignedIn(service, other.cookie), true);
      });

      it('204: other changes need no password shortly after the sign-in', async () => {
        const account = await enableTwoFactor(service);
        assert.equal((await page('DELETE', '/api/account/two-factor', account.cookie, {})).status, 204);
        assert.equal((await page('DELETE', '/api/account', account.cookie, {})).status, 204);
      });
    });

    describe('PATCH and DELETE', () => {
      it('200, 204: the owner renames and removes; the passkey stops working, the other sessions end, the password is enough', async () => {
        const account = await signUpWithPasskey(service);
        const { cookie, passkeyId, device } = account;
        const renamed = await page('PATCH', `${path}/${passkeyId}`, cookie, { name: 'Work' });
        assert.equal((renamed.body as { name: string }).name, 'Work');
        const thief = cookieOf(await signInByPasskey(service, device));
        assert.equal(codeIn(await login(account)), 'code_required');
        assert.equal((await page('DELETE', `${path}/${passkeyId}`, cookie)).status, 204);
        assert.equal(await isSignedIn(service, thief), false);
        refused(await signInByPasskey(service, device), 'the removed passkey');
        assert.equal((await login(account)).status, 200);
        assert.equal((await page('DELETE', `${path}/${passkeyId}`, cookie)).status, 404);
      });

      it('404: the passkey of another account', async () => {
        const [account, other] = [await signUpWithPasskey(service), await signUpWithPasskey(service)];
        assert.equal((await page('PATCH', `${path}/${other.passkeyId}`, account.cookie, { name: 'mine' })).status, 404);
        assert.equal((await page('DELETE', `${path}/${other.passkeyId}`, account.cookie)).status, 404);
        assert.equal((await signInByPasskey(service, other.device)).status, 200);
      });

      it('204: an authenticator that is turned off keeps the recovery codes of a passkey', async () => {
        const account = await enableTwoFactor(service);
        await addPasskey(service, account);
        assert.equal((await page('DELETE', '/api/account/two-factor', account.cookie, {})).status, 204);
        assert.equal(codeIn(await login(account, codeOf(account.secret))), 'invalid_code');
        assert.equal((await login(account, account.recoveryCodes[0])).status, 200);
      });
    });

    describe('POST /api/session/sign-in/passkey', () => {
      it('200: signs in without a password; the activity and the passkey show it', async () => {
        const account = await signUpWithPasskey(service);
        const response = await signInByPasskey(service, account.device);
        assert.equal(response.status, 200);
        assert.equal((response.body as { userId: string }).userId, account.userId);
        const cookie = cookieOf(response);
        const { body } = await page('GET', path, cookie);
        assert.ok((body as { data: { lastUsedAt: string }[] }).data[0]?.lastUsedAt);
        assert.equal((await page('POST', `${path}/options`, cookie)).status, 200, 'it is a fresh sign-in');
      });

      it('200: in each of two tabs that share the cookie', async () => {
        const { device } = await signUpWithPasskey(service);
        const first = await getChallenge(service);
        const second = await getChallenge(service, first.cookie);
        assert.equal(second.cookie, first.cookie);
        assert.equal((await answer(service, device.sign(first.options), first.cookie)).status, 200);
        assert.equal((await answer(service, device.sign(second.options), first.cookie)).status, 200);
      });

      it('ASVS 6.5.x: 401: a replayed answer, even when sent many times at once', async () => {
        const { device } = await signUpWithPasskey(service);
        const { options, cookie } = await getChallenge(service);
        const assertion = device.sign(options);
        const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await answer(service, assertion, cookie)).status));
        assert.deepEqual(statuses.sort(), [200, 401, 401, 401, 401]);
        refused(await answer(service, assertion, cookie), 'a replay');
      });

      it('ASVS 6.3.8, 6.5.x: 401, the same answer: unknown passkey, wrong origin, host, type, user, account, browser or time', async () => {
        const [account, other] = [await signUpWithPasskey(service), await signUpWithPasskey(service)];
        const { device } = account;
        refused(await signInByPasskey(service, newDevice(service), { userHandle: handleOf(account.userId) }), 'an unknown passkey');
        for (const change of [
          { origin: 'https://evil.example' },
          { origin: service.url },
          { rpId: 'evil.example' },
          { type: 'webauthn.create' },
          { isUserVerified: false },
          { userHandle: handleOf(other.userId) },
          { challenge: 'bm9uc2Vuc2U' },
        ]) {
          refused(await signInByPasskey(service, device, change), JSON.stringify(change));
        }
        const { options, cookie } = await getChallenge(service);
        refused(await answer(service, { ...other.device.sign(options), id: device.id }, cookie), 'the signature of another passkey');
        const elsewhere = await getChallenge(service);
        refused(await answer(service, device.sign(options), elsewhere.cookie), 'the challenge of another browser');
        refused(await answer(service, device.sign(options), ''), 'no cookie');
        const creation = (await page('POST', `${path}/options`, account.cookie)).body as { challenge: string };
        refused(await signInByPasskey(service, device, { challenge: creation.challenge }), 'the challenge of a registration');
        advanceClock(5 * 60);
        refused(await answer(service, device.sign(options), cookie), 'an expired challenge');
        assert.equal((await signInByPasskey(service, device)).status, 200);
      });

      it('401: a counter that goes back or stays, unless it never was above 0', async () => {
        const counting = await signUpWithPasskey(service, newDevice(service, { step: 1 }));
        assert.equal((await signInByPasskey(service, counting.device, { counter: 7 })).status, 200);
        refused(await signInByPasskey(service, counting.device, { counter: 7 }), 'the same counter');
        refused(await signInByPasskey(service, counting.device, { counter: 0 }), 'no counter');
        assert.equal((await signInByPasskey(service, counting.device, { counter: 8 })).status, 200);
        const synced = await signUpWithPasskey(service);
        for (const counter of [0, 0]) assert.equal((await signInByPasskey(service, synced.device, { counter })).status, 200);
      });

      it('401: after the account was deleted', async () => {
        const { device, cookie } = await signUpWithPasskey(service);
        const { options, cookie: bound } = await getChallenge(service);
        assert.equal((await page('DELETE', '/api/account', cookie, {})).status, 204);
        refused(await answer(service, device.sign(options), bound), 'a deleted account');
      });

      it('403: from another origin', async () => {
        const headers = { origin: 'https://evil.example' };
        assert.equal((await call(service, 'POST', '/api/session/passkey/options', { headers })).status, 403);
      });
    });

    describe('recovery', () => {
      it('ASVS 6.3.7: the first proof of the address removes passkeys and recovery codes from before it', async () => {
        const account = await signUpWithPasskey(service);
        await verifyAddress(service, account);
        refused(await signInByPasskey(service, account.device), 'a passkey from before the proof');
        assert.equal((await login(account)).status, 200);
      });

      it('200: the operator removes the authenticator, the passkeys and the recovery codes', async () => {
        const account = await signUpWithPasskey(service);
        await disableTwoFactor(service.ctx, account.email);
        refused(await signInByPasskey(service, account.device), 'a removed passkey');
        assert.equal((await login(account)).status, 200);
        await assert.rejects(disableTwoFactor(service.ctx, account.email), { code: 'two_factor_off' });
      });

      it('ASVS 6.4.3: a reset link for the password does not replace the passkey', async () => {
        const account = await verifyAddress(service, await signUp(service));
        const cookie = cookieOf(await callFromPage(service, 'POST', '/api/session/sign-in/email', { body: credentials(account) }));
        await addPasskey(service, { cookie });
        await verifyAddress(service, account);
        assert.equal(codeIn(await login(account)), 'code_required');
      });

      it('ASVS 6.3.4: the password alone signs in nowhere; with a recovery code it does, once', async () => {
        const account = await signUpWithPasskey(service);
        const [code = ''] = account.recoveryCodes;
        for (const url of ['/api/auth/token', '/api/session/sign-in/email']) {
          const send = (extra: object) => callFromPage(service, 'POST', url, { body: { ...credentials(account), ...extra } });
          const refusal = await send({});
          assert.equal(refusal.status, 401);
          assert.deepEqual(refusal.body, { error: 'Sign in with a passkey, or enter a recovery code', code: 'code_required' });
          assert.equal(codeIn(await send({ code: '000000' })), 'invalid_code');
        }
        assert.equal((await login(account, code)).status, 200);
        assert.equal(codeIn(await login(account, code)), 'invalid_code');
      });

      it('200: new recovery codes after the passkey was lost, and a new passkey', async () => {
        const account = await signUpWithPasskey(service);
        const [code, spare] = account.recoveryCodes;
        const signedIn = await callFromPage(service, 'POST', '/api/session/sign-in/email', { body: { ...credentials(account), code } });
        const cookie = cookieOf(signedIn);
        const { body } = await page('POST', '/api/account/two-factor/recovery-codes', cookie, {});
        const codes = (body as { recoveryCodes: string[] }).recoveryCodes;
        assert.equal(codeIn(await login(account, spare)), 'invalid_code');
        assert.equal((await login(account, codes[0])).status, 200);
        assert.equal((await page('DELETE', `${path}/${account.passkeyId}`, cookie)).status, 204);
        assert.ok((await addPasskey(service, { cookie })).recoveryCodes);
      });
    });
  });
}

describe('POST /api/session/sign-in/passkey, throttled', () => {
  it('ASVS 6.3.1: 429: after many wrong signatures from an address, without a wait for the owner elsewhere', async (t) => {
    const service = await startService({ env: { TRUST_PROXY: 'true' } });
    t.after(() => service.close());
    const { device } = await signUpWithPasskey(service);
    const from = async (address: string, changes = {}) => {
      const { options, cookie } = await getChallenge(service);
      const headers = { 'x-forwarded-for': address };
      return callFromPage(service, 'POST', '/api/session/sign-in/passkey', { cookie, headers, body: device.sign(options, changes) });
    };
    const statuses = [];
    for (let count = 0; count < 51; count += 1) statuses.push((await from('203.0.113.9', { isUserVerified: false })).status);
    assert.ok(statuses.includes(429), statuses.join());
    assert.equal((await from('198.51.100.4')).status, 200);
  });
});

describe('passkeys at an IP address', () => {
  it('409: say what to do', async (t) => {
    const service = await startService({ env: { PUBLIC_URL: 'http://192.0.2.1:3000' } });
    t.after(() => service.close());
    const headers = { origin: 'http://192.0.2.1:3000' };
    const response = await call(service, 'POST', '/api/session/passkey/options', { headers });
    assert.equal(response.status, 409);
    assert.equal(codeIn(response), 'passkeys_unavailable');
  });
});

function credentials({ email, password }: { email: string; password: string }) {
  return { email, password };
}

function codeIn(response: ApiResponse): string | undefined {
  return (response.body as { code?: string } | undefined)?.code;
}

function handleOf(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

/** Asserts the response that every invalid passkey gets, and that there is no session. */
function refused(response: ApiResponse, reason: string): void {
  assert.equal(response.status, 401, `${reason}: ${response.text}`);
  const error = 'This passkey was not accepted. Try again, or sign in with your password.';
  assert.deepEqual(response.body, { error, code: 'invalid_passkey' }, reason);
  assert.deepEqual(response.headers.getSetCookie(), [], reason);
}
