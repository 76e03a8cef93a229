import { type Kysely, sql } from 'kysely';
import { account, addOptional, createTable, id, optional, primaryKey, text } from './schema.ts';

/** Adds the identities of accounts at OpenID Connect providers, the provider of each session, logouts, and tokens that work only once. */
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
  await sql`create index sessions_by_provider_session on sessions (issuer, provider_session) where provider_session is not null`.execute(
    db,
  );

  await createTable(db, 'provider_logouts', [id(), text('issuer', 'issued_at', 'expires_at'), optional('subject', 'provider_session')]);
  await sql`create index provider_logouts_by_issuer on provider_logouts (issuer, issued_at)`.execute(db);
  await sql`create index provider_logouts_by_expiry on provider_logouts (expires_at)`.execute(db);

  await createTable(db, 'used_tokens', [id(), text('expires_at')]);
  await sql`create index used_tokens_by_expiry on used_tokens (expires_at)`.execute(db);
}
