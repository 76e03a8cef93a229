import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { callFromPage, signUp } from '../support/browser.ts';
import { call } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { verifyAddress } from '../support/links.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';

for (const engine of engines) {
  describe(`REQUIRE_VERIFIED_EMAIL (${engine.name})`, () => {
    it('403: an unverified account uses no workspace by key or session, but keeps its account; after the link it does', async (t) => {
      const mail = await startMailServer();
      const service = await startService({ engine, env: { REQUIRE_VERIFIED_EMAIL: 'true', SMTP_URL: mail.url } });
      t.after(async () => {
        await service.close();
        await mail.close();
      });
      const account = await signUp(service);
      const { cookie, token, email, password } = account;
      for (const caller of [{ key: token }, { cookie }]) {
        for (const [method, path] of [
          ['GET', '/api/prompts'],
          ['GET', '/api/prompts/greeting'],
          ['POST', '/api/prompts/greeting/render'],
          ['GET', '/api/members'],
        ] as const) {
          const response = await callFromPage(service, method, path, { ...caller, ...(method === 'POST' && { body: {} }) });
          assert.deepEqual([response.status, (response.body as { code: string }).code], [403, 'email_not_verified'], `${method} ${path}`);
        }
      }
      // The documented operations on keys work as before.
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
      assert.equal((await call(service, 'POST', '/api/auth/token', { body: { email, password } })).status, 200);
      const { body } = await callFromPage(service, 'GET', '/api/account', { cookie });
      assert.equal((body as { verificationRequired: boolean }).verificationRequired, true);
      const change = { email: `other-${email}`, password };
      assert.equal((await callFromPage(service, 'POST', '/api/account/email', { cookie, body: change })).status, 202);
      assert.equal((await callFromPage(service, 'DELETE', '/api/account/email', { cookie })).status, 204);

      const { token: key } = await verifyAddress(service, account);
      for (const path of ['/api/prompts', '/api/prompts']) assert.equal((await call(service, 'GET', path, { key })).status, 200);
    });
  });
}

describe('the setting REQUIRE_VERIFIED_EMAIL', () => {
  it('requires SMTP_URL', () => {
    assert.throws(() => loadConfig({ REQUIRE_VERIFIED_EMAIL: 'true' }), /REQUIRE_VERIFIED_EMAIL: requires SMTP_URL/);
  });
});
