import type { Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** Facts about the database itself, by name. */
export function createMetaStore(db: Kysely<Database>) {
  return {
    async find(name: string): Promise<string | undefined> {
      const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
      return row?.value;
    },

    /** Keeps what another instance wrote first. */
    async insertOnce(name: string, value: string): Promise<void> {
      await db
        .insertInto('meta')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    },

    async replace(name: string, value: string): Promise<void> {
      await db.updateTable('meta').set({ value }).where('name', '=', name).execute();
    },
  };
}
