import { AppError, isDatabaseUnavailable } from '../../errors.ts';

export type FairQueue = ReturnType<typeof createFairQueue>;

export interface FairQueueLimits {
  /** The maximum number of tasks that run at the same time. */
  running: number;
  /**
   * The maximum number of tasks of one tenant that run at the same time. It is lower than `running`, so that a slot stays free for other
   * tenants.
   */
  runningPerTenant: number;
  /**
   * If set, a tenant that already has a slot gets another one only if its slots are fewer than this share of the free slots. Use this for
   * tasks that hold their slots for a long time. Even many tenants together then leave slots for the next tenant.
   */
  shareOfFree?: number;
  /** The maximum number of tasks of one tenant that wait. The next task is refused with 429. */
  waitingPerTenant: number;
  /**
   * The maximum number of tasks of all tenants that wait. Beyond this number, the newest task of the tenant with the most waiting tasks is
   * refused with 429.
   */
  waiting: number;
  /**
   * A task that has waited this long is refused, because its caller has probably given up. The status is 429 if it waited for tasks of its
   * own tenant, and 503 if it waited for tasks of other tenants.
   */
  waitTimeoutMs: number;
  /**
   * If set, a task that fails because the database is unavailable makes all waiting tasks of its tenant fail. Otherwise, each of them would
   * wait for its own timeout.
   */
  failsTogether?: boolean;
  /**
   * If set, a slot becomes free after this time instead of in the next turn of the event loop. Use this for tasks that occupy the main
   * thread: requests of other tenants that arrived in the meantime are handled first.
   */
  releaseAfterMs?: number;
}

/** A tenant that has running or waiting tasks. */
interface Tenant {
  running: number;
  waiters: Waiter[];
}

interface Waiter {
  start(): void;
  refuse(err: unknown): void;
}

/**
 * Runs a limited number of tasks concurrently. Waiting tasks are taken from each tenant in turn, so that a tenant with many tasks delays
 * only itself. A slot becomes free in the next turn of the event loop. Other requests are therefore served before the tenant's next task
 * starts, even if its tasks are short.
 */
export function createFairQueue(limits: FairQueueLimits) {
  // Tenants are served in the order of this map. A tenant whose task was started moves to the end.
  const tenants = new Map<string, Tenant>();
  let running = 0;
  let waiting = 0;

  function wait(tenant: Tenant, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (tenant.waiters.length >= limits.waitingPerTenant) throw new AppError('too_many_concurrent');
    if (waiting >= limits.waiting) refuseOne(tenant.waiters.length);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = () => refuse(signal?.reason);
    const refuse = (err: unknown) => {
      stopWaiting();
      tenant.waiters.splice(tenant.waiters.indexOf(waiter), 1);
      waiting -= 1;
      reject(err);
    };
    const timer = setTimeout(
      () => refuse(new AppError(tenant.running > 0 || tenant.waiters[0] !== waiter ? 'too_many_concurrent' : 'overloaded')),
      limits.waitTimeoutMs,
    ).unref();
    const start = () => {
      stopWaiting();
      waiting -= 1;
      resolve();
    };
    const waiter: Waiter = { start, refuse };
    tenant.waiters.push(waiter);
    waiting += 1;
    signal?.addEventListener('abort', onAbort, { once: true });
    return promise;
  }

  /**
   * Frees a place in the queue for a tenant that has `ownCount` waiting tasks, by refusing a task of a tenant with more tasks. Throws if
   * there is no such tenant.
   */
  function refuseOne(ownCount: number): void {
    let longest: Waiter[] = [];
    for (const { waiters } of tenants.values()) if (waiters.length > longest.length) longest = waiters;
    if (longest.length <= ownCount + 1) throw new AppError('overloaded');
    longest.at(-1)?.refuse(new AppError('too_many_concurrent'));
  }

  /** Gives free slots to the next tenants. */
  function startWaiting(): void {
    while (waiting > 0) {
      const [name, tenant] = findNext() ?? [];
      const next = tenant?.waiters.shift();
      if (name === undefined || !tenant || !next) return;
      tenants.delete(name);
      tenants.set(name, tenant);
      occupy(tenant);
      next.start();
    }
  }

  /** Finds the tenant with the fewest running tasks among those that have waiting tasks and may run one more. */
  function findNext(): [string, Tenant] | undefined {
    let found: [string, Tenant] | undefined;
    for (const entry of tenants) {
      const [, tenant] = entry;
      if (tenant.waiters.length > 0 && mayRun(tenant) && (!found || tenant.running < found[1].running)) found = entry;
    }
    return found;
  }

  function mayRun(tenant: Tenant): boolean {
    const free = limits.running - running;
    if (free <= 0 || tenant.running >= limits.runningPerTenant) return false;
    return limits.shareOfFree === undefined || tenant.running === 0 || tenant.running < free * limits.shareOfFree;
  }

  function occupy(tenant: Tenant): void {
    running += 1;
    tenant.running += 1;
  }

  function leave(name: string, tenant: Tenant): void {
    running -= 1;
    tenant.running -= 1;
    startWaiting();
    releaseIfUnused(name, tenant);
  }

  function releaseIfUnused(name: string, tenant: Tenant): void {
    if (tenant.running === 0 && tenant.waiters.length === 0 && tenants.get(name) === tenant) tenants.delete(name);
  }

  return {
    /**
     * Runs a task when it is the tenant's turn. If the signal is aborted while the task waits, the task is refused with the signal's
     * reason.
     */
    async run<T>(name: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const tenant = tenants.get(name) ?? { running: 0, waiters: [] };
      tenants.set(name, tenant);
      try {
        if (mayRun(tenant)) occupy(tenant);
        else await wait(tenant, signal);
      } catch (err) {
        releaseIfUnused(name, tenant);
        throw err;
      }
      try {
        return await task();
      } catch (err) {
        if (limits.failsTogether && isDatabaseUnavailable(err)) for (const waiter of tenant.waiters.slice()) waiter.refuse(err);
        throw err;
      } finally {
        if (limits.releaseAfterMs === undefined) setImmediate(leave, name, tenant);
        else setTimeout(leave, limits.releaseAfterMs, name, tenant);
      }
    },

    get waiting(): number {
      return waiting;
    },

    /** The number of tenants that wait without a running task because all slots are taken. */
    get starving(): number {
      if (waiting === 0 || running < limits.running) return 0;
      let count = 0;
      for (const tenant of tenants.values()) if (tenant.running === 0 && tenant.waiters.length > 0) count += 1;
      return count;
    },
  };
}
