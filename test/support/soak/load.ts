import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { kinds, pickKind } from './requests.ts';
import type { World } from './world.ts';

/** The durations in milliseconds and the failures, by kind of request. */
export interface Taken {
  durations: Map<string, number[]>;
  failures: string[];
}

export interface Load {
  /** Returns the measurements since the last call. */
  take(): Taken;
  /** The number of requests that are waiting for a response. */
  readonly pending: number;
}

/** If more requests than this are pending, the service cannot keep up. */
export const maxPending = 500;

export function createLoad(world: World, random: Random): Load & { send(): Promise<void> } {
  let taken: Taken = { durations: new Map(), failures: [] };
  let pending = 0;
  return {
    get pending() {
      return pending;
    },
    take() {
      const result = taken;
      taken = { durations: new Map(), failures: [] };
      return result;
    },
    async send() {
      const kind = pickKind(random);
      const started = performance.now();
      pending += 1;
      try {
        await kinds[kind]?.send(random.pick(world.tenants), random, world);
        const durations = taken.durations.get(kind) ?? [];
        taken.durations.set(kind, durations);
        durations.push(performance.now() - started);
      } catch (err) {
        taken.failures.push(`${kind}: ${err instanceof Error ? err.message : String(err)}`);
      } finally {
        pending -= 1;
      }
    },
  };
}

const workers = 24;

/** Measures requests per second with a few workers that send without a pause. */
export async function measureCapacity(world: World, random: Random, ms: number): Promise<number> {
  const load = createLoad(world, random);
  const run = async (durationMs: number) => {
    const end = performance.now() + durationMs;
    const work = async () => {
      while (performance.now() < end) await load.send();
    };
    await Promise.all(Array.from({ length: workers }, work));
  };
  await run(ms / 2);
  load.take();
  const started = performance.now();
  await run(ms);
  const { durations } = load.take();
  const count = [...durations.values()].reduce((sum, each) => sum + each.length, 0);
  return (count * 1000) / (performance.now() - started);
}

/** Sends at an even rate, whether or not responses arrive, like independent clients. Returns when no request is pending. */
export async function sendAtRate(
  load: ReturnType<typeof createLoad>,
  { perSecond, isOver }: { perSecond: number; isOver(): boolean },
): Promise<void> {
  const started = performance.now();
  for (let sent = 0; !isOver(); ) {
    const due = ((performance.now() - started) / 1000) * perSecond;
    for (; sent < due; sent += 1) {
      if (load.pending < maxPending) void load.send();
    }
    await delay(5);
  }
  while (load.pending > 0) await delay(20);
}
