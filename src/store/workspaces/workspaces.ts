import type { Kysely } from 'kysely';
import type { MemberRole } from '../../contract/roles.ts';
import type { Database } from '../tables.ts';

interface JoinedWorkspace {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
}

/** More than anybody can choose from. */
const maxWorkspaces = 1000;

/** Workspaces. Their settings are columns of the owner's account. */
export function createWorkspaceStore(db: Kysely<Database>) {
  return {
    /** The workspaces that an account is a member of, by name. */
    async listJoined(accountId: string): Promise<JoinedWorkspace[]> {
      return db
        .selectFrom('memberships')
        .innerJoin('accounts', 'accounts.id', 'memberships.workspace_id')
        .select(['accounts.id', 'accounts.name', 'accounts.email', 'memberships.role'])
        .where('memberships.account_id', '=', accountId)
        .where('accounts.deleted_at', 'is', null)
        .orderBy('accounts.name')
        .orderBy('accounts.id')
        .limit(maxWorkspaces)
        .execute();
    },

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
