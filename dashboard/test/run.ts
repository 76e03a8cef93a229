/** Runs the browser tests with a Chromium that it finds or installs. Arguments are passed to Playwright. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findChromium } from './support/chromium.ts';

const root = join(import.meta.dirname, '../..');
const CHROMIUM_PATH = findChromium();
process.stderr.write(`Browser tests with ${CHROMIUM_PATH}\n`);
const { status } = spawnSync('playwright', ['test', '--config', 'dashboard/playwright.config.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM_PATH },
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
