/** Sets the version in all packages and guides, and regenerates the files that contain it: `npm run set-version 1.0.0`. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const files = [
  ...['client/src/version.ts', 'clients/python/src/promptharbor/_version.py', 'deploy/helm/Chart.yaml'],
  ...['docs/cli.md', 'docs/installing.md', 'docs/quickstart.md', 'client/README.md', 'clients/python/README.md'],
];

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Usage: npm run set-version <version>, such as 1.0.0');
const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const pattern = new RegExp(`(?<![\\d.])${current.replaceAll('.', '\\.')}(?!\\.?\\d)`, 'g');
for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(pattern, version));
// On Windows npm is a batch file, which only a shell can run.
const npm = (...args: string[]) => execFileSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
npm(
  'version',
  version,
  '--workspaces',
  '--include-workspace-root',
  '--no-workspaces-update',
  '--no-git-tag-version',
  '--allow-same-version',
);
npm('install', '--package-lock-only', '--ignore-scripts');
npm('run', '--silent', 'openapi');
