import type { Kysely, Transaction } from 'kysely';
import { maxMemberships, maxOwnedTeams } from '../../contract/limits.ts';
import { AppError } from '../../errors.ts';
import { toNewColumns } from '../accounts/accounts.ts';
import { teamPrefix } from '../accounts/team-ids.ts';
import { countRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';

export interface NewTeam {
  id: string;
  name: string;
  email: string;
}

/**
 * Adds a team workspace. Like every workspace, it is a row of `accounts`, so that all other tables can refer to workspaces in the same way.
 * The row has no key and no password, and nobody can use its email address. Lock the owner's row first, so that the limits hold.
 */
export async function insertTeam(transaction: Transaction<Database>, { ownerId, ...team }: NewTeam & { ownerId: string }): Promise<void> {
  const joined = transaction.selectFrom('memberships').where('account_id', '=', ownerId);
  if ((await countRows(joined)) >= maxMemberships) throw tooManyMemberships();
  const owned = transaction.selectFrom('memberships').where('account_id', '=', ownerId).where('role', '=', 'owner');
  if ((await countRows(owned)) >= maxOwnedTeams) {
    throw new AppError('quota_exceeded', { text: `An account can own at most ${maxOwnedTeams} team workspaces` });
  }
  // No password matches this hash, and no key matches this digest.
  const columns = toNewColumns({ ...team, passwordHash: '', keyDigest: `none:${team.id}`, keyCipher: '' });
  await transaction.insertInto('accounts').values(columns).execute();
  const now = columns.created_at;
  const owner = { workspace_id: team.id, account_id: ownerId, role: 'owner', created_at: now, updated_at: now } as const;
  await transaction.insertInto('memberships').values(owner).execute();
}

export function tooManyMemberships(): AppError {
  return new AppError('quota_exceeded', { text: `An account can be a member of at most ${maxMemberships} workspaces` });
}

/** Reads the team workspaces of all owners, for the operator's commands. */
export function createTeamStore(db: Kysely<Database>) {
  return {
    /** Lists a page of team workspaces with their owners and the number of members, ordered by id. */
    async list(afterId: string, limit: number) {
      const rows = await db
        .selectFrom('accounts')
        .leftJoin('memberships', (join) => join.onRef('memberships.workspace_id', '=', 'accounts.id').on('memberships.role', '=', 'owner'))
        .leftJoin('accounts as people', 'people.id', 'memberships.account_id')
        .select(['accounts.id', 'accounts.name', 'accounts.created_at as createdAt', 'people.id as ownerId', 'people.email as ownerEmail'])
        .select((eb) =>
          eb
            .selectFrom('memberships as all')
            .whereRef('all.workspace_id', '=', 'accounts.id')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .as('members'),
        )
        .where('accounts.id', '>', afterId === '' ? teamPrefix : afterId)
        .where('accounts.deleted_at', 'is', null)
        .orderBy('accounts.id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, members: Number(row.members) }));
    },
  };
}
