import { defineConfig } from '@playwright/test';

const launchArgs = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A test ends before optimized code has saved the time that it took to compile.
  '--js-flags=--no-opt --no-maglev --single-threaded',
  // Chromium's sandbox does not work as root, for example in a container.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

export default defineConfig({
  testDir: './test',
  outputDir: '../node_modules/.cache/playwright',
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // The timeouts are generous, because a busy machine is slow. They only stop a test that hangs.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    // Without a graphics card, animations take the CPU from the tests.
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    trace: 'off',
    launchOptions: {
      args: launchArgs,
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    },
  },
});
