import type { Insertable, Kysely } from 'kysely';
import { insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** An event of the transaction that is about to commit. */
export interface NewEvent {
  revision: number;
  type: string;
  at: string;
  promptId: string | null;
}

/** A webhook, with the types of events that it is subscribed to. Null means all types. */
interface Listener {
  id: string;
  events: string[] | null;
}

/**
 * Returns the queue of an event. Each prompt has its own queue, so that its events are sent in order. Events that concern no prompt share
 * the queue with the empty name, which is never the id of a prompt.
 */
const queueOf = ({ promptId }: NewEvent): string => promptId ?? '';

/**
 * The maximum number of deliveries that one transaction creates. With the embedded database, all other requests wait for the transaction.
 */
const maxDeliveries = 100;

/**
 * Adds events to the queues of the enabled webhooks that are subscribed to them. Runs inside the transaction of the events, so that no
 * event is lost, and only committed events are sent. If there are very many deliveries, only records the remaining work, which `expand`
 * does later. Returns whether any webhook is subscribed.
 */
export async function fanOut(db: Kysely<Database>, accountId: string, events: NewEvent[]): Promise<boolean> {
  const enabled = await db
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('account_id', '=', accountId)
    .where('disabled_at', 'is', null)
    .execute();
  // The column contains a list of event types.
  const listeners = enabled.map(({ id, events }): Listener => ({ id, events: events === null ? null : (JSON.parse(events) as string[]) }));
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last || countDeliveries(listeners, events) === 0) return false;
  // The deliveries are also postponed while the deliveries of an earlier change are not in the queues yet, because the events of a prompt
  // are sent in order.
  if (countDeliveries(listeners, events) > maxDeliveries || (await findFanOut(db, accountId))) {
    await db
      .insertInto('webhook_fan_outs')
      .values({
        account_id: accountId,
        last_revision: last.revision,
        next_revision: first.revision,
        webhooks: JSON.stringify(listeners),
      })
      .execute();
  } else await insertDeliveries(db, accountId, listeners, events);
  return true;
}

/** Finds and does the remaining work of large changes. */
export function createFanOutStore(db: Kysely<Database>) {
  return {
    /** Finds the next workspace with remaining work. */
    async findAccount(afterId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('webhook_fan_outs')
        .select('account_id')
        .where('account_id', '>', afterId)
        .orderBy('account_id')
        .limit(1)
        .executeTakeFirst();
      return row?.account_id;
    },

    /** Adds a batch of a workspace's postponed events to the queues. Returns false if there are none left. Any instance may do this. */
    async expand(accountId: string): Promise<boolean> {
      const found = await findFanOut(db, accountId);
      if (!found) return false;
      const { last_revision: last, next_revision: next } = found;
      // The column contains a list of listeners.
      const listeners = JSON.parse(found.webhooks) as Listener[];
      const limit = Math.max(1, Math.floor(maxDeliveries / listeners.length));
      const events = await db
        .selectFrom('events')
        .select(['revision', 'type', 'at', 'prompt_id as promptId'])
        .where('account_id', '=', accountId)
        .where('revision', '>=', next)
        .where('revision', '<=', last)
        .orderBy('revision')
        .limit(limit)
        .execute();
      const nextRevision = events.length < limit ? last + 1 : (events.at(-1)?.revision ?? last) + 1;
      await runTransaction(db, async (transaction) => {
        // This update comes first, so that only one of several instances continues.
        const { numUpdatedRows } = await transaction
          .updateTable('webhook_fan_outs')
          .set({ next_revision: nextRevision })
          .where('account_id', '=', accountId)
          .where('last_revision', '=', last)
          .where('next_revision', '=', next)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return;
        if (nextRevision > last) {
          await transaction.deleteFrom('webhook_fan_outs').where('account_id', '=', accountId).where('last_revision', '=', last).execute();
        }
        await insertDeliveries(transaction, accountId, listeners, events);
      });
      return true;
    },
  };
}

function findFanOut(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('webhook_fan_outs')
    .select(['last_revision', 'next_revision', 'webhooks'])
    .where('account_id', '=', accountId)
    .orderBy('last_revision')
    .limit(1)
    .executeTakeFirst();
}

function countDeliveries(listeners: Listener[], events: NewEvent[]): number {
  return listeners.reduce((count, listener) => count + events.filter((event) => wants(listener, event)).length, 0);
}

function wants({ events }: Listener, { type }: NewEvent): boolean {
  return events === null || events.includes(type);
}

async function insertDeliveries(db: Kysely<Database>, accountId: string, listeners: Listener[], events: NewEvent[]): Promise<void> {
  const deliveries: Insertable<Database['webhook_deliveries']>[] = [];
  const queues = new Map<string, QueueRow>();
  for (const listener of listeners) {
    for (const event of events) {
      if (!wants(listener, event)) continue;
      const queue = queueOf(event);
      const { revision, type, at } = event;
      const endpoint = { account_id: accountId, webhook_id: listener.id, queue };
      const state = { state: 'pending' as const, failures: 0, attempts: '[]', next_attempt_at: at };
      deliveries.push({ ...endpoint, revision, type, ...state, created_at: at });
      queues.set(`${listener.id} ${queue}`, { ...endpoint, last_revision: revision, next_at: at });
    }
  }
  if (deliveries.length === 0) return;
  await insertRows(db, 'webhook_deliveries', deliveries);
  await putQueues(db, [...queues.values()]).execute();
}

type QueueRow = Omit<Insertable<Database['webhook_queues']>, 'lease'>;

/** Creates queues. An existing queue keeps its time, because an instance is sending from it or its first delivery is due later. */
export function putQueues(db: Kysely<Database>, rows: QueueRow[]) {
  return db
    .insertInto('webhook_queues')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'webhook_id', 'queue']).doUpdateSet((eb) => ({ last_revision: eb.ref('excluded.last_revision') })),
    );
}
