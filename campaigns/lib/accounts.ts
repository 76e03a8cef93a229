import { setTimeout as delay } from 'node:timers/promises';

/**
 * Retries while the service throttles. The service limits registrations and sign-ins by address, and all accounts of a campaign have the
 * same address.
 */
export async function retryWhileThrottled<T>(enter: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await enter();
    } catch {
      await delay(1000);
    }
  }
}
