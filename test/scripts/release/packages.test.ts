import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pack } from '../../../scripts/release/packages.ts';

const fields = { name: 'example', version: '1.0.0', bin: { example: 'bin/example.js' }, files: ['bin', 'text.txt'] };

/** Packs files as they are after a checkout with this umask at this time. */
async function packWith(folder: string, { name, umask, time }: { name: string; umask: number; time: number }): Promise<string> {
  const [work, output] = [join(folder, name), join(folder, `${name}-output`)];
  const modeOf = (mode: number) => ({ mode: mode & ~umask });
  await mkdir(join(work, 'bin'), { recursive: true, ...modeOf(0o777) });
  await mkdir(output);
  await writeFile(join(work, 'bin/example.js'), '#!/usr/bin/env node\n', modeOf(0o777));
  await writeFile(join(work, 'text.txt'), 'text\n', modeOf(0o666));
  for (const file of ['bin/example.js', 'text.txt']) await utimes(join(work, file), time, time);
  await pack(fields, { work, output });
  return join(output, 'example-1.0.0.tgz');
}

describe('the npm packages of a release', () => {
  it('depend neither on the umask, nor on the folder, nor on the time', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'promptharbor-packages-'));
    t.after(() => rm(folder, { recursive: true }));
    const usual = await packWith(folder, { name: 'usual', umask: 0o022, time: 1_700_000_000 });
    const strict = await packWith(folder, { name: 'another folder', umask: 0o077, time: 1_800_000_000 });
    assert.deepEqual(await readFile(strict), await readFile(usual));
    assert.match(execFileSync('tar', ['-tvzf', strict], { encoding: 'utf8' }), /^-rwxr-xr-x .*bin\/example\.js$/m);
  });
});
