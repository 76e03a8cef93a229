import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register, signIn } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`GET /api/auth/token (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    it('200: a valid key gets the token info object, not to be cached', async () => {
      const { token, userId, email } = await register(service);
      const response = await call(service, 'GET', '/api/auth/token', { key: token });
      assert.equal(response.status, 200);
      assert.deepEqual(response.body, { token, userId, email, name: email.split('@')[0] });
      assert.match(token, /^ph_[0-9a-f]{64}$/);
      assert.match(userId, /^u_[0-9a-z]+_[0-9a-z]+$/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });

    it('200: a content type without a body is accepted', async () => {
      const { token } = await register(service);
      const response = await call(service, 'GET', '/api/auth/token', { key: token, headers: { 'content-type': 'application/json' } });
      assert.equal(response.status, 200);
    });

    it('200: the scheme is read in any case', async () => {
      const { token } = await register(service);
      for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
        const response = await call(service, 'GET', '/api/auth/token', { headers: { authorization: `${scheme} ${token}` } });
        assert.equal(response.status, 200, scheme);
      }
    });

    it('200: a browser session gets the key', async () => {
      const account = await register(service);
      const response = await call(service, 'GET', '/api/auth/token', { cookie: await signIn(service, account) });
      assert.equal(response.status, 200);
      assert.equal((response.body as { token: string }).token, account.token);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });

    it('401: anything but the current key, with exactly the specified body', async () => {
      const { token } = await register(service);
      const wrong: Record<string, string | undefined> = {
        'no header': undefined,
        empty: '',
        'no scheme': token,
        'another scheme': `Basic ${token}`,
        'two spaces': `Bearer  ${token}`,
        'a tab': `Bearer\t${token}`,
        'something behind': `Bearer ${token} x`,
        'upper case hex': `Bearer ${token.slice(0, 3)}${token.slice(3).toUpperCase()}`,
        'too short': `Bearer ${token.slice(0, -1)}`,
        'too long': `Bearer ${token}0`,
        'without prefix': `Bearer ${token.slice(3)}`,
        'an unknown key': `Bearer ph_${'0'.repeat(64)}`,
      };
      for (const [name, authorization] of Object.entries(wrong)) {
        const response = await call(service, 'GET', '/api/auth/token', { headers: authorization === undefined ? {} : { authorization } });
        assert.equal(response.status, 401, name);
        assert.equal(response.text, '{"error":"Unauthorized"}', name);
        assert.equal(response.headers.get('www-authenticate'), 'Bearer', name);
      }
    });

    it('401: a key in the URL is not accepted', async () => {
      const { token } = await register(service);
      const response = await call(service, 'GET', `/api/auth/token?token=${token}&api_key=${token}`);
      assert.equal(response.status, 401);
    });

    it('401: an invalid key, even with a valid cookie', async () => {
      const cookie = await signIn(service, await register(service));
      const response = await call(service, 'GET', '/api/auth/token', { cookie, key: `ph_${'0'.repeat(64)}` });
      assert.equal(response.status, 401);
    });
  });
}
