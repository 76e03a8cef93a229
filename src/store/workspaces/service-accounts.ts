import { type Kysely, sql } from 'kysely';
import { toNewColumns } from '../accounts/accounts.ts';
import { eraseServiceAccounts } from '../accounts/delete-account.ts';
import { nextKeyColumns, type StoredKey } from '../accounts/key-digest.ts';
import type { Database } from '../tables.ts';

interface NewServiceAccount extends StoredKey {
  id: string;
  workspaceId: string;
  /** Who receives the key. */
  createdBy: string;
  name: string;
  email: string;
}

/**
 * Reads and writes the accounts of programs, which belong to a workspace. These accounts have a key, but neither a password nor their own
 * workspace.
 */
export function createServiceAccountStore(db: Kysely<Database>) {
  return {
    async insert({ workspaceId, createdBy, ...account }: NewServiceAccount): Promise<void> {
      // The hash is empty, so that no password matches it.
      const columns = toNewColumns({ ...account, passwordHash: '' });
      await db
        .insertInto('accounts')
        .values({ ...columns, home_workspace_id: workspaceId, key_holders: createdBy })
        .execute();
    },

    /**
     * Replaces the key without checking the current key, and remembers who receives the new key. Returns the account's name, or undefined
     * if the workspace has no such service account.
     */
    async replaceKey(workspaceId: string, id: string, { next, by }: { next: StoredKey; by: string }): Promise<string | undefined> {
      const holders = sql<string>`coalesce(key_holders, '')`;
      const row = await db
        .updateTable('accounts')
        .set({
          ...nextKeyColumns(next, new Date().toISOString()),
          key_holders: sql`case when replace(${holders}, ${by}, '') <> ${holders} then ${holders} else ${holders} || ' ' || ${by} end`,
        })
        .where('id', '=', id)
        .where('home_workspace_id', '=', workspaceId)
        .where('deleted_at', 'is', null)
        .returning('name')
        .executeTakeFirst();
      return row?.name;
    },

    /**
     * Deletes a service account. Its key stops working immediately. Its remaining rows are removed in the same way as the rows of any
     * deleted account.
     */
    async delete(workspaceId: string, id: string): Promise<void> {
      await eraseServiceAccounts(db, { workspaceId, id });
    },
  };
}
