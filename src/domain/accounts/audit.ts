import type { AccountEvent, AccountEventDetail } from '../../contract/activity.ts';
import type { WithStore } from '../../store/store.ts';
import type { Client } from '../actor.ts';

/** The dependencies of use cases that change accounts or workspaces. */
export interface WithAudit extends WithStore {
  /** Adds an event to the log and to the account's activity. */
  audit(event: AuditEvent): void;
}

/** Something that happened to an account, for the log and for the account's owner. It never contains a key, a password or a cookie. */
interface AuditEvent {
  /**
   * The activity never shows a deletion, because only the deleted account could read it. The store keeps the account's id and the time of
   * the deletion.
   */
  type: AccountEvent['type'] | 'account_deleted';
  accountId?: string;
  client?: Client;
  /** The person who caused the event, if it concerns a workspace. */
  by?: NonNullable<AccountEvent['by']>;
  detail?: AccountEventDetail;
}
