import { runTests } from './lib/run-tests.ts';

/** Sends 10,000 writes to three instances, while 50 streams reconnect at random. */
export async function run(): Promise<void> {
  await runTests(['test/events/streams-reconnect.test.ts']);
}
