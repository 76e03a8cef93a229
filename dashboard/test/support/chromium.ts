import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** Debian's Chromium without a window, which uses 40 % less CPU time. */
const headlessShell = '/usr/bin/chromium-headless-shell';

const knownPaths = [
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** Finds a Chromium that starts: an installed one, or the Debian package, or Playwright's download. Throws if no Chromium starts. */
export function findChromium(): string {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!starts(given)) throw new Error(`CHROMIUM_PATH is ${given}, which does not start.`);
    return given;
  }
  const installed = [...knownPaths, chromium.executablePath()].find(starts);
  if (installed) return installed;

  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    log('No Chromium is installed. Installing the package "chromium-headless-shell" ...');
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell']);
    if (starts(headlessShell)) return headlessShell;
  }
  log('No Chromium is installed. Downloading one with Playwright ...');
  run('playwright', ['install', 'chromium']);
  if (starts(chromium.executablePath())) return chromium.executablePath();
  throw new Error('The browser tests need Chromium: install Chromium or Chrome, or set CHROMIUM_PATH to one.');
}

/** An existing file may still lack a shared library, so it is run once. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { timeout: 30_000, stdio: 'ignore' }).status === 0;
}

function run(command: string, args: string[]): void {
  spawnSync(command, args, { timeout: 600_000, stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}
