import { type Kysely, sql } from 'kysely';
import { account, addOptional, bigint, createTable, id, optional, text, unique } from './schema.ts';

/** Adds passkeys, and the time at which the person behind a session last proved their identity. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'passkeys', [
    id(),
    account(),
    unique('credential_id'),
    text('host', 'name', 'public_key', 'transports'),
    bigint('counter'),
    text('created_at'),
    optional('last_used_at'),
  ]);
  await sql`create index passkeys_by_account on passkeys (account_id, id)`.execute(db);
  await addOptional(db, 'sessions', ['proved_at']);
}
