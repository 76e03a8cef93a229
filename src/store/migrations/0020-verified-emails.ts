import type { Kysely } from 'kysely';
import { addOptional } from './schema.ts';

/** Adds the time at which an account's email address was verified. Existing accounts are unverified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addOptional(db, 'accounts', ['email_verified_at', 'invited_at']);
}
