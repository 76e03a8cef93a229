import { type Kysely, sql } from 'kysely';
import { account, addOptional, addWithDefault, createTable, optional, primaryKey, text } from './schema.ts';

/** Adds notifications, changes to email addresses, and the format of webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'notifications', [
    account(),
    text('id', 'kind', 'at'),
    optional('workspace_id', 'workspace_name', 'by_account_id', 'by_name', 'subject_id', 'detail', 'read_at'),
    primaryKey('notifications_pk', 'account_id', 'id'),
  ]);
  await sql`create index notifications_by_age on notifications (at)`.execute(db);
  await addOptional(db, 'accounts', ['notification_settings']);

  // The new address, in links that change the address of an account.
  await addOptional(db, 'verifications', ['email']);

  await addWithDefault(db, 'webhooks', { name: 'format', type: 'text', value: 'json' });
}
