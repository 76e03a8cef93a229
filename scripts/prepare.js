// Prepares a clone for an npm script: installs the packages of the lock file and, with --build, builds what is stale. npm scripts run or
// import this file.
// This file is plain JavaScript without dependencies, because on a fresh clone the machine's older Node may run it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const oldestNode = 24;

await step({
  stamp: 'node_modules/.promptharbor-stamp',
  inputs: ['package.json', 'package-lock.json', '.npmrc'],
  title: 'Installing packages (only once, takes about a minute)',
  command: 'npm ci --include=dev --no-audit --no-fund --loglevel=error',
});
export const nodePath = findNode();
if (process.argv.includes('--build')) {
  await step({
    stamp: 'dist/.promptharbor-stamp',
    inputs: [
      ...['src', 'client/src', 'dashboard', 'openapi.json', 'assets', 'scripts/docs', 'scripts/build.ts'],
      ...['scripts/external-packages.ts', 'scripts/read-http.ts', 'package-lock.json'],
      ...['docs', 'client/README.md', 'SECURITY.md', 'CHANGELOG.md'],
    ],
    title: 'Building',
    command: 'npm run --silent build',
  });
}

/** Runs a command if its inputs have changed since it last succeeded. */
async function step({ stamp, inputs, title, command }) {
  const file = join(root, stamp);
  const digest = digestOf(inputs);
  if (existsSync(file) && readFileSync(file, 'utf8') === digest) return;
  process.stderr.write(`${title} ...\n`);
  // Ctrl+C also reaches npm, which then cleans up. This process waits for npm, so that the shell prompt does not return before npm has
  // ended.
  let isInterrupted = false;
  const onInterrupt = () => {
    isInterrupted = true;
  };
  process.on('SIGINT', onInterrupt);
  // On Windows npm is a batch file, which only a shell can run.
  const { status } = spawnSync(command, { cwd: root, stdio: ['ignore', 2, 2], shell: true });
  // Node delivers a signal that arrived during the command only now. The command may have succeeded, because the signal may have reached only
  // this process.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('SIGINT', onInterrupt);
  if (isInterrupted) process.exit(130);
  if (status !== 0) {
    process.stderr.write(`"${command}" failed. See the output above.\n`);
    process.exit(1);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, digest);
}

function digestOf(inputs) {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => filesBelow(input)))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function filesBelow(path) {
  const entries = existsSync(join(root, path)) ? [path] : [];
  return entries.flatMap((entry) => {
    try {
      return readdirSync(join(root, entry))
        .sort()
        .flatMap((name) => filesBelow(join(entry, name)));
    } catch {
      return [entry];
    }
  });
}

/** Returns the pinned Node. If its installation could not run, returns the current Node, provided that it is new enough. */
function findNode() {
  const { version, path } = readPinnedNode();
  if (process.versions.node === version) return process.execPath;
  if (path !== undefined && spawnSync(path, ['--version']).status === 0) return path;
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return process.execPath;
  process.stderr.write(
    `PromptHarbor requires Node ${oldestNode} or newer. The pinned version could not be installed, and this machine has ${process.version}. ` +
      'Install a newer Node, or delete node_modules and try again.\n',
  );
  return process.exit(1);
}

/** The install script of the package creates the executable, and writes its name on Windows into package.json. */
function readPinnedNode() {
  const folder = join(root, 'node_modules/node');
  if (!existsSync(join(folder, 'package.json'))) return {};
  const { version, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { version, path: join(folder, bin.node) };
}
