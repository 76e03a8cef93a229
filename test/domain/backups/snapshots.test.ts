import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import type { BackupReport } from '../../../src/domain/backups/backups.ts';
import { startSnapshots } from '../../../src/domain/backups/snapshots.ts';
import { snapshotIdName } from '../../../src/store/meta.ts';
import { startService } from '../../support/service.ts';

it('BACKUP_DIR: makes a snapshot when one is due, keeps the newest, and deletes nothing that it did not make', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'promptharbor-snapshots-'));
  const service = await startService();
  t.after(async () => {
    await service.close();
    await rm(dir, { recursive: true });
  });
  const { store, backups } = service.ctx;
  assert.ok(backups);
  await store.meta.insertOnce(snapshotIdName, '0123abcd');
  const own = ['20200101T000000Z', '20200102T000000Z', '20200103T000000Z'].map((time) => `promptharbor-0123abcd-${time}.db`);
  const foreign = ['promptharbor-ffffffff-20200101T000000Z.db', 'promptharbor-0123abcd-20200101T000000Z.db.copy', 'notes.txt'];
  const draft = '.promptharbor-0123abcd-20200104T000000Z.db.01234567.partial';
  for (const name of [...own, ...foreign, draft]) await writeFile(join(dir, name), name);
  const link = 'promptharbor-0123abcd-20190101T000000Z.db';
  await symlink(join(dir, 'notes.txt'), join(dir, link));

  const settings = { everyMs: 3_600_000, keep: 2 };
  const start = (folder: string, onError = (err: unknown): void => assert.fail(String(err))) => {
    const { promise, resolve } = Promise.withResolvers<BackupReport>();
    return { made: promise, ...startSnapshots({ store, backups }, { dir: folder, ...settings }, { onMade: resolve, onError }) };
  };

  const { promise: failed, resolve: onError } = Promise.withResolvers<unknown>();
  const failing = start(join(dir, 'notes.txt'), onError);
  assert.match(String(await failed), /StartError: .*notes\.txt is not a folder/);
  await failing.stop();
  assert.equal(backups.metrics.failures, 1);
  if (process.platform === 'linux') {
    // Node's recursive mkdir never returns for a missing folder in /proc.
    const { promise: refused, resolve: onRefused } = Promise.withResolvers<unknown>();
    const refusing = start('/proc/promptharbor', onRefused);
    assert.match(String(await refused), /StartError: There is no folder \/proc/);
    await refusing.stop();
  }

  const first = start(dir);
  const { file } = await first.made;
  await first.stop();
  const name = file.slice(dir.length + 1);
  assert.match(name, /^promptharbor-0123abcd-\d{8}T\d{6}Z\.db$/);
  assert.deepEqual((await readdir(dir)).sort(), [link, own[2], name, ...foreign].sort());
  const snapshot = new DatabaseSync(file, { readOnly: true });
  assert.equal(snapshot.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
  snapshot.close();
  assert.ok(backups.metrics.lastAt);

  // The name of this file shows a time at which the clock was wrong. The file neither delays the next snapshot nor makes it count as old.
  const future = 'promptharbor-0123abcd-29990101T000000Z.db';
  await writeFile(join(dir, future), '');
  await rm(join(dir, name));
  const second = start(dir);
  const made = basename((await second.made).file);
  await second.stop();
  assert.deepEqual((await readdir(dir)).sort(), [link, future, made, ...foreign].sort());
});
