import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Backups } from '../../../src/domain/backups/backups.ts';
import { StartError } from '../../../src/errors.ts';
import { type Service, startService } from '../../support/service.ts';

describe('backups.make', () => {
  let service: Service;
  let backups: Backups;
  let dataDir: string;
  let folder: string;
  const inFolder = (name: string) => join(folder, name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'promptharbor-backups-'));
    service = await startService();
    assert.ok(service.ctx.backups && service.database.dataDir);
    backups = service.ctx.backups;
    dataDir = service.database.dataDir;
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  async function assertRefused(file: string, force: boolean, expected: RegExp): Promise<void> {
    await assert.rejects(backups.make({ file, force }), (err) => err instanceof StartError && expected.test(err.message));
  }

  it('replaces nothing without force, and never a file of the service or the target of a link', async () => {
    await writeFile(inFolder('taken'), 'mine');
    await writeFile(inFolder('target'), 'mine');
    await symlink(inFolder('target'), inFolder('link'));
    await symlink(dataDir, inFolder('data'));
    for (const [file, expected] of [
      [inFolder('taken'), /already exists\. Choose another file, or add --force/],
      [inFolder('link'), /already exists/],
      [folder, /is a folder\. Specify a file in it/],
      [inFolder('none/x.db'), /There is no folder .*none\. Create it first/],
      [inFolder('taken/x.db'), /is not a folder/],
      [inFolder('x'.repeat(256)), /too long/],
    ] as const) {
      await assertRefused(file, false, expected);
    }
    for (const name of ['promptharbor.db', 'promptharbor.db-wal', 'promptharbor.sock', 'statistics.db', 'lock.db', 'secret.key']) {
      for (const parent of [dataDir, inFolder('data')]) await assertRefused(join(parent, name), true, /is a file of the service itself/);
    }
    assert.equal(await readFile(inFolder('taken'), 'utf8'), 'mine');
    const socket = createServer().listen(inFolder('socket'));
    await once(socket, 'listening');
    for (const file of [inFolder('socket'), devNull]) await assertRefused(file, true, /is not a regular file\. Specify another file/);
    socket.close();
    await once(socket, 'close');

    await backups.make({ file: inFolder('link'), force: true });
    assert.ok((await lstat(inFolder('link'))).isFile(), 'the link itself was replaced');
    assert.equal(await readFile(inFolder('target'), 'utf8'), 'mine');
    await backups.make({ file: inFolder('taken'), force: true });
    assert.match(await readFile(inFolder('taken'), 'latin1'), /^SQLite format 3/);
    assert.deepEqual((await readdir(folder)).sort(), ['data', 'link', 'taken', 'target']);
  });

  it('makes one backup at a time, and leaves nothing of an abandoned backup', async () => {
    const file = inFolder('once.db');
    const first = backups.make({ file, force: false });
    await assertRefused(inFolder('second.db'), false, /Another backup is in progress/);
    await first;
    const controller = new AbortController();
    const given = backups.make({ file: inFolder('given-up.db'), force: false }, controller.signal);
    controller.abort(new StartError('given up'));
    await assert.rejects(given, /given up/);
    assert.deepEqual((await readdir(folder)).sort(), ['data', 'link', 'once.db', 'taken', 'target']);
  });

  it('on a full disk: says so and leaves nothing behind', async (t) => {
    const disk = inFolder('disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return t.skip('only root can mount a small disk');
    }
    try {
      await assertRefused(join(disk, 'x.db'), false, /The disk of .* is full\. No partial file was left behind/);
      assert.deepEqual(await readdir(disk), []);
    } finally {
      execFileSync('umount', [disk]);
    }
    await service.ctx.store.ping();
  });
});
