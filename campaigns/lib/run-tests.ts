import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs tests for much longer than `npm test` does. */
export async function runTests(files: string[]): Promise<void> {
  const args = ['--test', '--test-concurrency=1', '--test-global-setup=test/support/global-setup.ts', ...files];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
