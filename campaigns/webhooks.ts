import { runTests } from './lib/run-tests.ts';

/** Webhooks to a receiver that fails, while the instances that send are killed 100 times. */
export async function run(): Promise<void> {
  await runTests(['test/events/webhooks-survive-kills.test.ts']);
}
