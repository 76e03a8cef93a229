import { runTests } from './lib/run-tests.ts';

/** Runs the tests in which processes are killed, the database fails, or several instances work together. */
export async function run(): Promise<void> {
  await runTests([...['kill', 'kill-results', 'counting'].map((name) => `test/process/${name}.test.ts`), 'test/consistency/*.test.ts']);
}
