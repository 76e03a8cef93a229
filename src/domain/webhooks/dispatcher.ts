import { AppError } from '../../errors.ts';
import { preemptiveQueueLimits } from '../../platform/scheduling/limits.ts';
import { createPreemptiveQueue, type Preemption, type PreemptiveQueueLimits } from '../../platform/scheduling/preemptive-queue.ts';
import type { Endpoint } from '../../store/webhooks/deliveries.ts';
import { runInBatches } from '../batches.ts';
import { newId } from '../ids.ts';
import { createSender, type SenderOptions, type WithDelivery } from './sender.ts';

export interface DispatcherOptions extends SenderOptions {
  /** The interval at which to look for writes by other instances and for retries that are due. */
  pollIntervalMs?: number;
  /** The interval that applies while no workspace has a webhook. */
  idleIntervalMs?: number;
  /**
   * The time for which a queue is leased to this instance. If this instance is killed, another instance takes over the queue after that
   * time.
   */
  leaseMs?: number;
  stopTimeoutMs?: number;
  queueLimits?: Partial<PreemptiveQueueLimits>;
}

const pageSize = 100;
/** The pause between two batches of a large change, as a multiple of the time that a batch took. */
const pausesAfterBatch = 2;
/** Counting pending deliveries takes time, so it happens less often than polling, and stops at a limit. */
const countEveryPolls = 10;
const maxCounted = 10_000;
/** The maximum number of queues of one webhook that are processed at the same time. */
const queuesPerTurn = 4;

/**
 * Starts sending events to webhooks. Workspaces take turns, no matter how many deliveries each one has queued. Each turn serves one
 * webhook. Several instances may send at the same time.
 */
export function startWebhooks(ctx: WithDelivery, { onError, ...options }: DispatcherOptions & { onError(err: unknown): void }) {
  const { pollIntervalMs = 1000, idleIntervalMs = 10_000, leaseMs = 60_000, stopTimeoutMs = 5000 } = options;
  const { fanOuts, webhookQueues, webhooks } = ctx.store;
  const queueLimits = { ...preemptiveQueueLimits.webhooks, ...options.queueLimits };
  /** Receivers that may not respond have a separate queue, so that responsive receivers never wait for them. */
  const responsiveQueue = createPreemptiveQueue(queueLimits);
  const otherQueue = createPreemptiveQueue(queueLimits);
  const stopping = new AbortController();
  const aborting = new AbortController();
  const sender = createSender(ctx, { ...options, leaseMs, stopping: stopping.signal, aborting: aborting.signal });
  /** The webhooks that have a turn or wait for one, and whether they need another turn afterwards. */
  const active = new Map<string, { isWanted: boolean }>();
  /** The workspaces whose large changes are being added to the queues. */
  const expanding = new Set<string>();
  /** The turns and scans that `stop` waits for. */
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let nextPollAt = Number.POSITIVE_INFINITY;
  let hasFailed = false;
  let polls = 0;

  /**
   * Adds the remaining deliveries of a workspace's large changes to the queues, and gives its webhooks turns. Pauses between batches, so
   * that other work can run.
   */
  async function expand(accountId: string): Promise<void> {
    if (expanding.has(accountId)) return;
    expanding.add(accountId);
    try {
      await runInBatches(() => fanOuts.expand(accountId), { signal: stopping.signal, pauses: pausesAfterBatch });
    } finally {
      expanding.delete(accountId);
    }
    await scan(accountId);
  }

  /** Gives a turn to each webhook with deliveries that are due. Returns whether any deliveries wait. */
  async function scan(accountId?: string): Promise<boolean> {
    let position: Endpoint | undefined = { accountId: '', webhookId: '' };
    let oldest: string | undefined;
    let found = 0;
    while (position && !stopping.signal.aborted) {
      const page = await webhookQueues.listWaiting(position, { limit: pageSize, accountId });
      const now = new Date().toISOString();
      for (const endpoint of page) {
        if (endpoint.nextAt !== null) found += 1;
        if (endpoint.nextAt === null || endpoint.nextAt > now) continue;
        if (oldest === undefined || endpoint.nextAt < oldest) oldest = endpoint.nextAt;
        giveTurn(endpoint);
      }
      position = page.length === pageSize ? page.at(-1) : undefined;
    }
    if (accountId === undefined) ctx.webhookMetrics.oldestDueAt = oldest;
    return found > 0;
  }

  function giveTurn(endpoint: Endpoint): void {
    const key = `${endpoint.accountId} ${endpoint.webhookId}`;
    const existing = active.get(key);
    if (existing) {
      existing.isWanted = true;
      return;
    }
    if (stopping.signal.aborted) return;
    const state = { isWanted: false };
    active.set(key, state);
    const queue = sender.receivers.isResponsive(endpoint) ? responsiveQueue : otherQueue;
    const turn = queue
      .run(endpoint.accountId, (preemption) => takeTurn(endpoint, preemption))
      // If the turn was refused because the queue is full, the next scan finds the webhook again.
      .catch((err: unknown) => (err instanceof AppError && err.code !== 'database_unavailable' ? undefined : reportError(err)))
      .then((hasMore) => {
        active.delete(key);
        if (hasMore || state.isWanted) giveTurn(endpoint);
      });
    track(turn);
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
  }

  /** Sends deliveries of a webhook during its turn. Returns whether it needs another turn. */
  async function takeTurn(endpoint: Endpoint, preemption: Preemption): Promise<boolean> {
    if (stopping.signal.aborted) return false;
    const webhook = await webhooks.find(endpoint.accountId, endpoint.webhookId);
    if (!webhook || webhook.disabled) return webhookQueues.cancelBatch(endpoint);
    if (sender.receivers.isPaused(endpoint)) return false;
    const now = Date.now();
    // A receiver that may not respond gets only one request at a time, so that even a large number of such receivers costs little.
    const limit = sender.receivers.isResponsive(endpoint) ? queuesPerTurn : 1;
    const queues = await webhookQueues.take(endpoint, {
      now: new Date(now).toISOString(),
      leaseUntil: new Date(now + leaseMs).toISOString(),
      lease: newId('l'),
      limit,
    });
    const results = await Promise.allSettled(queues.map((queue) => sender.sendFrom(queue, preemption)));
    for (const result of results) if (result.status === 'rejected') reportError(result.reason);
    return queues.length === limit || results.some((result) => result.status === 'fulfilled' && result.value);
  }

  /** Reports an error once per outage, not at every poll. */
  function reportError(err: unknown): void {
    if (!hasFailed && !aborting.signal.aborted) onError(err);
    hasFailed = true;
  }

  async function poll(): Promise<void> {
    let isIdle = false;
    try {
      for (let id = await fanOuts.findAccount(''); id !== undefined; id = await fanOuts.findAccount(id))
        track(expand(id).catch(reportError));
      const isEmpty = !(await scan());
      isIdle = isEmpty && !(await webhooks.exist());
      if (isEmpty) ctx.webhookMetrics.waiting = 0;
      else if (polls % countEveryPolls === 0) ctx.webhookMetrics.waiting = await ctx.store.deliveries.countWaiting(maxCounted);
      polls = isEmpty ? 0 : polls + 1;
      hasFailed = false;
    } catch (err) {
      reportError(err);
    }
    schedule(isIdle ? idleIntervalMs : pollIntervalMs);
  }

  /** Schedules the next poll, unless an earlier poll is already scheduled. Otherwise, frequent changes would postpone the poll forever. */
  function schedule(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (stopping.signal.aborted || at >= nextPollAt) return;
    clearTimeout(timer);
    nextPollAt = at;
    timer = setTimeout(() => {
      nextPollAt = Number.POSITIVE_INFINITY;
      track(poll());
    }, delayMs).unref();
  }

  const stopListening = ctx.store.onDeliveries((accountId) => {
    track(expand(accountId).catch(reportError));
    // The poll must happen soon, because the change may have created the first webhook.
    schedule(pollIntervalMs);
  });
  schedule(0);

  return {
    /**
     * Waits for requests in progress, and aborts those that take too long. Their deliveries are sent again later, by this or another
     * instance.
     */
    async stop(): Promise<void> {
      stopListening();
      clearTimeout(timer);
      stopping.abort();
      const abortTimer = setTimeout(() => aborting.abort(), stopTimeoutMs);
      while (running.size > 0) await Promise.all(running);
      clearTimeout(abortTimer);
    },
  };
}
