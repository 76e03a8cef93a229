import type { Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** An encrypted text with which a wrong SECRET_KEY is detected. */
export const canaryName = 'canary';

/** When the last verified backup was made. */
export const lastBackupName = 'last_backup_at';

/** When a backup was last started. */
export const backupBegunName = 'backup_begun_at';

/** The SHA-256 of a backup, which only the backup itself contains. */
export const backupChecksumName = 'backup_checksum';

/** Distinguishes the snapshots of this database from those of other databases in the same folder. */
export const snapshotIdName = 'snapshot_id';

/** Reads and writes values that belong to the database as a whole, such as the canary that detects a wrong SECRET_KEY. */
export function createMetaStore(db: Kysely<Database>) {
  return {
    async find(name: string): Promise<string | undefined> {
      const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
      return row?.value;
    },

    /** Inserts a value, unless another instance has already inserted a value with this name. */
    async insertOnce(name: string, value: string): Promise<void> {
      await db
        .insertInto('meta')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    },

    async put(name: string, value: string): Promise<void> {
      await db
        .insertInto('meta')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}
