import type { Kysely } from 'kysely';

/** Whether somebody has proved to read the mail of an account's address. Of existing accounts nobody has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('email_verified_at', 'text').execute();
  await db.schema.alterTable('accounts').addColumn('invited_at', 'text').execute();
}
