/**
 * Runs all tests except those of the dashboard. Most files share a process with others, because starting a process takes longer than most
 * files run.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const filesPerProcess = 8;
/** These files need the whole event loop, or all connections, of their process. */
const alone = /hostile|connection-limits|slow-clients/;

const files = globSync('**/*.test.ts', { cwd: import.meta.dirname }).sort();
const isAlone = (file: string) => alone.test(basename(file));
const folder = mkdtempSync(join(tmpdir(), 'promptharbor-tests-'));
try {
  const { status } = spawnSync(
    process.execPath,
    [
      '--import=./test/support/packages/use-bundles.ts',
      '--import=./test/support/untracked-promises.ts',
      '--test',
      '--test-concurrency=4',
      // For all files of a process. Generous, because a busy machine is slow; it only stops a test that hangs.
      '--test-timeout=1800000',
      '--test-global-setup=test/support/global-setup.ts',
      // First, because the longest of all files are among them, and the run should not end with one process at work.
      ...files.filter(isAlone).map((file) => join(import.meta.dirname, file)),
      ...writeGroups(files.filter((file) => !isAlone(file))),
    ],
    { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** A file for each process, which imports tests from all over the list: neighbors take similarly long. */
function writeGroups(shared: string[]): string[] {
  const count = Math.ceil(shared.length / filesPerProcess);
  return Array.from({ length: count }, (_, group) => {
    const members = shared.filter((_, index) => index % count === group);
    const path = join(folder, `group-${group + 1}.mjs`);
    writeFileSync(path, members.map((file) => `import ${JSON.stringify(pathToFileURL(join(import.meta.dirname, file)))};\n`).join(''));
    return path;
  });
}
