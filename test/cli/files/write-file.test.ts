import assert from 'node:assert/strict';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { writeFileWhole } from '../../../src/cli/files/text-file.ts';

it('a file is replaced as a whole, and never through a link that someone created next to it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-write-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'victim'), 'untouched');
  await symlink(join(folder, 'victim'), join(folder, `.promptharbor-${process.pid}.tmp`));
  for (const text of ['one', 'two']) {
    await writeFileWhole(join(folder, 'file'), text);
    assert.equal(await readFile(join(folder, 'file'), 'utf8'), text);
  }
  assert.ok((await lstat(join(folder, 'file'))).isFile());
  assert.equal(await readFile(join(folder, 'victim'), 'utf8'), 'untouched');
  assert.equal((await readdir(folder)).length, 3);
});
