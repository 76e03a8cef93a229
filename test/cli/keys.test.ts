import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advanceClock, codeOf, enableTwoFactor } from '../support/browser.ts';
import { call } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { runProgram } from '../support/process.ts';
import { withService } from '../support/service.ts';

const [oldSecret, newSecret] = ['the first secret, 32 characters long', 'the second secret, 32 characters long'];

for (const engine of engines) {
  describe(`promptharbor keys reseal (${engine.name})`, () => {
    it('seals keys and two-factor secrets with SECRET_KEY, after which SECRET_KEY_PREVIOUS is not needed', async (t) => {
      const database = await engine.create();
      t.after(() => database.remove());
      const before = { ...database.env, SECRET_KEY: oldSecret };
      const after = { ...database.env, SECRET_KEY: newSecret };
      const both = { ...after, SECRET_KEY_PREVIOUS: oldSecret };
      const { email, password, token, secret } = await withService(database, before, (service) => enableTwoFactor(service));

      assert.match((await runProgram(['keys', 'reseal'], after)).stderr, /The secret does not fit this database/);
      const reseal = await runProgram(['keys', 'reseal'], both);
      assert.equal(reseal.code, 0, reseal.stderr);
      assert.match(reseal.stdout, /^Encrypted 1 keys and 1 two-factor secrets with SECRET_KEY, 0 already were/);
      const again = await runProgram(['keys', 'reseal'], both);
      assert.match(again.stdout, /^Encrypted 0 keys and 0 two-factor secrets with SECRET_KEY, 2 already were/);

      await withService(database, after, async (service) => {
        const login = (code?: string) => call(service, 'POST', '/api/auth/token', { body: { email, password, ...(code && { code }) } });
        assert.equal((await login()).status, 401);
        // The time step that confirmed the set-up may still be running, and its code is used up.
        advanceClock(30);
        const signedIn = await login(codeOf(secret));
        assert.equal(signedIn.status, 200, signedIn.text);
        assert.equal((signedIn.body as { token: string }).token, token);
      });
      assert.equal((await runProgram(['accounts', 'list'], before)).code, 1, 'the first secret does not fit any more');
    });
  });
}
