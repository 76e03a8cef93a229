import { type Kysely, sql } from 'kysely';
import { batchRows } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { type Endpoint, ofWebhook } from './deliveries.ts';

type Sql = ReturnType<typeof sql>;

/** A queue from which this instance sends until the lease ends. */
export interface LeasedQueue extends Endpoint {
  queue: string;
  lease: string;
  leaseUntil: string;
  lastRevision: number;
}

/** A webhook with pending deliveries. */
interface WaitingEndpoint extends Endpoint {
  /** When the webhook's first queue is due. Null in a row that only marks a step to the next workspace. */
  nextAt: string | null;
}

/**
 * Reads and writes the queues of pending deliveries, with one row for each webhook and prompt. An instance leases a queue before it sends
 * its deliveries, so that no other instance sends the same deliveries. A lease that is not released expires. Taking a lease is one
 * conditional update, which every engine supports.
 */
export function createWebhookQueueStore(db: Kysely<Database>) {
  const at = (leased: Endpoint & { queue: string }) => sql<boolean>`${ofWebhook(leased)} and queue = ${leased.queue}`;

  return {
    /**
     * Lists the webhooks with pending deliveries, of all workspaces or of one, after a position. Each step is a few index seeks, so a
     * webhook with thousands of queues costs no more than a webhook with one. A step to the next workspace has a separate row without a
     * time.
     */
    async listWaiting(
      after: Endpoint,
      { limit, accountId }: { limit: number; accountId?: string | undefined },
    ): Promise<WaitingEndpoint[]> {
      const nextAccount = (account: Sql) =>
        accountId === undefined
          ? sql`(select q.account_id from webhook_queues q where q.account_id > ${account} order by q.account_id limit 1)`
          : sql`null`;
      const nextWebhook = (account: Sql, webhook: Sql) =>
        sql`(select q.webhook_id from webhook_queues q where q.account_id = ${account} and q.webhook_id > ${webhook}
          order by q.webhook_id limit 1)`;
      const step = (account: Sql, webhook: Sql) =>
        sql`case when ${nextWebhook(account, webhook)} is null then ${nextAccount(account)} else ${account} end,
          coalesce(${nextWebhook(account, webhook)}, '')`;
      const start = sql`cast(${accountId ?? after.accountId} as text)`;
      const { rows } = await sql<WaitingEndpoint>`with recursive waiting(account_id, webhook_id, position) as (
          select ${step(start, sql`${after.webhookId}`)}, 1
          union all
          select ${step(sql`waiting.account_id`, sql`waiting.webhook_id`)}, waiting.position + 1
          from waiting where waiting.account_id is not null and waiting.position < ${limit}
        ) select account_id as "accountId", webhook_id as "webhookId", (select q.next_at from webhook_queues q
            where q.account_id = waiting.account_id and q.webhook_id = waiting.webhook_id order by q.next_at limit 1) as "nextAt"
        from waiting where account_id is not null order by position`.execute(db);
      return rows;
    },

    /** Leases due queues of a webhook. Another instance may lease some of them first. */
    async take(
      { accountId, webhookId }: Endpoint,
      { now, leaseUntil, lease, limit }: { now: string; leaseUntil: string; lease: string; limit: number },
    ): Promise<LeasedQueue[]> {
      const due = db
        .selectFrom('webhook_queues')
        .select('queue')
        .where(ofWebhook({ accountId, webhookId }))
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit);
      const taken = await db
        .updateTable('webhook_queues')
        .set({ lease, next_at: leaseUntil })
        .where(ofWebhook({ accountId, webhookId }))
        .where('queue', 'in', due)
        // The condition is repeated, because another instance may have leased some of the queues since they were found.
        .where('next_at', '<=', now)
        .returning(['queue', 'last_revision'])
        .execute();
      return taken.map(({ queue, last_revision }) => ({ accountId, webhookId, queue, lease, leaseUntil, lastRevision: last_revision }));
    },

    /** Releases a lease. The queue is due again at `nextAt`. */
    async release(queue: LeasedQueue, nextAt: string): Promise<void> {
      await db
        .updateTable('webhook_queues')
        .set({ lease: null, next_at: nextAt })
        .where(at(queue))
        .where('lease', '=', queue.lease)
        .execute();
    },

    /**
     * Removes a queue after all its deliveries were sent. Returns false if deliveries were added in the meantime, or if the lease has
     * expired.
     */
    async remove(queue: LeasedQueue, lastSent: number): Promise<boolean> {
      const result = await db
        .deleteFrom('webhook_queues')
        .where(at(queue))
        .where('lease', '=', queue.lease)
        .where('last_revision', '<=', lastSent)
        .executeTakeFirstOrThrow();
      return result.numDeletedRows === 1n;
    },

    /** Cancels a batch of pending deliveries of a webhook that is disabled or deleted. Returns false if there are none. */
    async cancelBatch({ accountId, webhookId }: Endpoint): Promise<boolean> {
      const first = await db
        .selectFrom('webhook_queues')
        .select(['queue', 'last_revision'])
        .where(ofWebhook({ accountId, webhookId }))
        .orderBy('next_at')
        .limit(1)
        .executeTakeFirst();
      if (!first) return false;
      const { queue, last_revision: last } = first;
      const canceled = await sql`update webhook_deliveries set state = 'canceled', queue = null, next_attempt_at = null
        where (account_id, webhook_id, revision) in (select account_id, webhook_id, revision from webhook_deliveries
          where ${at({ accountId, webhookId, queue })} and revision <= ${last} limit ${batchRows})`.execute(db);
      if (Number(canceled.numAffectedRows ?? 0n) === batchRows) return true;
      // If deliveries were added in the meantime, the queue is kept: the webhook must have been enabled again.
      await db.deleteFrom('webhook_queues').where(at({ accountId, webhookId, queue })).where('last_revision', '=', last).execute();
      return true;
    },
  };
}
