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
  };
}
