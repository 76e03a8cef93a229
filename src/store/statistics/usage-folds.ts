import { type Kysely, sql } from 'kysely';
import { createChunkRunner } from '../chunked-statements.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { afterAllAccounts, type FoldState, isInGroup, readFoldState, replaceFoldState, type StoredFoldState } from './fold-state.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { selectBodies, takeRows } from './pending-usage.ts';
import { addCalls, addPrompts, addRenderErrors, selectAccounts, updateKeyUses } from './row-statements.ts';
import { addUpLines } from './usage-block.ts';
import type { UsageCounts } from './usage-counts.ts';

/** Blocks that wait to be folded. */
export interface WaitingBlocks {
  count: number;
  bytes: number;
}

export interface FoldOptions {
  /** The id of the instance. */
  holder: string;
  /** A group is begun if there are blocks from before this time. */
  before: Date;
  /** A group of another instance is continued if that has done nothing since. */
  abandonedBefore: Date;
}

/** Bounds the memory of a fold, which is far less if callers are many: then few blocks overlap. */
const maxGroupBytes = 64 * 1024 * 1024;
/** Each row changes up to five indexes, so that a step of so many takes about two milliseconds. */
const sliceRows = 64;
/** Large rows, so few at a time. */
const deletedBlocks = 100;

/** Rows of some accounts, and the state once they are added. */
interface Slice {
  accountIds: string[];
  counts: UsageCounts;
  accountId: string;
  rows: number;
}

/** Folds blocks into the rows of the statistics, sorted by account, so that each page of the database is changed once for many calls. */
export function createUsageFoldStore(db: Kysely<Database>) {
  const runInChunks = createChunkRunner(db);

  /** Adds a slice and stores how far the fold has come. Returns undefined if another instance has taken over. */
  async function addSlice(before: StoredFoldState, { accountIds, counts, accountId, rows }: Slice): Promise<StoredFoldState | undefined> {
    return runTransaction(db, async (transaction) => {
      // First, because its row lock makes another instance wait that takes over at this moment.
      const state = { ...before.state, accountId, rows, updatedAt: new Date().toISOString() };
      const stored = await replaceFoldState(transaction, before, state);
      if (!stored) return undefined;
      const ids = accountIds.map((id) => [id]);
      const existing = new Set((await runInChunks<{ id: string }>(transaction, selectAccounts, ids)).map(({ id }) => id));
      for (const [statement, values] of toValues(counts, existing)) await runInChunks(transaction, statement, values);
      return stored;
    });
  }

  /** Slices of up to `sliceRows` rows. */
  async function* readSlices(state: FoldState): AsyncGenerator<Slice> {
    const blocks = (await selectBlockKeys(db).execute()).filter((key) => isInGroup(state, key));
    let slice = emptyCounts();
    let accountIds: string[] = [];
    for await (const { accountId, lines } of mergeBlocks(blocks, {
      fromAccount: state.accountId,
      load: async (key) => (await selectBodies(db, [key]).executeTakeFirst())?.body,
    })) {
      const counts = await addUpLines(lines);
      const total = countRows(counts);
      let rows = accountId === state.accountId ? state.rows : 0;
      slice.keyUses.push(...counts.keyUses);
      do {
        if (accountIds.at(-1) !== accountId) accountIds.push(accountId);
        const end = Math.min(total, rows + sliceRows - countRows(slice));
        append(slice, takeRows(counts, rows, end));
        rows = end;
        if (countRows(slice) < sliceRows && slice.keyUses.length < sliceRows) continue;
        yield { accountIds, counts: slice, accountId, rows };
        slice = emptyCounts();
        accountIds = [];
      } while (rows < total);
    }
    yield { accountIds, counts: slice, accountId: afterAllAccounts, rows: 0 };
  }

  /** Deletes a batch of the blocks of a folded group, or ends the group if there are none. Returns whether it goes on. */
  async function clear(stored: StoredFoldState): Promise<boolean> {
    for (const [writer, sequence] of Object.entries(stored.state.group)) {
      const where = sql`writer = ${writer} and sequence <= ${sequence}`;
      if (await deleteBatch(db, { table: 'usage_blocks', key: ['writer', 'sequence', 'part'], where, limit: deletedBlocks })) return true;
    }
    await replaceFoldState(db, stored, { ...stored.state, group: {} });
    return false;
  }

  return {
    async measure(): Promise<WaitingBlocks> {
      const { count, bytes } = await selectWaiting(db).executeTakeFirstOrThrow();
      return { count, bytes: bytes ?? 0 };
    },

    /**
     * Begins a group, or continues one that was interrupted. Returns the function that does the next part of the work and tells whether
     * there is more. It may be interrupted anywhere, and no call is added twice.
     */
    async start(options: FoldOptions): Promise<(() => Promise<boolean>) | undefined> {
      let stored = await claimGroup(db, options);
      if (!stored) return undefined;
      const slices = readSlices(stored.state);
      return async () => {
        if (!stored) return false;
        if (stored.state.accountId === afterAllAccounts) return clear(stored);
        const { value: slice } = await slices.next();
        stored = slice && (await addSlice(stored, slice));
        return stored !== undefined;
      };
    },
  };
}

/** Makes this instance the one that folds. Returns undefined if there is nothing to fold, or if another instance does. */
async function claimGroup(db: Kysely<Database>, { holder, before, abandonedBefore }: FoldOptions): Promise<StoredFoldState | undefined> {
  const stored = await readFoldState(db);
  const { state } = stored;
  const mine = { holder, updatedAt: new Date().toISOString() };
  if (Object.keys(state.group).length > 0) {
    const isFree = state.holder === holder || state.updatedAt < abandonedBefore.toISOString();
    return isFree ? replaceFoldState(db, stored, { ...state, ...mine }) : undefined;
  }
  const group = await chooseGroup(db, before.toISOString());
  return group && replaceFoldState(db, stored, { ...mine, number: state.number + 1, group, accountId: '', rows: 0 });
}

/** The oldest batches, and those that came after them as far as there is room. */
async function chooseGroup(db: Kysely<Database>, before: string): Promise<FoldState['group'] | undefined> {
  const batches = await selectBatches(db).execute();
  const [oldest] = batches;
  if (!oldest || oldest.createdAt >= before) return undefined;
  const group: FoldState['group'] = {};
  let bytes = 0;
  for (const batch of batches) {
    bytes += batch.bytes;
    if (bytes > maxGroupBytes && batch !== oldest) break;
    group[batch.writer] = Math.max(batch.sequence, group[batch.writer] ?? 0);
  }
  return group;
}

export function selectBatches(db: Kysely<Database>) {
  return db
    .selectFrom('usage_blocks')
    .select((eb) => ['created_at as createdAt', 'writer', 'sequence', eb.fn.sum<number>('bytes').as('bytes')])
    .groupBy(['created_at', 'writer', 'sequence'])
    .orderBy('created_at')
    .orderBy('writer')
    .orderBy('sequence');
}

export function selectWaiting(db: Kysely<Database>) {
  return db
    .selectFrom('usage_blocks')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('bytes').as('bytes')]);
}

export function selectBlockKeys(db: Kysely<Database>) {
  return db
    .selectFrom('usage_blocks')
    .select(['writer', 'sequence', 'part', 'first_account as firstAccount', 'last_account as lastAccount'])
    .orderBy('first_account');
}

function emptyCounts(): UsageCounts {
  return { calls: [], prompts: [], renderErrors: [], keyUses: [] };
}

function countRows({ calls, prompts, renderErrors }: UsageCounts): number {
  return calls.length + prompts.length + renderErrors.length;
}

function append(slice: UsageCounts, { calls, prompts, renderErrors }: UsageCounts): void {
  slice.calls.push(...calls);
  slice.prompts.push(...prompts);
  slice.renderErrors.push(...renderErrors);
}

/** The values for each table. Accounts that were deleted since their calls have no rows. */
function toValues({ calls, prompts, renderErrors, keyUses }: UsageCounts, existing: Set<string>) {
  const exists = ({ accountId }: { accountId: string }) => existing.has(accountId);
  return [
    [addCalls, calls.filter(exists).map((row) => [row.accountId, row.time, row.route, row.status, row.bucket, row.calls])],
    [
      addPrompts,
      prompts.filter(exists).map((row) => [row.accountId, row.time, row.promptId, row.version, row.label, row.status, row.calls]),
    ],
    [addRenderErrors, renderErrors.filter(exists).map((row) => [row.accountId, row.time, row.promptId, row.code, row.name, row.calls])],
    [updateKeyUses, keyUses.filter(exists).map((row) => [row.accountId, row.keySerial, new Date(row.lastUsedMs).toISOString()])],
  ] as const;
}
