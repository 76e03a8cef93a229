import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { call, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`The database is away (${engine.name})`, () => {
    let service: Service;
    let account: TestAccount;
    let cookie: string;
    before(async () => {
      service = await startService({ engine });
      account = await register(service);
      cookie = await signIn(service, account);
      // Also a key that was good a moment ago is not vouched for.
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
      await service.ctx.store.close();
    });
    after(() => service.close());

    it('ASVS 16.5.3: 503 with Retry-After, never 200 and never 401, for whatever needs it', async () => {
      const { email, password, token: key } = account;
      const headers = { origin: service.url };
      const requests: [string, string, Parameters<typeof call>[3]][] = [
        ['GET', '/readyz', {}],
        ['GET', '/api/auth/token', { key }],
        ['GET', '/api/auth/token', { key: `ph_${'0'.repeat(64)}` }],
        ['GET', '/api/auth/token', { cookie }],
        ['DELETE', '/api/auth/token', { key }],
        ['DELETE', '/api/auth/token', { cookie, headers }],
        ['POST', '/api/auth/token', { body: { email, password } }],
        ['POST', '/api/auth/token', { body: { email, password: 'wrong' } }],
        ['POST', '/api/auth/register', { body: { email: 'new@example.com', password } }],
        ['GET', '/api/prompts', { key }],
        ['GET', '/api/prompts', { cookie }],
        ['GET', '/api/session', { cookie }],
        ['GET', '/api/session/list', { cookie }],
        ['POST', '/api/session/sign-in/email', { body: { email, password }, headers }],
        ['POST', '/api/session/sign-up/email', { body: { email: 'new@example.com', password }, headers }],
        ['POST', '/api/session/sign-out', { cookie, headers }],
        ['POST', '/api/session/end-others', { cookie, headers }],
        ['POST', '/api/session/change-password', { cookie, headers, body: { currentPassword: password, newPassword: 'another password' } }],
      ];
      for (const [method, path, options] of requests) {
        const response = await call(service, method, path, options);
        assert.equal(response.status, 503, `${method} ${path} ${response.text}`);
        assert.equal(response.headers.get('retry-after'), '1');
        assert.deepEqual(response.body, { error: new AppError('database_unavailable').message, code: 'database_unavailable' });
      }
    });

    it('what needs no database goes on: 200 from /healthz, 401 without a key, 400 to bad input', async () => {
      assert.equal((await call(service, 'GET', '/healthz')).status, 200);
      assert.equal((await call(service, 'GET', '/api/auth/token')).status, 401);
      assert.equal((await call(service, 'POST', '/api/auth/token', { body: {} })).status, 400);
    });
  });
}
