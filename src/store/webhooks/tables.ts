import type { Generated } from 'kysely';
import type { WebhookFormat } from '../../contract/event-types.ts';
import type { WebhookDelivery } from '../../contract/webhooks.ts';
import type { Fixed } from '../columns.ts';

export interface WebhookTables {
  /** The webhooks of a workspace. */
  webhooks: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    url: string;
    /** JSON: the types of events that are sent. Null means all types. */
    events: string | null;
    description: string;
    format: Generated<WebhookFormat>;
    secret_cipher: string;
    /** The secret before the last rotation, which still signs deliveries for a limited time. */
    previous_secret_cipher: string | null;
    previous_secret_until: string | null;
    disabled_at: string | null;
    /** The reason why the service disabled the webhook. Null if a person disabled it. */
    disabled_reason: string | null;
    created_at: Fixed<string>;
    updated_at: string;
  };

  /** A delivery of an event to a webhook. The row remains after its webhook is deleted, until it is old enough to be deleted itself. */
  webhook_deliveries: {
    account_id: Fixed<string>;
    webhook_id: Fixed<string>;
    /** The revision of the event. */
    revision: Fixed<number>;
    type: Fixed<string>;
    state: WebhookDelivery['state'];
    /** The queue in which the delivery waits. Null once it no longer waits. */
    queue: string | null;
    /** The number of failed attempts since the delivery was queued. */
    failures: number;
    /** JSON: the last attempts. */
    attempts: string;
    next_attempt_at: string | null;
    created_at: Fixed<string>;
  };

  /**
   * A queue of deliveries that must be sent in order: the deliveries of one prompt's events to one webhook. The row exists only while
   * deliveries are pending.
   */
  webhook_queues: {
    account_id: Fixed<string>;
    webhook_id: Fixed<string>;
    queue: Fixed<string>;
    /** The revision of the newest delivery in the queue. */
    last_revision: number;
    /** When the first delivery in the queue is due or, during a lease, when the lease ends. */
    next_at: string;
    /** Identifies the instance that is sending from the queue. */
    lease: string | null;
  };

  /** The events of a transaction with very many deliveries. The row exists until all of them are in the queues. */
  webhook_fan_outs: {
    account_id: Fixed<string>;
    last_revision: Fixed<number>;
    /** The revision of the first event that is not in the queues yet, or a lower revision. */
    next_revision: number;
    /** JSON: the webhooks that were enabled at that time, each with the types of events to which it is subscribed. */
    webhooks: Fixed<string>;
  };
}
