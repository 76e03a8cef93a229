import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { lockReplaced } from '../../../src/store/restore.ts';
import { enableTwoFactor, stopClock } from '../../support/browser.ts';
import { engines } from '../../support/engines.ts';
import { newMember, newServiceAccount } from '../../support/members.ts';
import { newClient } from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';

it('compareWith names members who left or got another role since a backup, and who turned two-factor on', async (t) => {
  const database = await engines[0]?.create();
  assert.ok(database);
  const service = await startService({ database });
  t.after(async () => {
    await service.close();
    await database.remove();
  });
  const owner = await newClient(service);
  const [stays, leaves, promoted] = [await newMember(owner, 'viewer'), await newMember(owner, 'admin'), await newMember(owner, 'editor')];
  const program = await newServiceAccount(owner);
  const file = join(database.dataDir, 'backup.db');
  await service.ctx.backups?.make({ file, force: false });

  assert.equal((await owner.call('DELETE', `/api/members/${leaves.userId}`)).status, 204);
  assert.equal((await owner.call('PATCH', `/api/members/${promoted.userId}`, { role: 'deployer' })).status, 200);
  assert.equal((await owner.call('POST', `/api/members/${program.userId}/reset-key`)).status, 200);
  stopClock();
  await enableTwoFactor(service, stays);
  await service.close();

  const replaced = lockReplaced(database.dataDir);
  const { memberships, twoFactor, resetKeys, deleted, created, changedPasswords } = replaced.compareWith(file);
  replaced.close();
  const workspace = owner.email;
  const byEmail = (one: { email: string }, other: { email: string }) => (one.email < other.email ? -1 : 1);
  assert.deepEqual(
    memberships.map((row) => ({ ...row })),
    [
      { id: leaves.userId, email: leaves.email, workspace, role: 'admin' },
      { id: promoted.userId, email: promoted.email, workspace, role: 'editor' },
    ].sort(byEmail),
  );
  assert.deepEqual(
    twoFactor.map(({ email }) => email),
    [stays.email],
  );
  assert.deepEqual(
    resetKeys.map(({ id }) => id),
    [program.userId],
  );
  assert.deepEqual([...deleted, ...created, ...changedPasswords], []);
});
