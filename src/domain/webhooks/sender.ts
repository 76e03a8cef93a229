import type { Preemption } from '../../platform/scheduling/preemptive-queue.ts';
import type { EventRecord } from '../../store/events/events.ts';
import type { AttemptRecord, DeliveryRecord, Endpoint } from '../../store/webhooks/deliveries.ts';
import type { LeasedQueue } from '../../store/webhooks/queues.ts';
import type { WebhookRecord } from '../../store/webhooks/webhooks.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { WithLinks } from '../links.ts';
import type { WithMail } from '../mail/mail.ts';
import type { WithOutbound } from '../outbound/outbound.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { type AttemptResult, attemptDelivery } from './attempt.ts';
import { disableWebhook } from './disable.ts';
import { createReceivers } from './receivers.ts';
import { findNextAttempt, retryDelaysMs } from './retry-schedule.ts';

/** The webhook metrics of the service. */
export interface WithWebhookMetrics {
  webhookMetrics: {
    /** The number of attempts since the start, by result. */
    delivered: number;
    failed: number;
    /** The number of pending deliveries of all workspaces, counted up to a limit. */
    waiting: number;
    /** The time at which the oldest due delivery was due, or undefined if none is due. */
    oldestDueAt: string | undefined;
  };
}

/** The dependencies for sending events to webhooks. */
export interface WithDelivery extends WithKeyring, WithWebhookMetrics, WithMail, WithOutbound, WithLinks, WithAudit {}

export interface SenderOptions {
  /** The timeout of one request. */
  timeoutMs?: number;
  delaysMs?: number[];
}

const pageSize = 20;
/** The maximum duration of a turn. A longer turn would delay the workspace's other queues. */
const maxTurnMs = 10_000;
const maxKeptAttempts = 10;
/** The pause after an error of the service itself. */
const pauseAfterErrorMs = 30_000;

interface Options extends SenderOptions {
  leaseMs: number;
  /** This signal is aborted when no further requests may be started. */
  stopping: AbortSignal;
  /** This signal is aborted to end the requests in progress. */
  aborting: AbortSignal;
}

/** Sends the deliveries in the queues of webhooks. The deliveries of one queue are sent in order. */
export function createSender(ctx: WithDelivery, options: Options) {
  const { timeoutMs = 15_000, delaysMs = retryDelaysMs, leaseMs, stopping, aborting } = options;
  const { deliveries, webhookQueues, webhooks } = ctx.store;
  const turnMs = Math.min(maxTurnMs, leaseMs / 2);
  const receivers = createReceivers(delaysMs[0] ?? 0);

  async function sendInOrder(queue: LeasedQueue, preemption: Preemption): Promise<boolean> {
    const endsAt = Date.now() + turnMs;
    let sent = 0;
    // Every turn sends at least one delivery. Otherwise, there would be no progress while many webhooks wait.
    const isOver = () => sent > 0 && (preemption.isDue || Date.now() > endsAt);
    for (;;) {
      const page = await deliveries.listQueued(queue, pageSize);
      const events = await ctx.store.events.listByRevision(queue.accountId, page);
      for (const delivery of page) {
        // Time that passed before this point does not count as waiting for the receiver.
        preemption.touch();
        // The webhook is read again before each request, because it may have been changed, disabled or deleted since the last request.
        const webhook = await webhooks.find(queue.accountId, queue.webhookId);
        if (!webhook || webhook.disabled || stopping.aborted || isOver()) return giveBack(queue);
        const nextAt = await send(queue, { webhook, delivery, event: events.get(delivery.revision) }, preemption);
        sent += 1;
        if (nextAt !== undefined) {
          await webhookQueues.release(queue, nextAt.toISOString());
          return false;
        }
      }
      // All deliveries that the queue contained when it was leased have been sent, including the last page.
      const lastSent = Math.max(queue.lastRevision, page.at(-1)?.revision ?? 0);
      if (page.length < pageSize) return (await webhookQueues.remove(queue, lastSent)) ? false : giveBack(queue);
    }
  }

  async function giveBack(queue: LeasedQueue): Promise<boolean> {
    await webhookQueues.release(queue, new Date().toISOString());
    return true;
  }

  /** Attempts one delivery. Returns the time of the next attempt, or undefined if no further attempt is needed. */
  async function send(
    endpoint: Endpoint,
    { webhook, delivery, event }: { webhook: WebhookRecord; delivery: DeliveryRecord; event: EventRecord | undefined },
    preemption: Preemption,
  ): Promise<Date | undefined> {
    const { revision } = delivery;
    if (!event) {
      await deliveries.update(endpoint, revision, { ...delivery, state: 'failed', nextAttemptAt: null });
      return undefined;
    }
    const result = await attemptDelivery(ctx, endpoint.accountId, { webhook, event }, { preemption, timeoutMs, signal: aborting });
    ctx.webhookMetrics[result.outcome === 'delivered' ? 'delivered' : 'failed'] += 1;
    if (result.isTimeout) receivers.noteSilence(endpoint);
    else receivers.noteResponse(endpoint);
    const attempts = addAttempt(delivery.attempts, result.attempt);
    if (result.outcome === 'delivered') {
      await deliveries.update(endpoint, revision, { state: 'delivered', failures: delivery.failures, attempts, nextAttemptAt: null });
      return undefined;
    }
    const failures = delivery.failures + 1;
    const isFinal = result.outcome === 'gone' || result.outcome === 'rejected';
    const next = isFinal ? undefined : findNextAttempt(failures, { retryAfterMs: result.retryAfterMs, delaysMs });
    if (next && result.retryAfterMs !== undefined) receivers.pause(endpoint, result.retryAfterMs);
    await deliveries.update(endpoint, revision, {
      state: next ? 'pending' : 'failed',
      failures,
      attempts,
      nextAttemptAt: next?.toISOString() ?? null,
    });
    // A receiver that rejected this message may accept the next message, so the webhook stays enabled.
    if (!next && result.outcome !== 'rejected') await disableWebhook(ctx, endpoint, describeEnd(result, failures));
    return next;
  }

  return {
    /**
     * Sends deliveries of a leased queue until it is empty, a delivery fails, or the turn is over. Returns whether there is more to send
     * now.
     */
    async sendFrom(queue: LeasedQueue, preemption: Preemption): Promise<boolean> {
      try {
        return await sendInOrder(queue, preemption);
      } catch (err) {
        // If this write fails too, the lease expires after some time.
        await webhookQueues.release(queue, new Date(Date.now() + (stopping.aborted ? 0 : pauseAfterErrorMs)).toISOString());
        throw err;
      }
    },

    receivers,
  };
}

/** Only the last attempt keeps its response, to save space. */
function addAttempt(before: AttemptRecord[], attempt: AttemptRecord): AttemptRecord[] {
  return [...before.map((each) => ({ ...each, response: null })), attempt].slice(-maxKeptAttempts);
}

function describeEnd({ outcome, attempt }: AttemptResult, failures: number): string {
  if (outcome === 'gone') {
    const gone = attempt.status === 410 ? '410 Gone' : attempt.status;
    return `The receiver responded with ${gone}, which means that it no longer accepts events`;
  }
  return `A delivery failed ${failures} times. The last error: ${attempt.error}`;
}
