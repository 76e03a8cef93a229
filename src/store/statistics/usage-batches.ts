import { type Kysely, sql, type Transaction } from 'kysely';
import type { AccountEvent } from '../../contract/activity.ts';
import { backgroundTurnMs, sortInTurns, yieldIfLong } from '../../platform/event-loop.ts';
import { createChunkRunner, type RowStatement } from '../chunked-statements.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { repeat, selectAccounts } from './row-statements.ts';
import { encodeBlocks, type UsageLines } from './usage-block.ts';

/** What an instance has counted since its last write. */
export interface UsageBatch extends UsageLines {
  /** The id of the instance. */
  writer: string;
  /** Increases with every batch of the writer, so that no batch is added twice. The next one is written after this one is committed. */
  sequence: number;
  events: AccountEventRecord[];
}

/** An event of an account's activity, and `account_deleted`, which only the log shows. */
export type AccountEventRecord = Omit<AccountEvent, 'type' | 'by' | 'detail'> &
  Partial<Pick<AccountEvent, 'by' | 'detail'>> & { accountId: string; type: string };

export function createUsageBatchStore(db: Kysely<Database>) {
  const runInChunks = createChunkRunner(db);

  /** Accounts may have been deleted since. If one is deleted right now, the write fails and its retry skips the account. */
  async function addEvents(transaction: Transaction<Database>, events: AccountEventRecord[]): Promise<void> {
    const ids = [...new Set(events.map(({ accountId }) => accountId))].map((id) => [id]);
    const existing = new Set((await runInChunks<{ id: string }>(transaction, selectAccounts, ids)).map(({ id }) => id));
    const rows = events.filter(({ accountId }) => existing.has(accountId)).map(toEventRow);
    await runInChunks(transaction, insertEvents, rows);
  }

  return {
    /**
     * Adds a batch as a whole or not at all. If the outcome of a write is unknown, retry it: a batch that was committed is not added
     * again. Calls are added as blocks, because one row of the statistics per caller would take longer than its request.
     */
    async write(batch: UsageBatch): Promise<void> {
      const blocks = await encodeRows(batch);
      await runTransaction(db, async (transaction) => {
        if (!(await claimSequence(transaction, batch))) return;
        await runInChunks(transaction, insertBlocks, blocks);
        await addEvents(transaction, batch.events);
      });
    },

    /** Deletes a batch of the sequences of instances that no longer run, and returns its size. */
    async deleteWritersUnusedSince(time: Date): Promise<number> {
      return deleteBatch(db, { table: 'statistics_writers', key: ['id'], where: sql`updated_at < ${time.toISOString()}` });
    },
  };
}

/** The rows of the batch's blocks, encoded with pauses for requests. */
async function encodeRows(batch: UsageBatch): Promise<(string | number)[][]> {
  const createdAt = new Date().toISOString();
  const rows: (string | number)[][] = [];
  for (const { firstAccount, lastAccount, body } of encodeBlocks(batch, await sortInTurns(batch.accountIds))) {
    rows.push([batch.writer, batch.sequence, rows.length, createdAt, firstAccount, lastAccount, Buffer.byteLength(body), body]);
    await yieldIfLong(backgroundTurnMs);
  }
  return rows;
}

/** Returns false if the batch is already stored. Waits for an earlier write of it that is still running on another connection. */
async function claimSequence(transaction: Transaction<Database>, { writer, sequence }: UsageBatch): Promise<boolean> {
  const updated_at = new Date().toISOString();
  const result = await transaction
    .insertInto('statistics_writers')
    .values({ id: writer, sequence, updated_at })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ sequence, updated_at }).where('statistics_writers.sequence', '<', sequence),
    )
    .executeTakeFirstOrThrow();
  return result.numInsertedOrUpdatedRows === 1n;
}

const insertBlocks: RowStatement = (db, rowCount) =>
  db
    .insertInto('usage_blocks')
    .values(
      repeat({ writer: '', sequence: 0, part: 0, created_at: '', first_account: '', last_account: '', bytes: 0, body: '' }, rowCount),
    );

const insertEvents: RowStatement = (db, rowCount) =>
  db
    .insertInto('account_events')
    .values(
      repeat(
        { account_id: '', id: '', type: '', at: '', address: '', user_agent: '', by_account_id: '', by_name: '', detail: '' },
        rowCount,
      ),
    );

function toEventRow({ accountId, id, type, at, address, userAgent, by, detail }: AccountEventRecord) {
  return [accountId, id, type, at, address, userAgent, by?.userId ?? null, by?.name ?? null, detail ? JSON.stringify(detail) : null];
}
