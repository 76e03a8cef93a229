import { runTests } from './lib/run-tests.ts';

/** Runs the tests in which processes are killed, the database fails, or several instances work together. */
export async function run(): Promise<void> {
  await runTests(['test/process/kill.test.ts', 'test/process/counting.test.ts', 'test/consistency/*.test.ts']);
}
