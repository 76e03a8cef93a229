import { type Kysely, sql } from 'kysely';
import { account, accountAsId, bigint, createTable, id, integer, optional, primaryKey, text } from './schema.ts';

/**
 * Creates the tables of calls by hour or day, the last use of keys, and account events. The keys start with account and time, so that
 * reading a range of one account scans only its own rows. Housekeeping uses the indexes by time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'call_statistics', [
    account(),
    text('time', 'route'),
    integer('status', 'bucket'),
    bigint('calls'),
    primaryKey('call_statistics_pk', 'account_id', 'time', 'route', 'status', 'bucket'),
  ]);
  await sql`create index call_statistics_by_time on call_statistics (time, account_id)`.execute(db);

  await createTable(db, 'prompt_statistics', [
    account(),
    text('time', 'prompt_id'),
    integer('version'),
    text('label'),
    integer('status'),
    bigint('calls'),
    primaryKey('prompt_statistics_pk', 'account_id', 'time', 'prompt_id', 'version', 'label', 'status'),
  ]);
  await sql`create index prompt_statistics_by_time on prompt_statistics (time, account_id)`.execute(db);

  await createTable(db, 'key_uses', [accountAsId, integer('key_serial'), text('last_used_at')]);
  await createTable(db, 'statistics_writers', [id(), integer('sequence'), text('updated_at')]);

  await createTable(db, 'account_events', [
    account(),
    text('id', 'type', 'at'),
    optional('address', 'user_agent'),
    primaryKey('account_events_pk', 'account_id', 'id'),
  ]);
  await sql`create index account_events_by_age on account_events (at)`.execute(db);
}
