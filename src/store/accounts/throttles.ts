import { type Kysely, sql } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';

/** Counters of failed attempts, kept in the database so that all instances share them. */
export function createThrottleStore(db: Kysely<Database>) {
  return {
    /** When the longest of these blocks ends; undefined if there is none. */
    async findBlockedUntil(names: string[]): Promise<Date | undefined> {
      const row = await db
        .selectFrom('throttles')
        .select('blocked_until')
        .where('name', 'in', names)
        .where('blocked_until', '>', new Date().toISOString())
        .orderBy('blocked_until', 'desc')
        .executeTakeFirst();
      return row && new Date(row.blocked_until);
    },

    /** Counts a failure and returns the total. The count restarts if the last failure was before `forgetBefore`. */
    async countFailure(name: string, forgetBefore: Date): Promise<number> {
      const now = new Date().toISOString();
      const row = await db
        .insertInto('throttles')
        .values({ name, failures: 1, blocked_until: '', updated_at: now })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({
            failures: sql<number>`case when throttles.updated_at < ${forgetBefore.toISOString()} then 1 else throttles.failures + 1 end`,
            updated_at: now,
          }),
        )
        .returning('failures')
        .executeTakeFirstOrThrow();
      return row.failures;
    },

    async blockUntil(name: string, until: Date): Promise<void> {
      await db.updateTable('throttles').set({ blocked_until: until.toISOString() }).where('name', '=', name).execute();
    },

    async clear(name: string): Promise<void> {
      await db.deleteFrom('throttles').where('name', '=', name).execute();
    },

    /** Deletes a batch and returns its size. */
    async deleteUnusedSince(time: Date): Promise<number> {
      return deleteBatch(db, { table: 'throttles', key: ['name'], where: sql`updated_at < ${time.toISOString()}` });
    },
  };
}
