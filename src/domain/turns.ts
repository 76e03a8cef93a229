import { createFairQueue, type FairQueue, type FairQueueLimits } from './fair-queue.ts';

/**
 * A fair queue for work that waits for servers of others, which may never respond. A turn may take its time as long as slots are free.
 * While somebody waits who has none, the longest turns end: a server that is silent costs others a moment, and not its timeout.
 */
export interface Turns extends Pick<FairQueue, 'waiting'> {
  run<T>(tenant: string, task: (turn: Turn) => Promise<T>): Promise<T>;
}

export interface Turn {
  /** Aborted when the turn has made no progress for too long while others waited. */
  readonly signal: AbortSignal;
  /** Whether others wait for it to end. */
  readonly isOver: boolean;
  /** Says that there was progress, such as a response. */
  touch(): void;
}

export interface TurnLimits extends FairQueueLimits {
  /** What a turn may take, and go without progress, while others wait. */
  leaseMs: number;
}

interface RunningTurn extends Turn {
  tenant: string;
  startedAt: number;
  isOver: boolean;
  /** Ends it with its next progress, or at once if the last one was too long ago. */
  hurry(now: number): void;
}

/** How often the longest turns are looked for while somebody waits, as a part of the lease. */
const checksPerLease = 4;

export function createTurns({ leaseMs, ...limits }: TurnLimits): Turns {
  const queue = createFairQueue(limits);
  const running = new Set<RunningTurn>();
  let isScheduled = false;

  function makeRoom(): void {
    isScheduled = false;
    const now = performance.now();
    const turnsOf = Map.groupBy(running, ({ tenant }) => tenant);
    const longest = [...running]
      .filter(({ startedAt }) => now - startedAt >= leaseMs)
      .map((turn) => ({ turn, held: turnsOf.get(turn.tenant)?.length ?? 0 }))
      // Of the tenant with the most first.
      .sort((one, other) => other.held - one.held || one.turn.startedAt - other.turn.startedAt);
    for (const { turn } of longest.slice(0, queue.starving)) turn.hurry(now);
    makeRoomIfNeeded();
  }

  function makeRoomIfNeeded(): void {
    if (isScheduled || queue.starving === 0) return;
    isScheduled = true;
    setTimeout(makeRoom, leaseMs / checksPerLease).unref();
  }

  return {
    run(tenant, task) {
      const result = queue.run(tenant, async () => {
        const turn = createTurn(tenant, leaseMs);
        running.add(turn);
        try {
          return await task(turn);
        } finally {
          running.delete(turn);
        }
      });
      makeRoomIfNeeded();
      return result;
    },

    get waiting() {
      return queue.waiting;
    },
  };
}

function createTurn(tenant: string, leaseMs: number): RunningTurn {
  const controller = new AbortController();
  const startedAt = performance.now();
  let progressAt = startedAt;
  return {
    tenant,
    startedAt,
    signal: controller.signal,
    isOver: false,
    touch() {
      progressAt = performance.now();
    },
    hurry(now) {
      this.isOver = true;
      if (now - progressAt >= leaseMs) controller.abort();
    },
  };
}
