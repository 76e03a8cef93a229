// Makes a clone ready for the npm script that calls it: installs what the lock file says, and with --build compiles what is
// stale. Plain JavaScript without dependencies: on a fresh clone the machine's own, older Node runs it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const oldestNode = 24;

step({
  stamp: 'node_modules/.promptharbor-stamp',
  inputs: ['package.json', 'package-lock.json', '.npmrc'],
  title: 'Installing packages (once; takes a minute)',
  command: ['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error'],
});
assertNode();
if (process.argv.includes('--build')) {
  step({
    stamp: 'dist/.promptharbor-stamp',
    inputs: ['src', 'dashboard', 'openapi.json', 'assets', 'scripts/docs', 'scripts/build.ts', 'package-lock.json'],
    title: 'Building',
    command: ['npm', 'run', '--silent', 'build'],
  });
}

/** Runs a command unless its inputs are just what they were when it last succeeded. */
function step({ stamp, inputs, title, command }) {
  const file = join(root, stamp);
  const digest = digestOf(inputs);
  if (existsSync(file) && readFileSync(file, 'utf8') === digest) return;
  process.stderr.write(`${title} ...\n`);
  const [program, ...args] = command;
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) {
    process.stderr.write(`"${command.join(' ')}" failed; see above.\n`);
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

/** npm scripts find the pinned Node first; where its install could not run, a new enough one of the machine serves. */
function assertNode() {
  const { stdout } = spawnSync('node', ['--version'], { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  if (major >= oldestNode) return;
  process.stderr.write(
    `PromptHarbor needs Node ${oldestNode} or newer; the pinned one could not be installed and this machine has ${(stdout ?? '').trim()}. ` +
      'Install a newer Node, or delete node_modules and try again.\n',
  );
  process.exit(1);
}
