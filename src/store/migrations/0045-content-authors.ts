import { type Kysely, sql } from 'kysely';
import { addOptional } from './schema.ts';

/**
 * Adds columns for the accounts that contributed to a version and for the people who have received the key of a service account, and
 * indexes that find earlier moves of labels.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addOptional(db, 'prompt_versions', ['authors']);
  await addOptional(db, 'accounts', ['key_holders']);
  // For existing service accounts, the activity says who has received a key.
  await sql`update accounts set key_holders = (
      select string_agg(holder, ' ') from (
        select distinct coalesce(by_account_id, account_id) as holder from account_events
        where account_events.account_id = accounts.home_workspace_id
          and type in ('service_account_created', 'service_account_key_reset') and replace(detail, accounts.id, '') <> detail
      ) as holders)
    where home_workspace_id is not null`.execute(db);
  await sql`create index prompt_events_label_moved on prompt_events (account_id, prompt_id, id) where type = 'label_moved'`.execute(db);
  // If this index did not contain the author, SQLite would prefer the index of the activity, which has the entries of all prompts.
  await sql`create index prompt_events_renamed on prompt_events (account_id, prompt_id, id, by_account_id) where type = 'renamed'`.execute(
    db,
  );
}
