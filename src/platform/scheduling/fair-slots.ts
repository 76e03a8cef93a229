import { AppError } from '../../errors.ts';

interface SlotRequest {
  /** The owners of the slot, such as an account and a workspace. */
  owners: ReadonlySet<string>;
  /** The weight with which the slot counts toward the total. Default: 1. */
  weight?: number;
}

export type Slot = ReturnType<ReturnType<typeof createFairSlots>['take']>;

export interface SlotLimits {
  /** The maximum number of slots of one owner. A request for another slot is refused with 429. */
  perOwner: number;
  /** The maximum weight of all slots together. */
  total: number;
  /**
   * The time without progress after which a slot counts as stalled. If all slots are taken and no owner holds more than a new caller would
   * hold, a caller without any slot replaces the slot that has stalled longest. If no slot has stalled, the caller is refused with 503.
   */
  stalledMs: number;
  /** The purpose of the slots, such as `exports`, for the error message. */
  what: string;
}

interface Holder extends SlotRequest {
  weight: number;
  quietSince: number;
  /** The controller is aborted when another request gets the slot. */
  evicting: AbortController;
}

interface Owner {
  weight: number;
  holders: Set<Holder>;
}

/**
 * Limits resources that are held for a long time, such as open streams. If all slots are taken, a caller that holds less than another owner
 * still gets a slot, and the owner that holds the most loses one. A few owners therefore cannot cause other owners to be refused.
 */
export function createFairSlots(limits: SlotLimits) {
  const holders = new Set<Holder>();
  const owners = new Map<string, Owner>();
  let taken = 0;

  function add(holder: Holder): void {
    holders.add(holder);
    taken += holder.weight;
    for (const name of holder.owners) {
      const owner = owners.get(name) ?? { weight: 0, holders: new Set() };
      owners.set(name, owner);
      owner.weight += holder.weight;
      owner.holders.add(holder);
    }
  }

  function remove(holder: Holder): void {
    if (!holders.delete(holder)) return;
    taken -= holder.weight;
    for (const name of holder.owners) {
      const owner = owners.get(name);
      if (!owner) continue;
      owner.weight -= holder.weight;
      owner.holders.delete(holder);
      if (owner.holders.size === 0) owners.delete(name);
    }
  }

  /** Finds the owner in `names` that holds the most, and returns the weight of its slots. */
  function weightOf(names: ReadonlySet<string>): number {
    return Math.max(...Array.from(names, (name) => owners.get(name)?.weight ?? 0));
  }

  /** Finds the slot to evict for a caller that would then hold `weight`. `isFirst` means that the caller holds no other slot. */
  function findVictim(weight: number, isFirst: boolean): Holder | undefined {
    let most = weight;
    let victim: Holder | undefined;
    for (const owner of owners.values()) {
      const quietest = owner.weight > most ? findQuietest(owner.holders) : undefined;
      if (quietest) [most, victim] = [owner.weight, quietest];
    }
    if (victim) return victim;
    const stalled = isFirst ? findQuietest(holders) : undefined;
    return stalled && performance.now() - stalled.quietSince >= limits.stalledMs ? stalled : undefined;
  }

  return {
    /** Takes a slot. Throws if an owner has too many slots, or if all slots are taken and none can be evicted. */
    take({ weight = 1, ...request }: SlotRequest) {
      for (const name of request.owners) {
        if ((owners.get(name)?.holders.size ?? 0) < limits.perOwner) continue;
        throw new AppError('too_many_streams', {
          text: `A key and a workspace can each have at most ${limits.perOwner} ${limits.what} at the same time. Close some of them.`,
        });
      }
      const own = weightOf(request.owners);
      while (taken + weight > limits.total) {
        const victim = findVictim(own + weight, own === 0);
        if (!victim) throw new AppError('overloaded');
        remove(victim);
        victim.evicting.abort(new AppError('too_many_streams', { text: `Too many ${limits.what} are in progress. Try again shortly.` }));
      }
      const holder: Holder = { ...request, weight, quietSince: performance.now(), evicting: new AbortController() };
      add(holder);
      return {
        /**
         * Records that the client has made progress. Among an owner's slots, the slot with the longest time without progress is evicted
         * first.
         */
        touch() {
          holder.quietSince = performance.now();
        },
        /** Records that the service is busy with this request, so that the client does not count as slow until the next `touch`. */
        excuse() {
          holder.quietSince = Number.POSITIVE_INFINITY;
        },
        /** The signal is aborted with an error when another request gets the slot. The work that holds the slot must then end. */
        evicted: holder.evicting.signal,
        /** Frees the slot. This function may be called more than once, even after an eviction. */
        release: () => remove(holder),
      };
    },
  };
}

function findQuietest(holders: Iterable<Holder>): Holder | undefined {
  let quietest: Holder | undefined;
  for (const holder of holders) {
    if (!quietest || holder.quietSince < quietest.quietSince) quietest = holder;
  }
  return quietest;
}
