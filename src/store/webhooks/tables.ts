import type { WebhookDelivery } from '../../contract/webhooks.ts';
import type { Fixed } from '../columns.ts';

export interface WebhookTables {
  /** Where the events of a workspace are sent to. */
  webhooks: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    url: string;
    /** JSON: the types of events that are sent. Null: all. */
    events: string | null;
    description: string;
    secret_cipher: string;
    /** The secret before the last rotation, which still signs until a time. */
    previous_secret_cipher: string | null;
    previous_secret_until: string | null;
    disabled_at: string | null;
    /** Null if a person disabled it. */
    disabled_reason: string | null;
    created_at: Fixed<string>;
    updated_at: string;
  };

  /** An event that is or was to be sent to a webhook. The row outlives its webhook, until it is deleted by age. */
  webhook_deliveries: {
    account_id: Fixed<string>;
    webhook_id: Fixed<string>;
    /** Of the event. */
    revision: Fixed<number>;
    type: Fixed<string>;
    state: WebhookDelivery['state'];
    /** The queue it waits in. Null once it does not wait anymore. */
    queue: string | null;
    /** Failed attempts since it was put into its queue. */
    failures: number;
    /** JSON: the last attempts. */
    attempts: string;
    next_attempt_at: string | null;
    created_at: Fixed<string>;
  };

  /** What waits for a webhook and must be sent in order: the deliveries of one prompt. The row exists only while some wait. */
  webhook_queues: {
    account_id: Fixed<string>;
    webhook_id: Fixed<string>;
    queue: Fixed<string>;
    /** Of the newest delivery in it. */
    last_revision: number;
    /** When the first delivery in it is to be attempted or, with a lease, when the lease ends. */
    next_at: string;
    /** Says which instance is sending from it. */
    lease: string | null;
  };

  /** The events of a transaction with very many deliveries, until they are in the queues. */
  webhook_fan_outs: {
    account_id: Fixed<string>;
    last_revision: Fixed<number>;
    /** The first event that is not in the queues yet has this revision, or a higher one. */
    next_revision: number;
    /** JSON: the webhooks that were enabled at that time, with the types of events that each wants. */
    webhooks: Fixed<string>;
  };
}
