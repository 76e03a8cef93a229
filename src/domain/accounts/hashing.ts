import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import { type hashingLimits, queueLimits } from '../../platform/scheduling/limits.ts';

export interface WithHashing {
  hashing: ReturnType<typeof createHashing>;
}

/** The tenant for which a password is hashed. No tenant can use up the slots of another tenant. */
export type HashTenant =
  | { kind: 'registration'; address: string }
  /** A sign-in from an address from which the account has not signed in before. */
  | { kind: 'new address'; address: string }
  /** A person who is signed in, or who has signed in to the account before. `person` identifies the count to which the attempt belongs. */
  | { kind: 'account'; accountId: string; person: string }
  | { kind: 'operator' };

/** Runs password hashes in fair queues. */
export function createHashing(limits: ReturnType<typeof hashingLimits> = queueLimits) {
  const hashes = createFairQueue(limits.hashes);
  // All registrations together count as one tenant of `hashes`. All sign-ins from new addresses together count as another tenant, no matter
  // how many addresses there are.
  const registrations = createFairQueue(limits.registrations);
  // Attempts that share a count run one at a time, so that each success is recorded before the next attempt is counted.
  const newAddresses = createFairQueue(limits.signInsFromNewAddresses);
  const people = createFairQueue(limits.signInsOfKnownPeople);

  return {
    /** Runs a hash. `check` runs after the earlier attempts are recorded, and may reject before the task waits for a core. */
    run<T>(tenant: HashTenant, task: () => Promise<T>, check?: () => Promise<void>): Promise<T> {
      const runNext = async (name: string) => {
        if (check) await check();
        return hashes.run(name, task);
      };
      switch (tenant.kind) {
        case 'registration':
          return registrations.run(tenant.address, () => runNext('registrations'));
        case 'new address':
          return newAddresses.run(tenant.address, () => runNext('new addresses'));
        case 'account':
          return people.run(tenant.person, () => runNext(`account ${tenant.accountId}`));
        case 'operator':
          return runNext('operator');
      }
    },

    get waiting() {
      return hashes.waiting + registrations.waiting + newAddresses.waiting + people.waiting;
    },
  };
}
