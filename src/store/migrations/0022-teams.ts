import { type Kysely, sql } from 'kysely';

/** Adds an index that finds the owner of a team workspace, and ensures that a workspace has only one owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unique index memberships_by_owner on memberships (workspace_id) where role = 'owner'`.execute(db);
}
