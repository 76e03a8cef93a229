import { AppError } from '../errors.ts';

/**
 * Bounds what is held for long, such as open streams. When all is taken, somebody who holds less than another owner still gets a slot:
 * the owner that holds the most loses one, so that nobody is refused because of a few others.
 */
export interface FairSlots {
  /** Takes a slot. Throws if an owner has too many, or if all are taken by owners that hold no more than this one would. */
  take(request: SlotRequest): Slot;
}

export interface SlotRequest {
  /** Who holds it, such as an account and a workspace. */
  owners: ReadonlySet<string>;
  /** What it takes of the total. Default: 1. */
  weight?: number;
  /** Ends what holds the slot, which somebody else has now. */
  evict(): void;
}

export interface Slot {
  /** Says that the client has made progress: of the slots of an owner, the one without any for the longest time is lost first. */
  touch(): void;
  /** Says that the client has nothing to do for now, so that it cannot be too slow. Ends with `touch`. */
  excuse(): void;
  /** The slot cannot be lost anymore. */
  pin(): void;
  /** May be called again, and after an eviction. */
  release(): void;
}

export interface SlotLimits {
  /** The most slots of one owner. The next one is refused with 429. */
  perOwner: number;
  /** The most that all slots may weigh. */
  total: number;
  /**
   * When nobody holds more than the one who asks would, the slot is lost that has made no progress for the longest time, if it is at least
   * this long. Otherwise the one who asks is refused with 503.
   */
  stalledMs: number;
  /** What slots are of, for the text of a refusal. */
  what: string;
}

interface Holder extends SlotRequest {
  weight: number;
  quietSince: number;
  isPinned: boolean;
}

interface Owner {
  weight: number;
  holders: Set<Holder>;
}

export function createFairSlots(limits: SlotLimits): FairSlots {
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

  /** What the one of these owners holds that holds the most. */
  function weightOf(names: ReadonlySet<string>): number {
    return Math.max(...Array.from(names, (name) => owners.get(name)?.weight ?? 0));
  }

  /** The slot to give to somebody who would then hold `weight`, and holds nothing else if `isFirst`. */
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
    take({ weight = 1, ...request }) {
      for (const name of request.owners) {
        if ((owners.get(name)?.holders.size ?? 0) < limits.perOwner) continue;
        throw new AppError('too_many_streams', {
          text: `A key and a workspace can each have at most ${limits.perOwner} ${limits.what} at the same time; close some of them`,
        });
      }
      const own = weightOf(request.owners);
      while (taken + weight > limits.total) {
        const victim = findVictim(own + weight, own === 0);
        if (!victim) throw new AppError('overloaded');
        remove(victim);
        victim.evict();
      }
      const holder: Holder = { ...request, weight, quietSince: performance.now(), isPinned: false };
      add(holder);
      return {
        touch() {
          holder.quietSince = performance.now();
        },
        excuse() {
          holder.quietSince = Number.POSITIVE_INFINITY;
        },
        pin() {
          holder.isPinned = true;
        },
        release: () => remove(holder),
      };
    },
  };
}

function findQuietest(holders: Iterable<Holder>): Holder | undefined {
  let quietest: Holder | undefined;
  for (const holder of holders) {
    if (!holder.isPinned && (!quietest || holder.quietSince < quietest.quietSince)) quietest = holder;
  }
  return quietest;
}
