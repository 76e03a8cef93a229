import { type Kysely, sql } from 'kysely';

/** Adds the index with which housekeeping finds proposals that ended long ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index proposals_ended on proposals (ended_at) where ended_at is not null`.execute(db);
}
