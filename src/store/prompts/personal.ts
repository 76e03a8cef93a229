import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import { type Credential, changeWithCredential } from '../accounts/credentials.ts';
import type { Database } from '../tables.ts';
import { createFavoriteStore, type PersonInWorkspace } from './favorites.ts';
import { createViewStore } from './views.ts';

/** Binds the stores of a person's favorites and saved views in a workspace. Nobody else sees them. */
export function bindPersonalStores(db: Kysely<Database>) {
  return { favorites: createFavoriteStore(db), views: createViewStore(db) };
}

export type PersonalStores = ReturnType<typeof bindPersonalStores>;

/**
 * Changes a person's favorites or saved views in a workspace. The changes of one account run one at a time, so that the account's limits
 * hold. The account's membership cannot end before the commit.
 */
export async function changePersonal<T>(
  db: Kysely<Database>,
  { workspaceId, credential }: { workspaceId: string; credential: Credential },
  change: (stores: PersonalStores) => Promise<T>,
): Promise<T> {
  return changeWithCredential(db, credential, async (transaction) => {
    if (workspaceId !== credential.accountId) await holdMembership(transaction, { workspaceId, accountId: credential.accountId });
    return change(bindPersonalStores(transaction));
  });
}

/** Locks a membership until the end of the transaction. Throws if it has ended. */
async function holdMembership(transaction: Kysely<Database>, { workspaceId, accountId }: PersonInWorkspace): Promise<void> {
  const held = await transaction
    .updateTable('memberships')
    // The update changes nothing. It only locks the row, because SQLite has no `select … for update`.
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (held.numUpdatedRows === 0n) throw new AppError('workspace_not_found');
}

/**
 * Deletes the favorites and saved views of one person or of everyone, in one workspace or in all. Call this after the memberships have been
 * deleted, because that deletion waits for changes in progress.
 */
export async function deletePersonal(
  db: Kysely<Database>,
  { workspaceId, accountId }: { workspaceId: string; accountId?: string } | { workspaceId?: string; accountId: string },
): Promise<void> {
  for (const table of ['favorites', 'saved_views'] as const) {
    let rows = db.deleteFrom(table);
    if (workspaceId !== undefined) rows = rows.where('account_id', '=', workspaceId);
    if (accountId !== undefined) rows = rows.where('user_id', '=', accountId);
    await rows.execute();
  }
}
