import type { Kysely } from 'kysely';
import type { ViewFilters } from '../../contract/views.ts';
import type { Database } from '../tables.ts';
import type { PersonInWorkspace } from './favorites.ts';

export interface ViewRecord {
  id: string;
  name: string;
  filters: ViewFilters;
  createdAt: string;
  updatedAt: string;
}

/** Reads and writes the saved views of people. */
export function createViewStore(db: Kysely<Database>) {
  return {
    async list({ workspaceId, accountId }: PersonInWorkspace): Promise<ViewRecord[]> {
      const rows = await db
        .selectFrom('saved_views')
        .select(['id', 'name', 'filters', 'created_at as createdAt', 'updated_at as updatedAt'])
        .where('account_id', '=', workspaceId)
        .where('user_id', '=', accountId)
        .orderBy('name')
        .orderBy('id')
        .execute();
      // The stored filters have this type.
      return rows.map((row) => ({ ...row, filters: JSON.parse(row.filters) as ViewFilters }));
    },

    /** Adds or replaces a view. */
    async put({ workspaceId, accountId }: PersonInWorkspace, { id, name, filters, createdAt, updatedAt }: ViewRecord): Promise<void> {
      const changed = { name, filters: JSON.stringify(filters), updated_at: updatedAt };
      await db
        .insertInto('saved_views')
        .values({ account_id: workspaceId, user_id: accountId, id, created_at: createdAt, ...changed })
        .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'id']).doUpdateSet(changed))
        .execute();
    },

    /** Deletes a view. Returns whether there was one. */
    async remove({ workspaceId, accountId }: PersonInWorkspace, id: string): Promise<boolean> {
      const result = await db
        .deleteFrom('saved_views')
        .where('account_id', '=', workspaceId)
        .where('user_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return result.numDeletedRows > 0n;
    },
  };
}
