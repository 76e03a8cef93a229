import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertCommandRefused } from '../support/backups.ts';
import { enableTwoFactor, isSignedIn } from '../support/browser.ts';
import { call, register, signIn } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { newMember, newServiceAccount } from '../support/members.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';
import { newClient } from '../support/prompts.ts';
import { withService } from '../support/service.ts';

const email = 'ada@example.com';
const password = 'a long enough password';

describe('promptharbor accounts', () => {
  it('exit 4 if DATA_DIR has no database, and none is created', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir, SECRET_KEY: 'a secret of 32 characters or more' };
      for (const command of ['accounts list', `accounts delete --email ${email}`, 'keys reset --all', 'keys reseal']) {
        await assertCommandRefused(command.split(' '), env, /There is no database in .*Set DATA_DIR/, 4);
      }
      assert.deepEqual(await readdir(dataDir), []);
    }));

  it('create: takes the password from standard input, even while registration is closed; list: shows the account', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir, REGISTRATION: 'closed' };
      const { code, stdout } = await runProgram(['accounts', 'create', '--email', email, '--name', 'Ada'], env, `${password}\n`);
      assert.equal(code, 0);
      const info = JSON.parse(stdout) as { token: string; userId: string };
      assert.deepEqual(info, { token: info.token, userId: info.userId, email, name: 'Ada' });

      const list = await runProgram(['accounts', 'list'], env);
      assert.equal(list.code, 0);
      assert.match(list.stdout, new RegExp(`^${info.userId}\t${email}\tAda\t\\d{4}-[^\\t]*Z\tnot verified\n$`));

      for (const [args, input, expected, code] of [
        [['--email', email], `${password}\n`, /An account with this email already exists/, 1],
        [['--email', 'no address'], `${password}\n`, /email: Not an email address/, 2],
        [['--email', 'b@example.com'], 'short\n', /password: Use at least 8 characters/, 2],
        [['--email', 'b@example.com'], '', /No password was entered/, 2],
        [[], `${password}\n`, /--email is missing/, 2],
      ] as const) {
        const refused = await runProgram(['accounts', 'create', ...args], env, input);
        assert.equal(refused.code, code);
        assert.match(refused.stderr, expected);
        assert.doesNotMatch(refused.stderr, /\n\s+at /);
      }

      const service = await serveProgram(env);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: info.token })).status, 200);
      await service.stop();
    }));

  it('set-email: changes the address and ends the sessions; the key stays, and the address is not verified', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      const before = await serveProgram(env);
      const account = await register(before, { email });
      await register(before, { email: 'taken@example.com' });
      const cookie = await signIn(before, account);
      const setEmail = (from: string, to: string) => runProgram(['accounts', 'set-email', '--email', from, '--to', to], env);
      // The service is running, so the command uses the socket.
      const changed = await setEmail(email.toUpperCase(), 'New@example.com');
      assert.equal(changed.code, 0, changed.stderr);
      assert.match(changed.stdout, /The API key is unchanged/);
      assert.equal(await isSignedIn(before, cookie), false);
      const { body } = await call(before, 'GET', '/api/account', { key: account.token });
      const { email: address, emailVerified } = body as { email: string; emailVerified: boolean };
      assert.deepEqual([address, emailVerified], ['new@example.com', false]);
      await before.stop();

      for (const [from, to, expected] of [
        [email, 'other@example.com', /There is no account with the email/],
        ['new@example.com', 'taken@example.com', /An account with this email already exists/],
        ['new@example.com', 'no address', /email: Not an email address/],
        ['new@example.com', 'x@service.invalid', /email: Not an email address/],
      ] as const) {
        const refused = await setEmail(from, to);
        assert.notEqual(refused.code, 0);
        assert.match(refused.stderr, expected);
      }
    }));

  it('reset-password: sets a new password and ends the sessions; the key stays', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      const before = await serveProgram(env);
      const account = await register(before, { email });
      const cookie = await signIn(before, account);
      await before.stop();

      const reset = await runProgram(['accounts', 'reset-password', '--email', email.toUpperCase()], env, 'quite another password\n');
      assert.equal(reset.code, 0, reset.stderr);
      const unknown = await runProgram(['accounts', 'reset-password', '--email', 'nobody@example.com'], env, 'quite another password\n');
      assert.equal(unknown.code, 4);
      assert.match(unknown.stderr, /There is no account with the email nobody@example\.com/);

      const service = await serveProgram(env);
      assert.equal(await isSignedIn(service, cookie), false);
      const login = (typed: string) => call(service, 'POST', '/api/auth/token', { body: { email, password: typed } });
      assert.equal((await login(account.password)).status, 401);
      assert.equal(((await login('quite another password')).body as { token: string }).token, account.token);
      await service.stop();
    }));

  for (const engine of engines) {
    it(`list: shows memberships and service accounts; delete: says what is deleted with the account, and deletes it when confirmed (${engine.name})`, async (t) => {
      const database = await engine.create();
      t.after(() => database.remove());
      const { owner, member, program } = await withService(database, {}, async (service) => {
        const owner = await newClient(service);
        return { owner, member: await newMember(owner, 'editor'), program: await newServiceAccount(owner) };
      });

      const list = async () => (await runProgram(['accounts', 'list'], database.env)).stdout;
      const listed = await list();
      assert.match(listed, new RegExp(`^${owner.userId}\t${owner.email}\tTest\t[^\t]*Z\tverified$`, 'm'));
      assert.match(listed, new RegExp(`^${member.userId}\t${member.email}\t.*\teditor of ${owner.userId}$`, 'm'));
      assert.match(listed, new RegExp(`^${program.userId}\t.*\tno address\tservice account of ${owner.userId} \\(viewer\\)$`, 'm'));

      const remove = (...args: string[]) => runProgram(['accounts', 'delete', ...args], database.env);
      const asked = await remove('--email', owner.email.toUpperCase());
      assert.equal(asked.code, 0, asked.stderr);
      assert.ok(asked.stdout.includes(`These people lose access to the workspace: ${member.email}.`), asked.stdout);
      assert.ok(asked.stdout.includes('The keys of these service accounts stop working: A program.'), asked.stdout);
      assert.match(asked.stdout, /Nothing was deleted\. To delete the account, add --confirm /);
      assert.equal((await remove('--email', owner.email, '--confirm', member.email)).code, 2);
      const unknown = await remove('--email', `${program.userId}@service.invalid`);
      assert.match(unknown.stderr, /There is no account with the email/);
      assert.equal(unknown.code, 4);
      assert.equal(await list(), listed);

      const removed = await remove('--email', owner.email, '--confirm', owner.email);
      assert.equal(removed.code, 0, removed.stderr);
      assert.match(removed.stdout, /The account was deleted\.$/m);
      assert.match(await list(), new RegExp(`^${member.userId}\t${member.email}\tTest\t[^\t]*Z\tverified\n$`));
    });

    it(`delete: says which team workspaces the account leaves, and which it must transfer first (${engine.name})`, async (t) => {
      const database = await engine.create();
      t.after(() => database.remove());
      const { owner, member } = await withService(database, {}, async (service) => {
        const [owner, member] = [await newClient(service), await newClient(service)];
        const { id } = (await owner.call('POST', '/api/workspaces', { name: 'Support' })).body as { id: string };
        await service.ctx.store.changeWorkspace(id, ({ memberships }) => memberships.put(id, member.userId, 'editor'));
        return { owner, member };
      });
      const remove = (email: string, ...args: string[]) => runProgram(['accounts', 'delete', '--email', email, ...args], database.env);
      assert.match((await remove(member.email)).stdout, /^The account leaves these workspaces: Support\.$/m);
      const asked = await remove(owner.email);
      assert.match(asked.stdout, /^The account owns these team workspaces, which must be transferred or deleted first: Support\.$/m);
      assert.doesNotMatch(asked.stdout, /leaves/);
      const refused = await remove(owner.email, '--confirm', owner.email);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /The account owns “Support”/);
    });

    it(`disable-two-factor: the password alone is enough again; a second call says that two-factor is off (${engine.name})`, async (t) => {
      const database = await engine.create();
      t.after(() => database.remove());
      const account = await withService(database, {}, (service) => enableTwoFactor(service));

      const args = ['accounts', 'disable-two-factor', '--email', account.email.toUpperCase()];
      const disabled = await runProgram(args, database.env);
      assert.equal(disabled.code, 0, disabled.stderr);
      assert.match(disabled.stdout, /Two-factor authentication is off\. The account can sign in/);
      const again = await runProgram(args, database.env);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /Two-factor authentication is off/);

      await withService(database, {}, async (service) => {
        const body = { email: account.email, password: account.password };
        assert.equal((await call(service, 'POST', '/api/auth/token', { body })).status, 200);
      });
    });
  }
});
