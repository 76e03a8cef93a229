import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compress, createTar } from '../../../scripts/release/archive.ts';

const deepPath = `${'folder/'.repeat(20)}file with a name of its own.txt`;
const entries = [
  { path: 'b', content: 'text', mode: 0o600 },
  { path: 'a/program', content: Buffer.alloc(1025, 7), mode: 0o755 },
  { path: 'a', mode: 0o700 },
  { path: 'link', link: 'b' },
  { path: deepPath, content: 'deep' },
];

describe('createTar', () => {
  it('the archive can be unpacked, with contents, modes, links and long paths', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'promptharbor-tar-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'archive.tgz'), compress(createTar(entries)));
    execFileSync('tar', ['-xzpf', 'archive.tgz'], { cwd: folder });
    assert.equal(readFileSync(join(folder, 'b'), 'utf8'), 'text');
    assert.deepEqual(readFileSync(join(folder, 'a/program')), Buffer.alloc(1025, 7));
    assert.equal(readFileSync(join(folder, deepPath), 'utf8'), 'deep');
    assert.equal(readlinkSync(join(folder, 'link')), 'b');
    assert.deepEqual(
      ['a', 'a/program', 'b'].map((name) => lstatSync(join(folder, name)).mode & 0o777),
      [0o700, 0o755, 0o600],
    );
    assert.equal(lstatSync(join(folder, 'b')).mtimeMs, 0);
  });

  it('the bytes do not depend on the order of the entries', () => {
    assert.deepEqual(compress(createTar(entries)), compress(createTar(entries.toReversed())));
  });

  it('refuses a path that the format cannot hold', () => {
    assert.throws(() => createTar([{ path: 'x'.repeat(101), content: '' }]), /too long/);
  });
});
