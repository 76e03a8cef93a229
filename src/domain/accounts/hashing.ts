import { availableParallelism } from 'node:os';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';

export interface WithHashing {
  hashing: Hashing;
}

/** For whom a password is hashed. Nobody can use up the turns of another kind, nor those of another address or account. */
export type HashTenant =
  | { kind: 'registration'; address: string }
  /** A sign-in from an address that the account does not know. */
  | { kind: 'stranger'; address: string }
  /** Someone who is signed in, or was before. `person` is the count that the attempt belongs to. */
  | { kind: 'account'; accountId: string; person: string }
  | { kind: 'operator' };

/** Runs password hashes in turns. */
interface Hashing {
  /** `check` runs when the attempts before it are settled, and may reject before the task waits for a core. */
  run<T>(tenant: HashTenant, task: () => Promise<T>, check?: () => Promise<void>): Promise<T>;
  readonly waiting: number;
}

/** Each hash takes a core and 46 MiB, so one core is left free for other requests. */
export function createHashing(running = Math.max(1, availableParallelism() - 1)): Hashing {
  const limits = { running, runningPerTenant: Math.max(1, running - 1), waitingPerTenant: 64, waiting: 256, waitTimeoutMs: 30_000 };
  const hashes = createFairQueue(limits);
  // All registrations, and all strangers, are one tenant of `hashes`, whatever the number of addresses they come from.
  const registrations = createFairQueue(limits);
  // Attempts of one count are made one after the other, so that each success is settled before the next attempt is counted.
  const strangers = createFairQueue({ ...limits, runningPerTenant: 1 });
  const accounts = createFairQueue({ ...limits, running: Number.POSITIVE_INFINITY, runningPerTenant: 1 });

  return {
    run(tenant, task, check) {
      const runNext = async (name: string) => {
        if (check) await check();
        return hashes.run(name, task);
      };
      switch (tenant.kind) {
        case 'registration':
          return registrations.run(tenant.address, () => runNext('registrations'));
        case 'stranger':
          return strangers.run(tenant.address, () => runNext('strangers'));
        case 'account':
          return accounts.run(tenant.person, () => runNext(`account ${tenant.accountId}`));
        case 'operator':
          return runNext('operator');
      }
    },

    get waiting() {
      return hashes.waiting + registrations.waiting + strangers.waiting + accounts.waiting;
    },
  };
}
