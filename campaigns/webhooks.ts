import { runTests } from './lib/run-tests.ts';

/** Sends webhooks to a failing receiver, while the sending instances are killed 100 times. */
export async function run(): Promise<void> {
  await runTests(['test/events/webhooks-survive-kills.test.ts']);
}
