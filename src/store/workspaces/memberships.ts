import type { Kysely } from 'kysely';
import type { MemberRole } from '../../contract/roles.ts';
import { forExistingAccount } from '../accounts/existing-account.ts';
import type { Database } from '../tables.ts';

/** Who works in whose workspace. The owner of a workspace has no row. */
export function createMembershipStore(db: Kysely<Database>) {
  return {
    async findRole(workspaceId: string, accountId: string): Promise<MemberRole | undefined> {
      const row = await db
        .selectFrom('memberships')
        .select('role')
        .where('workspace_id', '=', workspaceId)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row?.role;
    },

    /** Adds a member or changes the role of one. Throws `unauthorized` if one of the two accounts is deleted. */
    async put(workspaceId: string, accountId: string, role: MemberRole): Promise<void> {
      const now = new Date().toISOString();
      await forExistingAccount(() =>
        db
          .insertInto('memberships')
          .values({ workspace_id: workspaceId, account_id: accountId, role, created_at: now, updated_at: now })
          .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id']).doUpdateSet({ role, updated_at: now }))
          .execute(),
      );
    },

    /** Returns false if the account is not a member. */
    async remove(workspaceId: string, accountId: string): Promise<boolean> {
      const result = await db
        .deleteFrom('memberships')
        .where('workspace_id', '=', workspaceId)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return result.numDeletedRows === 1n;
    },
  };
}
