import { type Kysely, sql } from 'kysely';
import { account, createTable, id, primaryKey, text } from './schema.ts';

/**
 * Creates the tables of the addresses from which accounts signed in, and of deleted accounts. The row of a deleted account is kept after
 * all its other rows are deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const key = primaryKey('sign_in_addresses_pk', 'account_id', 'address');
  await createTable(db, 'sign_in_addresses', [account(), text('address', 'last_used_at'), key]);
  await createTable(db, 'deleted_accounts', [id(), text('deleted_at')]);
  await sql`create index deleted_accounts_by_age on deleted_accounts (deleted_at)`.execute(db);
}
