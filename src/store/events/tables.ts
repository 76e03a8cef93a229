import type { Fixed, FixedOrNull } from '../columns.ts';

export interface EventTables {
  /** The outbox of a workspace. Events are kept for a limited time, for streams that reconnect and for retries of webhooks. */
  events: {
    account_id: Fixed<string>;
    revision: Fixed<number>;
    type: Fixed<string>;
    at: Fixed<string>;
    by_account_id: FixedOrNull;
    by_name: FixedOrNull;
    by_via: FixedOrNull;
    prompt_id: FixedOrNull;
    prompt_name: FixedOrNull;
    /** JSON: details of what changed. */
    detail: Fixed<string>;
  };
}
