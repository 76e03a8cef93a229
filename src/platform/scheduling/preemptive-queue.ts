import { createFairQueue, type FairQueueLimits } from './fair-queue.ts';

export type PreemptiveQueue = ReturnType<typeof createPreemptiveQueue>;

/** Tells a running task whether other tenants are waiting. */
export interface Preemption {
  /** The signal is aborted when the task has made no progress for too long while other tenants waited. */
  readonly signal: AbortSignal;
  /** Whether the task should end soon, because other tenants are waiting. */
  readonly isDue: boolean;
  /** Records progress, such as a response. */
  touch(): void;
}

export interface PreemptiveQueueLimits extends FairQueueLimits {
  /** The maximum duration of a task, and its maximum time without progress, while other tenants wait. */
  preemptAfterMs: number;
}

interface RunningTask extends Preemption {
  tenant: string;
  startedAt: number;
  isDue: boolean;
  /** Asks the task to end. Aborts the task immediately if it has made no progress for too long. */
  preempt(now: number): void;
}

/** While a tenant is starving, the running tasks are checked this many times per `preemptAfterMs`. */
const checks = 4;

/**
 * A fair queue for requests to servers that may never respond. A task may take as long as it needs while slots are free. While a tenant
 * without a running task is waiting, the tasks that have run longest are ended. A silent server therefore delays other tenants only
 * briefly, instead of until the request times out.
 */
export function createPreemptiveQueue({ preemptAfterMs, ...limits }: PreemptiveQueueLimits) {
  const queue = createFairQueue(limits);
  const running = new Set<RunningTask>();
  let isScheduled = false;

  function makeRoom(): void {
    isScheduled = false;
    const now = performance.now();
    const tasksOf = Map.groupBy(running, ({ tenant }) => tenant);
    const longest = [...running]
      .filter(({ startedAt }) => now - startedAt >= preemptAfterMs)
      .map((task) => ({ task, held: tasksOf.get(task.tenant)?.length ?? 0 }))
      // Tasks of the tenant with the most tasks come first.
      .sort((one, other) => other.held - one.held || one.task.startedAt - other.task.startedAt);
    for (const { task } of longest.slice(0, queue.starving)) task.preempt(now);
    makeRoomIfNeeded();
  }

  function makeRoomIfNeeded(): void {
    if (isScheduled || queue.starving === 0) return;
    isScheduled = true;
    setTimeout(makeRoom, preemptAfterMs / checks).unref();
  }

  return {
    run<T>(tenant: string, task: (preemption: Preemption) => Promise<T>): Promise<T> {
      const result = queue.run(tenant, async () => {
        const own = createRunningTask(tenant, preemptAfterMs);
        running.add(own);
        try {
          return await task(own);
        } finally {
          running.delete(own);
        }
      });
      makeRoomIfNeeded();
      return result;
    },
  };
}

function createRunningTask(tenant: string, preemptAfterMs: number): RunningTask {
  const controller = new AbortController();
  const startedAt = performance.now();
  let progressAt = startedAt;
  return {
    tenant,
    startedAt,
    signal: controller.signal,
    isDue: false,
    touch() {
      progressAt = performance.now();
    },
    preempt(now) {
      this.isDue = true;
      if (now - progressAt >= preemptAfterMs) controller.abort();
    },
  };
}
