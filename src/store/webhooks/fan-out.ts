import type { Insertable, Kysely } from 'kysely';
import { type CollectedRows, defineRowWrite } from '../collected-rows.ts';
import type { Database } from '../tables.ts';

/** An event of the transaction that is about to commit. */
export interface NewEvent {
  revision: number;
  type: string;
  at: string;
  promptId: string | null;
}

/**
 * The queue in which an event waits: the events of a prompt are sent in order, and so are those that concern no prompt. Ids of prompts
 * are never empty.
 */
const queueOf = ({ promptId }: NewEvent): string => promptId ?? '';

/**
 * Puts events into the queues of the enabled webhooks that want them. Runs inside the transaction of the events, so that no event is
 * lost and none is sent that did not happen. Returns whether there was such a webhook.
 */
export async function fanOut(db: Kysely<Database>, accountId: string, events: NewEvent[], rows: CollectedRows): Promise<boolean> {
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('account_id', '=', accountId)
    .where('disabled_at', 'is', null)
    .execute();
  const queues = new Map<string, QueueRow>();
  for (const webhook of webhooks) {
    // Written from a list of types.
    const wanted = webhook.events === null ? undefined : new Set(JSON.parse(webhook.events) as string[]);
    for (const event of events) {
      if (wanted && !wanted.has(event.type)) continue;
      const queue = queueOf(event);
      rows.add(deliveryRows, toDelivery({ accountId, webhookId: webhook.id, event, queue }));
      queues.set(`${webhook.id} ${queue}`, {
        account_id: accountId,
        webhook_id: webhook.id,
        queue,
        last_revision: event.revision,
        next_at: event.at,
      });
    }
  }
  for (const queue of queues.values()) rows.add(queueRows, queue);
  return queues.size > 0;
}

type QueueRow = Omit<Insertable<Database['webhook_queues']>, 'lease'>;

/** A queue that exists keeps its time: it is being sent, or its first delivery is to be tried again later. */
export function putQueues(db: Kysely<Database>, rows: QueueRow[]) {
  return db
    .insertInto('webhook_queues')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'webhook_id', 'queue']).doUpdateSet((eb) => ({ last_revision: eb.ref('excluded.last_revision') })),
    );
}

const queueRows = defineRowWrite<QueueRow>({ account_id: '', webhook_id: '', queue: '', last_revision: 0, next_at: '' }, putQueues);
const deliveryRows = defineRowWrite(
  toDelivery({ accountId: '', webhookId: '', event: { revision: 0, type: '', at: '', promptId: null }, queue: '' }),
  (db, rows) => db.insertInto('webhook_deliveries').values(rows),
);

function toDelivery({ accountId, webhookId, event, queue }: { accountId: string; webhookId: string; event: NewEvent; queue: string }) {
  return {
    account_id: accountId,
    webhook_id: webhookId,
    revision: event.revision,
    type: event.type,
    state: 'pending' as const,
    queue,
    failures: 0,
    attempts: '[]',
    next_attempt_at: event.at,
    created_at: event.at,
  };
}
