import { type Kysely, sql } from 'kysely';
import { account, createTable, optional, primaryKey, text } from './schema.ts';

/** Creates the table of connections to servers that run models. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'model_connections', [
    account(),
    text('id', 'name', 'base_url', 'models', 'prices'),
    optional('key_cipher', 'key_hint'),
    text('created_at', 'updated_at'),
    primaryKey('model_connections_pk', 'account_id', 'id'),
  ]);
  await sql`create unique index model_connections_by_name on model_connections (account_id, name)`.execute(db);
}
