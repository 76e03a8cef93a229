import { type Kysely, sql } from 'kysely';
import type { WebhookDelivery } from '../../contract/webhooks.ts';
import { countRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';
import { putQueues } from './fan-out.ts';

export interface DeliveryRecord extends Omit<WebhookDelivery, 'id' | 'payload'> {
  revision: number;
  /** The number of failed attempts since the delivery was queued. */
  failures: number;
}

/** One request to the receiver. */
export type AttemptRecord = WebhookDelivery['attempts'][number];

/** A webhook of a workspace. */
export interface Endpoint {
  accountId: string;
  webhookId: string;
}

/** Returns a condition for the rows of a webhook. */
export function ofWebhook({ accountId, webhookId }: Endpoint) {
  return sql<boolean>`account_id = ${accountId} and webhook_id = ${webhookId}`;
}

const columns = [
  'revision',
  'type',
  'state',
  'failures',
  'attempts',
  'next_attempt_at as nextAttemptAt',
  'created_at as createdAt',
] as const;

type DeliveryUpdate = Pick<DeliveryRecord, 'state' | 'failures' | 'attempts' | 'nextAttemptAt'>;

/** Reads and writes the deliveries to webhooks, by the revision of the event. */
export function createDeliveryStore(db: Kysely<Database>) {
  const select = ({ accountId, webhookId }: Endpoint) =>
    db.selectFrom('webhook_deliveries').select(columns).where(ofWebhook({ accountId, webhookId }));

  return {
    /** Lists a page of deliveries, newest first. */
    async list(endpoint: Endpoint, { before, limit }: { before: number | undefined; limit: number }): Promise<DeliveryRecord[]> {
      let query = select(endpoint);
      if (before !== undefined) query = query.where('revision', '<', before);
      return (await query.orderBy('revision', 'desc').limit(limit).execute()).map(toRecord);
    },

    async find(endpoint: Endpoint, revision: number): Promise<DeliveryRecord | undefined> {
      const row = await select(endpoint).where('revision', '=', revision).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Inserts a delivery that was already sent. */
    async insertFinished({ accountId, webhookId }: Endpoint, delivery: DeliveryRecord): Promise<void> {
      const { revision, type, createdAt, ...rest } = delivery;
      await db
        .insertInto('webhook_deliveries')
        .values({ account_id: accountId, webhook_id: webhookId, revision, type, created_at: createdAt, ...toColumns(rest), queue: null })
        .execute();
    },

    /** Lists the first deliveries of a queue. */
    async listQueued({ accountId, webhookId, queue }: Endpoint & { queue: string }, limit: number): Promise<DeliveryRecord[]> {
      const rows = await select({ accountId, webhookId }).where('queue', '=', queue).orderBy('revision').limit(limit).execute();
      return rows.map(toRecord);
    },

    /** Stores the result of an attempt. A delivery that is no longer pending leaves its queue. */
    async update({ accountId, webhookId }: Endpoint, revision: number, update: DeliveryUpdate): Promise<void> {
      await db
        .updateTable('webhook_deliveries')
        .set({ ...toColumns(update), ...(update.state !== 'pending' && { queue: null }) })
        .where(ofWebhook({ accountId, webhookId }))
        .where('revision', '=', revision)
        .where('queue', 'is not', null)
        .execute();
    },

    /** Queues a delivery again, in a separate queue, so that later events do not wait for it. Run this in a transaction. */
    async requeue({ accountId, webhookId }: Endpoint, revision: number): Promise<void> {
      const now = new Date().toISOString();
      const queue = `replay ${revision}`;
      await db
        .updateTable('webhook_deliveries')
        .set({ state: 'pending', queue, failures: 0, next_attempt_at: now })
        .where(ofWebhook({ accountId, webhookId }))
        .where('revision', '=', revision)
        .execute();
      await putQueues(db, [{ account_id: accountId, webhook_id: webhookId, queue, last_revision: revision, next_at: now }]).execute();
    },

    /** Makes the queue of a pending delivery due now, unless an instance is sending from it. */
    async makeDue({ accountId, webhookId }: Endpoint, revision: number): Promise<void> {
      const now = new Date().toISOString();
      await db
        .updateTable('webhook_queues')
        .set({ next_at: now })
        .where(ofWebhook({ accountId, webhookId }))
        .where('queue', '=', (eb) =>
          eb
            .selectFrom('webhook_deliveries')
            .select('webhook_deliveries.queue')
            .where(ofWebhook({ accountId, webhookId }))
            .where('revision', '=', revision),
        )
        .where('lease', 'is', null)
        .where('next_at', '>', now)
        .execute();
    },

    /** Counts the pending deliveries of all workspaces, up to `max`. */
    async countWaiting(max: number): Promise<number> {
      const waiting = db.selectFrom('webhook_deliveries').select('webhook_id').where('queue', 'is not', null).limit(max);
      return countRows(db.selectFrom(waiting.as('waiting')));
    },
  };
}

function toColumns({ state, failures, attempts, nextAttemptAt }: DeliveryUpdate) {
  return { state, failures, attempts: JSON.stringify(attempts), next_attempt_at: nextAttemptAt };
}

function toRecord<Row extends { attempts: string }>(row: Row) {
  // The column contains a list of attempts.
  return { ...row, attempts: JSON.parse(row.attempts) as AttemptRecord[] };
}
