import { createFairQueue, type FairQueue, type FairQueueLimits } from './fair-queue.ts';

/**
 * A fair queue for requests to servers that may never respond. A turn may take as long as it needs while slots are free. While a tenant
 * without a turn is waiting, the longest turns end, so that a silent server delays others for a moment instead of its whole timeout.
 */
export interface Turns extends Pick<FairQueue, 'waiting'> {
  run<T>(tenant: string, task: (turn: Turn) => Promise<T>): Promise<T>;
}

export interface Turn {
  /** Aborted when the turn has made no progress for too long while others waited. */
  readonly signal: AbortSignal;
  /** Whether the turn should end soon, because others are waiting. */
  readonly isOver: boolean;
  /** Records progress, such as a response. */
  touch(): void;
}

export interface TurnLimits extends FairQueueLimits {
  /** While others wait, how long a turn may take, and how long it may make no progress. */
  leaseMs: number;
}

interface RunningTurn extends Turn {
  tenant: string;
  startedAt: number;
  isOver: boolean;
  /** Marks the turn as over. Aborts it at once if it has made no progress for the length of the lease. */
  endSoon(now: number): void;
}

/** How often per lease the longest turns are looked for while a tenant is starving. */
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
      // Turns of the tenant with the most turns come first.
      .sort((one, other) => other.held - one.held || one.turn.startedAt - other.turn.startedAt);
    for (const { turn } of longest.slice(0, queue.starving)) turn.endSoon(now);
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
    endSoon(now) {
      this.isOver = true;
      if (now - progressAt >= leaseMs) controller.abort();
    },
  };
}
