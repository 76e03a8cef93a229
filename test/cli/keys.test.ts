import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModelConnection } from '../../src/contract/models.ts';
import type { WebhookWithSecret } from '../../src/contract/webhooks.ts';
import { secretOwners } from '../../src/domain/secrets/stored-secrets.ts';
import { openSigningSecrets } from '../../src/domain/webhooks/signature.ts';
import { advanceClock, codeOf, enableTwoFactor } from '../support/browser.ts';
import { call, register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { runProgram, serveProgram } from '../support/process.ts';
import { withService } from '../support/service.ts';

const [oldSecret, newSecret] = ['the first secret, 32 characters long', 'the second secret, 32 characters long'];

for (const engine of engines) {
  describe(`promptharbor keys reset (${engine.name})`, () => {
    it('resets the key of an account, or of all accounts, next to a running service: old keys are rejected at once, owners get the new ones', async (t) => {
      const database = await engine.create();
      const service = await serveProgram(database.env);
      t.after(async () => {
        await service.stop();
        await database.remove();
      });
      const leaked = await register(service, { email: 'leaked@example.com' });
      const other = await register(service, { email: 'other@example.com' });
      const verify = async (key: string) => (await call(service, 'GET', '/api/auth/token', { key })).status;
      const run = (...options: string[]) => runProgram(['keys', 'reset', ...options], database.env);

      for (const options of [[], ['--all', '--email', leaked.email]]) assert.equal((await run(...options)).code, 2);
      const unknown = await run('--email', 'unknown@example.com');
      assert.equal(unknown.code, 4);
      assert.match(unknown.stderr, /There is no account with the email unknown@example\.com/);
      assert.deepEqual([await verify(leaked.token), await verify(other.token)], [200, 200]);

      const { code, stdout, stderr } = await run('--email', leaked.email);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^1 key reset\./);
      assert.doesNotMatch(stdout, /ph_/);
      assert.deepEqual([await verify(leaked.token), await verify(other.token)], [401, 200]);
      const { email, password } = leaked;
      const { token } = (await call(service, 'POST', '/api/auth/token', { body: { email, password } })).body as { token: string };
      assert.equal(await verify(token), 200);

      assert.match((await run('--all')).stdout, /^2 keys reset\./);
      assert.deepEqual([await verify(token), await verify(other.token)], [401, 401]);
    });
  });

  describe(`promptharbor keys reseal (${engine.name})`, () => {
    it('seals keys, two-factor secrets, webhook secrets and model keys with SECRET_KEY, after which SECRET_KEY_PREVIOUS is not needed', async (t) => {
      const database = await engine.create();
      t.after(() => database.remove());
      const before = { ...database.env, SECRET_KEY: oldSecret };
      const after = { ...database.env, SECRET_KEY: newSecret };
      const both = { ...after, SECRET_KEY_PREVIOUS: oldSecret };
      const { email, password, token, secret, webhooks, model } = await withService(database, before, async (service) => {
        const account = await enableTwoFactor(service);
        const options = { key: account.token };
        const created = await call(service, 'POST', '/api/webhooks', { ...options, body: { url: 'https://198.51.101.7/' } });
        const { id, secret: first } = created.body as WebhookWithSecret;
        const rotated = await call(service, 'POST', `/api/webhooks/${id}/rotate-secret`, options);
        const connection = { name: 'A', baseUrl: 'https://198.51.101.7/v1', apiKey: 'a-provider-key' };
        const connected = await call(service, 'POST', '/api/models', { ...options, body: connection });
        const model = connected.body as ModelConnection;
        return {
          ...account,
          model,
          webhooks: { id, userId: account.userId, secrets: [(rotated.body as WebhookWithSecret).secret, first] },
        };
      });

      assert.match((await runProgram(['keys', 'reseal'], after)).stderr, /The secret does not match this database/);
      const reseal = await runProgram(['keys', 'reseal'], both);
      assert.equal(reseal.code, 0, reseal.stderr);
      assert.match(
        reseal.stdout,
        /^Re-encrypted 1 key, 1 two-factor secret, 2 webhook secrets and 1 model key with SECRET_KEY\. 0 already used it/,
      );
      const again = await runProgram(['keys', 'reseal'], both);
      assert.match(
        again.stdout,
        /^Re-encrypted 0 keys, 0 two-factor secrets, 0 webhook secrets and 0 model keys with SECRET_KEY\. 5 already used it/,
      );

      await withService(database, after, async (service) => {
        const login = (code?: string) => call(service, 'POST', '/api/auth/token', { body: { email, password, ...(code && { code }) } });
        assert.equal((await login()).status, 401);
        // The code that confirmed the setup cannot be used again, so the clock advances until there is a new code.
        advanceClock(30);
        const signedIn = await login(codeOf(secret));
        assert.equal(signedIn.status, 200, signedIn.text);
        assert.equal((signedIn.body as { token: string }).token, token);
        const webhook = await service.ctx.store.webhooks.find(webhooks.userId, webhooks.id);
        assert.ok(webhook);
        assert.deepEqual(openSigningSecrets(service.ctx, webhooks.userId, webhook, new Date()), webhooks.secrets);
        const connection = await service.ctx.store.connections.find(webhooks.userId, model.id);
        assert.ok(connection);
        const owner = secretOwners.connection(webhooks.userId, connection.id, connection.baseUrl);
        assert.equal(service.ctx.keyring.open(connection.key?.cipher ?? '', owner), 'a-provider-key');
      });
      assert.equal((await runProgram(['accounts', 'list'], before)).code, 1, 'the first secret no longer fits');
    });
  });
}
