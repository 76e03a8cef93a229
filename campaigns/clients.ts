import { runTests } from './lib/run-tests.ts';

/** Runs the tests of the Python client and of `promptharbor pull` and `push` with many more threads and random inputs. */
export async function run(): Promise<void> {
  await runTests(['test/clients/python.test.ts', 'test/cli/sync.test.ts']);
}
