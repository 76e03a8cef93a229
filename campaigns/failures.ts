import { runTests } from './lib/run-tests.ts';

/** Kills, failures and several instances. */
export async function run(): Promise<void> {
  await runTests(['test/process/kill.test.ts', 'test/process/counting.test.ts', 'test/consistency/*.test.ts']);
}
