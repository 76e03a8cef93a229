import { type Kysely, sql } from 'kysely';
import { bigint, createTable, integer, primaryKey, text } from './schema.ts';

/** Creates the counts of reads by release, and the sketches of keys. The embedded engine moves them into the file of the statistics. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'release_statistics', [
    text('account_id', 'time', 'release_id'),
    integer('version'),
    text('reason'),
    bigint('calls'),
    primaryKey('release_statistics_pk', 'account_id', 'time', 'release_id', 'version', 'reason'),
  ]);
  await sql`create index release_statistics_by_time on release_statistics (time, account_id)`.execute(db);
  await sql`create index release_statistics_by_release on release_statistics (account_id, release_id, version, reason)`.execute(db);
  await createTable(db, 'prompt_keys', [
    text('account_id', 'prompt_id', 'day', 'sketch'),
    primaryKey('prompt_keys_pk', 'account_id', 'prompt_id', 'day'),
  ]);
  await sql`create index prompt_keys_by_day on prompt_keys (day)`.execute(db);
}
