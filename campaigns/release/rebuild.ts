import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Builds a commit in a fresh clone, and returns the lines of its checksums that differ from the release. The folder, the umask, the time
 * zone and the language differ from the first build.
 */
export async function findDifferences(release: string, commit: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-a-second-build-'));
  const umask = process.umask(0o077);
  try {
    const clone = join(folder, 'a clone');
    await execute('git', ['clone', '--quiet', '--no-checkout', resolve('.'), clone]);
    const env = { ...process.env, TZ: 'Pacific/Auckland', LC_ALL: 'C' };
    const run = (program: string, ...args: string[]) => execute(program, args, { cwd: clone, env, maxBuffer: 2 ** 26 });
    await run('git', 'checkout', '--quiet', commit);
    await run('npm', 'run', '--silent', 'dist');
    const first = await readChecksums(release);
    const second = await readChecksums(join(clone, 'dist/release'));
    return [...first.filter((line) => !second.includes(line)), ...second.filter((line) => !first.includes(line))];
  } finally {
    process.umask(umask);
    await rm(folder, { recursive: true, force: true });
  }
}

async function readChecksums(folder: string): Promise<string[]> {
  return (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n');
}
