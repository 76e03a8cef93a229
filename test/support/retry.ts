import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

const attempts = 3000;
const pauseMs = 10;

/**
 * Waits until a condition holds, and fails with `message` if it never does. The number of attempts is limited instead of the time, so that
 * a busy machine gets the time it needs.
 */
export async function retryUntil(message: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (await isTrue()) return;
    await delay(pauseMs);
  }
  assert.fail(`${message} (after ${attempts} attempts)`);
}
