import type { Kysely } from 'kysely';
import { createMetaStore } from '../meta.ts';
import type { Database } from '../tables.ts';

/**
 * How far blocks are folded into the rows of the statistics. Blocks are folded in groups, account by account. The state is stored with
 * each step in one transaction, so whoever reads it knows exactly which counts are in rows and which are still in blocks.
 */
export interface FoldState {
  /** Increases with each group. */
  number: number;
  /** The instance that folds. Another one continues if it has stored nothing for a while. */
  holder: string;
  updatedAt: string;
  /** The last batch of each writer that belongs to the group. Empty when the group is done. A writer's batches are committed in order. */
  group: Record<string, number>;
  /** All accounts before this one are folded, */
  accountId: string;
  /** and this many rows of its own. */
  rows: number;
}

/** The name of the state in `meta`. */
const stateName = 'usage_fold';

/** Sorts after all account ids. */
export const afterAllAccounts = '~';

/** The state, and the text that it was stored as. */
export interface StoredFoldState {
  state: FoldState;
  text: string | undefined;
}

export async function readFoldState(db: Kysely<Database>): Promise<StoredFoldState> {
  const text = await createMetaStore(db).find(stateName);
  const start: FoldState = { number: 0, holder: '', updatedAt: '', group: {}, accountId: afterAllAccounts, rows: 0 };
  // Only written by replaceFoldState.
  return { state: text === undefined ? start : (JSON.parse(text) as FoldState), text };
}

/** Stores a new state unless another instance has replaced the old one. Returns undefined if so. */
export async function replaceFoldState(
  db: Kysely<Database>,
  before: StoredFoldState,
  state: FoldState,
): Promise<StoredFoldState | undefined> {
  const text = JSON.stringify(state);
  const result =
    before.text === undefined
      ? await db
          .insertInto('meta')
          .values({ name: stateName, value: text })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .executeTakeFirstOrThrow()
      : await db
          .updateTable('meta')
          .set({ value: text })
          .where('name', '=', stateName)
          .where('value', '=', before.text)
          .executeTakeFirstOrThrow();
  const changed = 'numUpdatedRows' in result ? result.numUpdatedRows : result.numInsertedOrUpdatedRows;
  return changed === 1n ? { state, text } : undefined;
}

export function isInGroup({ group }: FoldState, { writer, sequence }: { writer: string; sequence: number }): boolean {
  return sequence <= (group[writer] ?? -1);
}

/** How many rows of an account's lines in the group are folded. */
export function countFoldedRows(state: FoldState, accountId: string): number {
  if (accountId < state.accountId) return Number.POSITIVE_INFINITY;
  return accountId === state.accountId ? state.rows : 0;
}

/** Changes whenever counts of the account move from blocks into rows. */
export function movesOf(state: FoldState, accountId: string): string {
  const folded = countFoldedRows(state, accountId);
  return folded === Number.POSITIVE_INFINITY ? `${state.number + 1} 0` : `${state.number} ${folded}`;
}
