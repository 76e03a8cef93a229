import type { Transaction } from 'kysely';
import { maxOwnedTeams } from '../../contract/limits.ts';
import { AppError } from '../../errors.ts';
import { toNewColumns } from '../accounts/accounts.ts';
import { countRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';

export interface NewTeam {
  id: string;
  name: string;
  email: string;
}

/**
 * Adds a team workspace. It is a row of `accounts`, like every workspace, so that all tables of a workspace refer to the same thing. The row
 * has no key and no password, and its address is one that nobody can use. Lock the owner's row first, so that the limit holds.
 */
export async function insertTeam(transaction: Transaction<Database>, { ownerId, ...team }: NewTeam & { ownerId: string }): Promise<void> {
  const owned = transaction.selectFrom('memberships').where('account_id', '=', ownerId).where('role', '=', 'owner');
  if ((await countRows(owned)) >= maxOwnedTeams) {
    throw new AppError('quota_exceeded', { text: `An account can own at most ${maxOwnedTeams} team workspaces` });
  }
  // Neither a password nor a key has this hash or digest.
  const columns = toNewColumns({ ...team, passwordHash: '', keyDigest: `none:${team.id}`, keyCipher: '' });
  await transaction.insertInto('accounts').values(columns).execute();
  const now = columns.created_at;
  const owner = { workspace_id: team.id, account_id: ownerId, role: 'owner', created_at: now, updated_at: now } as const;
  await transaction.insertInto('memberships').values(owner).execute();
}
