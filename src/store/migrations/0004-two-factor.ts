import type { Kysely } from 'kysely';
import { account, accountAsId, createTable, integer, optional, primaryKey, text } from './schema.ts';

/** Creates the tables of authenticators, and of the recovery codes that replace a lost authenticator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const state = [optional('confirmed_at'), integer('last_step'), optional('codes_created_at')];
  await createTable(db, 'two_factors', [accountAsId, text('secret_cipher'), ...state]);
  const key = primaryKey('recovery_codes_pk', 'account_id', 'code_digest');
  await createTable(db, 'recovery_codes', [account(), text('code_digest'), key]);
}
