import { type Kysely, sql } from 'kysely';
import type { Role } from '../../contract/roles.ts';
import { AppError } from '../../errors.ts';
import { forExistingAccount } from '../accounts/credentials.ts';
import { isTeam } from '../accounts/team-ids.ts';
import { countRows, hasRows } from '../count-rows.ts';
import { deletePersonal } from '../prompts/personal.ts';
import type { Database } from '../tables.ts';

type MembershipStore = ReturnType<typeof createMembershipStore>;

/** A member of a workspace: another person's account, or a service account that belongs to the workspace. */
export type MemberRecord = Awaited<ReturnType<MembershipStore['list']>>[number];

/** A workspace of which an account is a member. */
export type MembershipRecord = Awaited<ReturnType<MembershipStore['listOf']>>[number];

/** The maximum number of workspaces that are listed, which is more than a person can choose from. */
const maxWorkspaces = 1000;

/** Reads and writes the members of workspaces. `WorkspaceTables` says which members have a row. */
export function createMembershipStore(db: Kysely<Database>) {
  const selectMembers = (workspaceId: string) =>
    db
      .selectFrom('memberships')
      .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
      .select([
        'accounts.id as userId',
        'accounts.name',
        'accounts.email',
        'accounts.home_workspace_id as homeWorkspaceId',
        'memberships.role',
        'memberships.created_at as joinedAt',
        'accounts.key_created_at as keyCreatedAt',
        'accounts.email_verified_at as emailVerifiedAt',
      ])
      .where('memberships.workspace_id', '=', workspaceId);

  return {
    /** Finds the roles of the given members. An account that owns its own workspace has no row and is left out. */
    async findRoles(workspaceId: string, accountIds: string[]): Promise<Map<string, Role>> {
      if (accountIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('memberships')
        .select(['account_id', 'role'])
        .where('workspace_id', '=', workspaceId)
        .where('account_id', 'in', accountIds)
        .execute();
      return new Map(rows.map(({ account_id, role }) => [account_id, role]));
    },

    /** Finds who has received the keys of the given service accounts of a workspace, by service account id. */
    async findKeyHolders(workspaceId: string, ids: string[]): Promise<Map<string, string[]>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('accounts')
        .select(['id', 'key_holders'])
        .where('id', 'in', ids)
        .where('home_workspace_id', '=', workspaceId)
        .execute();
      return new Map(rows.map(({ id, key_holders }) => [id, (key_holders ?? '').split(' ').filter((holder) => holder !== '')]));
    },

    async findRole(workspaceId: string, accountId: string): Promise<Role | undefined> {
      const row = await db
        .selectFrom('memberships')
        .select('role')
        .where('workspace_id', '=', workspaceId)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row?.role;
    },

    /** Makes an account a member, or changes its role. Throws `unauthorized` if the account is deleted. Run this in a transaction. */
    async put(workspaceId: string, accountId: string, role: Role): Promise<void> {
      const now = new Date().toISOString();
      const insert = db
        .insertInto('memberships')
        .values({ workspace_id: workspaceId, account_id: accountId, role, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id']).doUpdateSet({ role, updated_at: now }));
      await forExistingAccount(() => insert.execute());
      // The account is read after the insert, because a concurrent deletion of the account delays the insert but does not prevent it: the
      // account's row still exists.
      const account = await db.selectFrom('accounts').select('deleted_at').where('id', '=', accountId).executeTakeFirst();
      if (account?.deleted_at !== null) throw new AppError('unauthorized');
    },

    async remove(workspaceId: string, accountId: string): Promise<void> {
      await db.deleteFrom('memberships').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId).execute();
      await deletePersonal(db, { workspaceId, accountId });
    },

    async find(workspaceId: string, accountId: string) {
      return selectMembers(workspaceId).where('memberships.account_id', '=', accountId).executeTakeFirst();
    },

    /**
     * Finds the names of the current members of a workspace by id. An account is the owner of its own workspace without having a row, and
     * is included.
     */
    async findNames(workspaceId: string, ids: string[]): Promise<Map<string, { name: string; isService: boolean }>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('accounts')
        .leftJoin('memberships', (join) =>
          join.on('memberships.workspace_id', '=', workspaceId).onRef('memberships.account_id', '=', 'accounts.id'),
        )
        .select(['accounts.id', 'accounts.name', 'accounts.home_workspace_id as homeWorkspaceId'])
        .where('accounts.id', 'in', ids)
        .where('accounts.deleted_at', 'is', null)
        .where((eb) => eb.or([eb('accounts.id', '=', workspaceId), eb('memberships.role', 'is not', null)]))
        .execute();
      return new Map(rows.map(({ id, name, homeWorkspaceId }) => [id, { name, isService: homeWorkspaceId !== null }]));
    },

    /** Lists the people of a workspace, with the owner and without service accounts. */
    async listPeople(workspaceId: string): Promise<{ userId: string; name: string; email: string }[]> {
      return db
        .selectFrom('accounts')
        .select(['accounts.id as userId', 'accounts.name', 'accounts.email'])
        .where((eb) =>
          eb.or([
            eb('accounts.id', '=', workspaceId),
            eb('accounts.id', 'in', db.selectFrom('memberships').select('account_id').where('workspace_id', '=', workspaceId)),
          ]),
        )
        .where('accounts.home_workspace_id', 'is', null)
        .where('accounts.deleted_at', 'is', null)
        .execute();
    },

    /** Finds the owner of a team workspace. */
    async findOwner(workspaceId: string) {
      return selectMembers(workspaceId).where('memberships.role', '=', 'owner').executeTakeFirst();
    },

    /** Lists a page of the members except the owner, ordered by id. */
    async list(workspaceId: string, { afterId, limit }: { afterId: string; limit: number }) {
      return selectMembers(workspaceId)
        .where('memberships.role', '!=', 'owner')
        .where('memberships.account_id', '>', afterId)
        .orderBy('memberships.account_id')
        .limit(limit)
        .execute();
    },

    /** Lists the ids of the owner and the admins of a workspace. */
    async listManagers(workspaceId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('memberships')
        .select('account_id as id')
        .where('workspace_id', '=', workspaceId)
        .where('role', 'in', ['admin', 'owner'])
        .orderBy('account_id')
        .execute();
      // An account owns its own workspace without having a row.
      return [...(isTeam(workspaceId) ? [] : [workspaceId]), ...rows.map(({ id }) => id)];
    },

    /** Returns whether a workspace has members. */
    existIn: (workspaceId: string): Promise<boolean> => hasRows(db.selectFrom('memberships').where('workspace_id', '=', workspaceId)),

    /** Returns whether the account with this email owns the workspace or is a member of it. */
    async hasEmail(workspaceId: string, email: string): Promise<boolean> {
      const found = db
        .selectFrom('accounts')
        .leftJoin('memberships', (join) =>
          join.on('memberships.workspace_id', '=', workspaceId).onRef('memberships.account_id', '=', 'accounts.id'),
        )
        .where('accounts.email', '=', email)
        .where((eb) => eb.or([eb('accounts.id', '=', workspaceId), eb('memberships.role', 'is not', null)]));
      return hasRows(found);
    },

    /** Lists the workspaces of which an account is a member, by name. */
    async listJoined(accountId: string) {
      return (
        db
          .selectFrom('memberships')
          .innerJoin('accounts', 'accounts.id', 'memberships.workspace_id')
          .leftJoin('memberships as owners', (join) =>
            join.onRef('owners.workspace_id', '=', 'accounts.id').on('owners.role', '=', 'owner'),
          )
          .leftJoin('accounts as people', 'people.id', 'owners.account_id')
          .select(['accounts.id', 'accounts.name', 'memberships.role'])
          // An account owns its own workspace without having a row.
          .select((eb) => [
            eb.fn.coalesce('people.name', 'accounts.name').as('ownerName'),
            eb.fn.coalesce('people.email', 'accounts.email').as('ownerEmail'),
          ])
          .where('memberships.account_id', '=', accountId)
          .where('accounts.deleted_at', 'is', null)
          .orderBy('accounts.name')
          .orderBy('accounts.id')
          .limit(maxWorkspaces)
          .execute()
      );
    },

    /** Lists the team workspaces that an account owns. */
    async listOwned(accountId: string) {
      return db
        .selectFrom('memberships')
        .innerJoin('accounts', 'accounts.id', 'memberships.workspace_id')
        .select(['accounts.id', 'accounts.name'])
        .where('memberships.account_id', '=', accountId)
        .where('memberships.role', '=', 'owner')
        .orderBy('accounts.name')
        .execute();
    },

    /** Counts the workspaces, other than its own, of which an account is a member. */
    async countOf(accountId: string): Promise<number> {
      return countRows(db.selectFrom('memberships').where('account_id', '=', accountId));
    },

    /** Lists the workspaces of which these accounts are members, for the operator's commands. */
    async listOf(accountIds: string[]) {
      if (accountIds.length === 0) return [];
      return db
        .selectFrom('memberships')
        .innerJoin('accounts', 'accounts.id', 'memberships.workspace_id')
        .select([
          'memberships.account_id as accountId',
          'memberships.workspace_id as workspaceId',
          'accounts.name as workspaceName',
          'accounts.email as workspaceEmail',
          'memberships.role',
        ])
        .where('memberships.account_id', 'in', accountIds)
        .orderBy('memberships.account_id')
        .orderBy('memberships.workspace_id')
        .execute();
    },
  };
}

/** Ends the memberships of an account, and withdraws the invitations that it sent. Throws if the account owns a team workspace. */
export async function endMemberships(db: Kysely<Database>, accountId: string): Promise<void> {
  const workspaces = sql`select workspace_id from memberships where account_id = ${accountId}`;
  await sql`delete from invitations where workspace_id in (${workspaces}) and invited_by = ${accountId}`.execute(db);
  const ended = await db.deleteFrom('memberships').where('account_id', '=', accountId).returning('role').execute();
  // The deletion is refused even if the account has just become the owner, because a team workspace always has an owner.
  if (ended.some(({ role }) => role === 'owner')) throw new AppError('owns_workspaces');
  await deletePersonal(db, { accountId });
}
