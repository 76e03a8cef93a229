import type { Kysely } from 'kysely';

/** Adds when an account's email address was verified. Existing accounts are unverified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('email_verified_at', 'text').execute();
  await db.schema.alterTable('accounts').addColumn('invited_at', 'text').execute();
}
