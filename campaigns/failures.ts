import { spawn } from 'node:child_process';
import { once } from 'node:events';

const files = ['test/process/kill.test.ts', 'test/process/counting.test.ts', 'test/consistency/*.test.ts'];

/** Runs the tests of kills, failures and several instances for much longer than `npm test` does. */
export async function run(): Promise<void> {
  const args = ['--test', '--test-concurrency=1', '--test-global-setup=test/support/global-setup.ts', ...files];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, PROMPTHARBOR_CAMPAIGN: 'yes' } });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
