import { type Kysely, sql, type Transaction } from 'kysely';
import type { AccountEvent } from '../../contract/activity.ts';
import { createChunkRunner, type RowStatement } from '../chunked-statements.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** What an instance has counted since its last write. */
export interface UsageBatch {
  /** The id of the instance. */
  writer: string;
  /** Increases with every batch of the writer, so that no batch is added twice. */
  sequence: number;
  calls: CallCount[];
  prompts: PromptCount[];
  renderErrors: RenderErrorCount[];
  keyUses: KeyUse[];
  events: AccountEventRecord[];
}

export interface CallCount {
  accountId: string;
  time: string;
  route: string;
  status: number;
  bucket: number;
  calls: number;
}

export interface PromptCount {
  accountId: string;
  time: string;
  promptId: string;
  version: number;
  label: string;
  status: number;
  calls: number;
}

export interface RenderErrorCount {
  accountId: string;
  time: string;
  promptId: string;
  code: string;
  name: string;
  calls: number;
}

interface KeyUse {
  accountId: string;
  keySerial: number;
  lastUsedAt: string;
}

/** An event of an account's activity, and `account_deleted`, which only the log shows. */
export type AccountEventRecord = Omit<AccountEvent, 'type' | 'by' | 'detail'> &
  Partial<Pick<AccountEvent, 'by' | 'detail'>> & { accountId: string; type: string };

export function createUsageBatchStore(db: Kysely<Database>) {
  const runInChunks = createChunkRunner(db);

  /** Accounts may have been deleted since their calls. If one is deleted right now, the write fails and its retry skips the account. */
  async function findExistingAccounts(transaction: Transaction<Database>, batch: UsageBatch): Promise<Set<string>> {
    const ids = new Set<string>();
    for (const rows of [batch.calls, batch.keyUses, batch.events]) for (const { accountId } of rows) ids.add(accountId);
    const rows = [...ids].map((id) => [id]);
    return new Set((await runInChunks<{ id: string }>(transaction, selectAccounts, rows)).map(({ id }) => id));
  }

  return {
    /**
     * Adds a batch as a whole or not at all. If the outcome of a write is unknown, retry it: a batch that was committed is not added
     * again.
     */
    async write(batch: UsageBatch): Promise<void> {
      await runTransaction(db, async (transaction) => {
        if (!(await claimSequence(transaction, batch))) return;
        const accountIds = await findExistingAccounts(transaction, batch);
        const exists = ({ accountId }: { accountId: string }) => accountIds.has(accountId);
        const calls = batch.calls.filter(exists).map((row) => [row.accountId, row.time, row.route, row.status, row.bucket, row.calls]);
        const prompts = batch.prompts
          .filter(exists)
          .map((row) => [row.accountId, row.time, row.promptId, row.version, row.label, row.status, row.calls]);
        const renderErrors = batch.renderErrors
          .filter(exists)
          .map((row) => [row.accountId, row.time, row.promptId, row.code, row.name, row.calls]);
        const keyUses = batch.keyUses.filter(exists).map((row) => [row.accountId, row.keySerial, row.lastUsedAt]);
        const events = batch.events.filter(exists).map(toEventRow);
        await runInChunks(transaction, addCalls, calls);
        await runInChunks(transaction, addPrompts, prompts);
        await runInChunks(transaction, addRenderErrors, renderErrors);
        await runInChunks(transaction, updateKeyUses, keyUses);
        await runInChunks(transaction, insertEvents, events);
      });
    },

    /** Deletes a batch of the sequences of instances that no longer run, and returns its size. */
    async deleteWritersUnusedSince(time: Date): Promise<number> {
      return deleteBatch(db, { table: 'statistics_writers', key: ['id'], where: sql`updated_at < ${time.toISOString()}` });
    },
  };
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

const selectAccounts: RowStatement = (db, rowCount) =>
  db.selectFrom('accounts').select('id').where('id', 'in', repeat('', rowCount)).where('deleted_at', 'is', null);

/** Adds up calls by hour or day. */
export const addCalls: RowStatement = (db, rowCount) =>
  db
    .insertInto('call_statistics')
    .values(repeat({ account_id: '', time: '', route: '', status: 0, bucket: 0, calls: 0 }, rowCount))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time', 'route', 'status', 'bucket'])
        .doUpdateSet({ calls: sql<number>`call_statistics.calls + excluded.calls` }),
    );

export const addPrompts: RowStatement = (db, rowCount) =>
  db
    .insertInto('prompt_statistics')
    .values(repeat({ account_id: '', time: '', prompt_id: '', version: 0, label: '', status: 0, calls: 0 }, rowCount))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time', 'prompt_id', 'version', 'label', 'status'])
        .doUpdateSet({ calls: sql<number>`prompt_statistics.calls + excluded.calls` }),
    );

export const addRenderErrors: RowStatement = (db, rowCount) =>
  db
    .insertInto('render_errors')
    .values(repeat({ account_id: '', time: '', prompt_id: '', code: '', name: '', calls: 0 }, rowCount))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time', 'prompt_id', 'code', 'name'])
        .doUpdateSet({ calls: sql<number>`render_errors.calls + excluded.calls` }),
    );

/** Instances may write late, so an earlier use or a use of an earlier key does not replace a later one. */
const updateKeyUses: RowStatement = (db, rowCount) =>
  db
    .insertInto('key_uses')
    .values(repeat({ account_id: '', key_serial: 0, last_used_at: '' }, rowCount))
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ key_serial: eb.ref('excluded.key_serial'), last_used_at: eb.ref('excluded.last_used_at') }))
        .where(sql<boolean>`(key_uses.key_serial, key_uses.last_used_at) < (excluded.key_serial, excluded.last_used_at)`),
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

function repeat<T>(value: T, count: number): T[] {
  return Array<T>(count).fill(value);
}
