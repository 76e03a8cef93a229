/** Runs all tests except the dashboard's. Most files share a process, because starting one takes longer than most files run. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const filesPerProcess = 12;
/** These files need a process to themselves, because they use its whole event loop or all of its connections. They also take long. */
const greedy = /hostile|connection-limits|slow-clients/;
/** These files take longest. */
const long = /^consistency\/fail|^cli\/(?:restore|backup|sync|prompts|accounts)\.|^process\/start|^clients\/python|webhooks-notices/;

const files = globSync('**/*.test.ts', { cwd: import.meta.dirname }).sort();
const isAlone = (file: string) => greedy.test(basename(file)) || long.test(file);
const folder = mkdtempSync(join(tmpdir(), 'promptharbor-tests-'));
try {
  const { status } = spawnSync(
    process.execPath,
    [
      // The young heap starts small and grows late. Until then, a test process spends a tenth of its CPU time on collecting garbage.
      '--min-semi-space-size=16',
      '--import=./test/support/packages/use-bundles.ts',
      '--import=./test/support/packages/use-programs.ts',
      '--import=./test/support/untracked-promises.ts',
      '--import=./test/support/stuck-process.ts',
      '--test',
      '--test-concurrency=4',
      '--test-global-setup=test/support/global-setup.ts',
      ...writeProcesses([...files.filter(isAlone).map((file) => [file]), ...batch(files.filter((file) => !isAlone(file)))]),
    ],
    { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Distributes files among processes. Files next to each other take similarly long, so each process gets files from all over the list. */
function batch(shared: string[]): string[][] {
  const count = Math.ceil(shared.length / filesPerProcess);
  return Array.from({ length: count }, (_, number) => shared.filter((_, index) => index % count === number));
}

/**
 * For each process, writes a file that imports the process's test files. The names of these files are numbered, because Node runs them in
 * the order of their paths. The longest files run first, so that the run does not end with a single busy process.
 */
function writeProcesses(processes: string[][]): string[] {
  return processes.map((members, index) => {
    const path = join(folder, `${String(index + 1).padStart(3, '0')}.mjs`);
    writeFileSync(path, members.map((file) => `import ${JSON.stringify(pathToFileURL(join(import.meta.dirname, file)))};\n`).join(''));
    return path;
  });
}
