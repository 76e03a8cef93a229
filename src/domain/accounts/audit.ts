import type { AccountEvent, AccountEventDetail } from '../../contract/activity.ts';
import type { WithStore } from '../../store/store.ts';
import type { Client } from '../actor.ts';

/** What use cases that change accounts or workspaces need. */
export interface WithAudit extends WithStore {
  /** Adds an event to the log and to the account's activity. */
  audit(event: AuditEvent): void;
}

/** Something that happened to an account, for the log and for its owner. Never contains a key, a password or a cookie. */
interface AuditEvent {
  /** The activity list never shows a deletion, because the account that could read it is gone; the store keeps its id and time. */
  type: AccountEvent['type'] | 'account_deleted';
  accountId?: string;
  client?: Client;
  /** Who did it, if it concerns a workspace. */
  by?: NonNullable<AccountEvent['by']>;
  detail?: AccountEventDetail;
}
