import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, mock } from 'node:test';
import { setEmail } from '../../../src/domain/accounts/email-change.ts';
import { advanceClock, callFromPage, codeOf, enableTwoFactor, signUp, stopClock } from '../../support/browser.ts';
import { attestWithRevocationList } from '../../support/certificates.ts';
import { type ApiResponse, call, cookieOf } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { openStream } from '../../support/event-stream.ts';
import { verifyAddress } from '../../support/links.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { addPasskey, newDevice, signUpWithPasskey } from '../../support/passkeys.ts';
import { type Service, startService } from '../../support/service.ts';

const passkeys = '/api/account/passkeys';
const twoFactor = '/api/account/two-factor';

for (const engine of engines) {
  describe(`attacks on the sign-in (${engine.name})`, () => {
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

    it('ASVS 15.2.2: a statement about a passkey makes the service send no request', async (t) => {
      let requests = 0;
      const server = createServer((_, res) => {
        requests += 1;
        res.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close());
      const { port } = server.address() as AddressInfo;
      const { cookie } = await signUp(service);
      const { body } = await page('POST', `${passkeys}/options`, cookie);
      const statement = attestWithRevocationList(`http://127.0.0.1:${port}/revoked`);
      const credential = newDevice(service).create(body as never, {}, statement);
      const response = await page('POST', passkeys, cookie, { name: 'x', credential });
      assert.deepEqual([response.status, codeIn(response), requests], [401, 'invalid_passkey', 0]);
      const device = newDevice(service);
      assert.ok((await addPasskey(service, { cookie }, { device })).passkey, 'the challenge of the refused passkey changes nothing');
    });

    it('ASVS 6.5.x: a new password in a stolen session does not count as a proof of the second factor', async () => {
      const owners = [await signUpWithPasskey(service), await enableTwoFactor(service)];
      advanceClock(11 * 60);
      for (const { cookie, password } of owners) {
        const body = { currentPassword: password, newPassword: 'another long password' };
        const changed = cookieOf(await page('POST', '/api/session/change-password', cookie, body));
        assert.equal((await page('GET', '/api/session', changed)).status, 200);
        for (const [method, url] of [
          ['POST', `${passkeys}/options`],
          ['DELETE', twoFactor],
          ['POST', `${twoFactor}/recovery-codes`],
          ['DELETE', '/api/account'],
        ] as const) {
          const response = await page(method, url, changed, url === `${passkeys}/options` ? undefined : {});
          assert.deepEqual([response.status, codeIn(response)], [403, 'fresh_sign_in_required'], `${method} ${url}`);
        }
      }
    });

    it('200: without a second factor, a new password counts as a proof', async () => {
      const { cookie, password } = await signUp(service);
      advanceClock(11 * 60);
      const body = { currentPassword: password, newPassword: 'another long password' };
      const changed = cookieOf(await page('POST', '/api/session/change-password', cookie, body));
      assert.equal((await page('POST', `${passkeys}/options`, changed)).status, 200);
    });

    it('ASVS 6.5.x: the password alone does not add an authenticator beside a passkey', async () => {
      const { cookie, password, recoveryCodes } = await signUpWithPasskey(service);
      advanceClock(11 * 60);
      assert.equal(codeIn(await page('POST', twoFactor, cookie, { password })), 'code_required');
      assert.equal(codeIn(await page('POST', twoFactor, cookie, {})), 'fresh_sign_in_required');
      const started = await page('POST', twoFactor, cookie, { password, code: recoveryCodes[0] });
      const { secret } = started.body as { secret: string };
      assert.equal((await page('POST', `${twoFactor}/confirm`, cookie, { code: codeOf(secret) })).status, 200);
    });

    it('409: an authenticator that was offered before the first passkey cannot be confirmed after it', async () => {
      const { cookie, password } = await signUp(service);
      const started = await page('POST', twoFactor, cookie, { password });
      const { secret } = started.body as { secret: string };
      await addPasskey(service, { cookie });
      assert.equal(codeIn(await page('POST', `${twoFactor}/confirm`, cookie, { code: codeOf(secret) })), 'two_factor_not_started');
    });

    it('ASVS 6.3.1: 429: an account that guesses codes of command lines, although it knows a code of its own', async () => {
      const { cookie } = await signUp(service);
      const started = await call(service, 'POST', '/api/auth/cli', { body: { challenge: 'A'.repeat(43), computer: 'x' } });
      const { userCode } = started.body as { userCode: string };
      const look = async (code: string) => (await page('POST', `/api/session/cli/${code}`, cookie)).status;
      const statuses = [];
      for (let count = 0; count < 6; count += 1) statuses.push(await look('BBBB-BBBB'), await look(userCode));
      assert.equal(statuses.filter((status) => status === 404).length, 5);
      assert.ok(statuses.includes(429), statuses.join());
    });
  });

  describe(`REQUIRE_VERIFIED_EMAIL, an event stream (${engine.name})`, () => {
    it('ends after the operator has set an address that is not verified', async (t) => {
      const mail = await startMailServer();
      const service = await startService({ engine, env: { REQUIRE_VERIFIED_EMAIL: 'true', SMTP_URL: mail.url } });
      t.after(async () => {
        await service.close();
        await mail.close();
      });
      const account = await verifyAddress(service, await signUp(service));
      const stream = await openStream(service, { key: account.token });
      t.after(() => stream.close());
      await setEmail(service.ctx, { email: account.email, newEmail: `other-${account.email}` });
      await stream.ended;
      assert.equal(codeIn(await call(service, 'GET', '/api/prompts', { key: account.token })), 'email_not_verified');
    });
  });
}

function codeIn(response: ApiResponse): string | undefined {
  return (response.body as { code?: string } | undefined)?.code;
}
