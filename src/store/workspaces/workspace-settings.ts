import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** The settings of a workspace, which are columns of its account. */
export function createWorkspaceSettingsStore(db: Kysely<Database>) {
  return {
    async find(id: string): Promise<{ name: string; protectedLabels: string[] } | undefined> {
      const row = await db
        .selectFrom('accounts')
        .select(['name', 'protected_labels'])
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      // `update` wrote the labels.
      return row && { name: row.name, protectedLabels: JSON.parse(row.protected_labels) as string[] };
    },

    async update(id: string, { name, protectedLabels }: { name: string; protectedLabels: string[] }): Promise<void> {
      await db
        .updateTable('accounts')
        .set({ name, protected_labels: JSON.stringify(protectedLabels), updated_at: new Date().toISOString() })
        .where('id', '=', id)
        .execute();
    },
  };
}
