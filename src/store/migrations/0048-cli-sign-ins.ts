import { type Kysely, sql } from 'kysely';
import { createTable, id, optional, text, unique } from './schema.ts';

/** Adds the command-line sign-ins that wait for a person to approve them in the dashboard. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'cli_sign_ins', [
    id(),
    unique('user_code'),
    text('computer', 'address', 'created_at', 'expires_at'),
    optional('port', 'approved_by', 'session_id', 'code_digest', 'denied_at'),
  ]);
  await sql`create index cli_sign_ins_expired on cli_sign_ins (expires_at)`.execute(db);
}
