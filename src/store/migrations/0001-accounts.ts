import { type Kysely, sql } from 'kysely';
import { account, createTable, id, integer, optional, text, unique } from './schema.ts';

/** Creates the tables of accounts with their keys, browser sessions, reset links, throttles and values of the service itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'accounts', [
    id(),
    unique('email'),
    text('name', 'password_hash'),
    unique('key_digest'),
    text('key_cipher', 'key_created_at'),
    (table) => table.addColumn('key_serial', 'integer', (column) => column.notNull().defaultTo(1)),
    (table) => table.addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0)),
    text('created_at', 'updated_at'),
  ]);

  await createTable(db, 'sessions', [
    id(),
    unique('token'),
    account(),
    text('expires_at'),
    optional('ip_address', 'user_agent'),
    text('created_at', 'updated_at'),
  ]);
  await sql`create index sessions_by_account on sessions (account_id)`.execute(db);
  await sql`create index sessions_by_expiry on sessions (expires_at)`.execute(db);

  await createTable(db, 'verifications', [id(), text('identifier', 'value', 'expires_at', 'created_at', 'updated_at')]);
  await sql`create index verifications_by_identifier on verifications (identifier)`.execute(db);
  await sql`create index verifications_by_expiry on verifications (expires_at)`.execute(db);

  await createTable(db, 'throttles', [id('name'), integer('failures'), text('blocked_until', 'updated_at')]);
  await sql`create index throttles_by_age on throttles (updated_at)`.execute(db);

  await createTable(db, 'meta', [id('name'), text('value')]);
}
