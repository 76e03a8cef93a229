import { type Kysely, sql } from 'kysely';
import { account, addOptional, createTable, id, optional, primaryKey, text } from './schema.ts';

/** Adds the identities of accounts at OpenID Connect providers, the provider of each session, and tokens that work only once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'identities', [
    text('issuer', 'subject'),
    account(),
    optional('email'),
    text('created_at', 'last_used_at'),
    primaryKey('identities_pk', 'issuer', 'subject'),
  ]);
  await sql`create unique index identities_by_account on identities (account_id, issuer)`.execute(db);

  await addOptional(db, 'sessions', ['issuer', 'subject', 'provider_session']);
  await sql`create index sessions_by_subject on sessions (issuer, subject) where issuer is not null`.execute(db);

  await createTable(db, 'used_tokens', [id(), text('expires_at')]);
  await sql`create index used_tokens_by_expiry on used_tokens (expires_at)`.execute(db);
}
