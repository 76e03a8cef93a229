import { setTimeout as delay } from 'node:timers/promises';
import { register, type TestAccount } from '../../test/support/client.ts';

/** Registrations are throttled by address, and all accounts of a campaign have the same one. */
export async function registerPatiently(service: { url: string }): Promise<TestAccount> {
  for (;;) {
    try {
      return await register(service);
    } catch {
      await delay(1000);
    }
  }
}
