import { type Kysely, sql, type Transaction } from 'kysely';
import type { ReleaseReason } from '../../contract/release-assignment.ts';
import { deleteBatch } from '../delete-batch.ts';
import { runTransaction } from '../transaction.ts';
import { createBatchRunner, createUpsert, type RowStatement } from './batched-statements.ts';
import { createKeyWriter, type PromptKeys } from './prompt-keys.ts';
import { type CountTable, countKeys, type ResultKind, type ScoreKind, type StatisticsDatabase, sumsOf } from './tables.ts';

/** Counts of calls that are to be added to the rows. Within a list, each count belongs to a different row. */
export interface UsageCounts {
  calls: CallCount[];
  prompts: PromptCount[];
  renderErrors: RenderErrorCount[];
  members: MemberCount[];
  runs: RunCount[];
  releases: ReleaseCount[];
  keyUses: KeyUse[];
  promptKeys: PromptKeys[];
}

type Counted<Key> = Key & { accountId: string; time: string; calls: number };
export type CallCount = Counted<{ route: string; status: number; bucket: number }>;
export type PromptCount = Counted<{ promptId: string; version: number; label: string; status: number }>;
export type RenderErrorCount = Counted<{ promptId: string; code: string; name: string }>;

export type MemberCount = Counted<{ memberId: string; route: string; status: number }>;
export type RunCount = Counted<{ memberId: string; model: string; hasFailed: number; bucket: number }> & RunSums;
type RunSums = { inputTokens: number; outputTokens: number; cost: number; unpriced: number };
export type ReleaseCount = Counted<{ releaseId: string; version: number; reason: ReleaseReason }>;

/** Counts of reported calls and scores. */
export interface ResultCounts {
  resultSums: ResultSum[];
  resultCounts: ResultCount[];
  resultScores: ScoreCount[];
}

export type ResultKey = { promptId: string; version: number; label: string; model: string };
export type ResultSum = Counted<ResultKey> & {
  errors: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  priced: number;
  unpriced: number;
};
export type ResultCount = Counted<ResultKey & { kind: ResultKind; name: string }>;
export type ScoreCount = Counted<ResultKey & { name: string; kind: ScoreKind; value: string }> & { total: number; squares: number };

/** The last use of the newest key of an account. */
export type KeyUse = { accountId: string; keySerial: number; lastUsedMs: number };

/** The calls that an instance has counted since its last write. */
export interface UsageBatch extends UsageCounts {
  /** The id of the instance. */
  writer: string;
  /** Increases with every batch of the writer, so that no batch is added twice. The next batch is written after this one is committed. */
  sequence: number;
}

export function createUsageCountStore(db: Kysely<StatisticsDatabase>) {
  const addCounts = createCountWriter(db);
  const runInBatches = createBatchRunner(db);
  const addKeys = createKeyWriter(db);
  return {
    /**
     * Adds a batch completely or not at all. If the outcome of a write is unknown, retry it: a batch that was committed is not added again.
     */
    async add(batch: UsageBatch): Promise<void> {
      await runTransaction(db, async (transaction) => {
        if (!(await claimSequence(transaction, batch))) return;
        const { keyUses, promptKeys, ...counts } = batch;
        await addCounts(transaction, counts);
        const useRows = keyUses.map((row) => [row.accountId, row.keySerial, new Date(row.lastUsedMs).toISOString()]);
        await runInBatches(transaction, updateKeyUses, useRows);
        await addKeys(transaction, promptKeys);
      });
    },

    /** Deletes a batch of rows of instances that no longer run. Returns the number of deleted rows. */
    async deleteWritersUnusedSince(time: Date): Promise<number> {
      return deleteBatch(db, 'statistics_writers', sql`updated_at < ${time.toISOString()}`);
    },
  };
}

/** The lists of counts, each with the table whose columns its counts have. Tables are written in this order. */
const listTables = {
  calls: 'call_statistics',
  prompts: 'prompt_statistics',
  renderErrors: 'render_errors',
  members: 'member_statistics',
  runs: 'run_statistics',
  releases: 'release_statistics',
  resultSums: 'result_sums',
  resultCounts: 'result_counts',
  resultScores: 'result_scores',
} as const satisfies Record<string, CountTable>;
const lists = Object.entries(listTables).map(([list, table]) => {
  const sums = sumsOf(table);
  const fields = [...countKeys[table], ...sums].map((column) => column.replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase()));
  // The keys of the table are exactly the lists.
  return { list: list as keyof typeof listTables, fields, statement: createUpsert(table, { key: countKeys[table], sums }) };
});

type Counts = Partial<Record<keyof typeof listTables, Record<string, string | number>[]>>;

/** Returns a function that adds counts to the rows. */
export function createCountWriter(db: Kysely<StatisticsDatabase>) {
  const runInBatches = createBatchRunner(db);
  return async (transaction: Transaction<StatisticsDatabase>, counts: Counts): Promise<void> => {
    for (const { list, fields, statement } of lists) {
      const rows = (counts[list] ?? []).map((row) => fields.map((field) => row[field] ?? null));
      await runInBatches(transaction, statement, rows);
    }
  };
}

/**
 * Claims the sequence of a batch. Returns false if the batch is already stored. If an earlier write of the batch is still running on
 * another connection, waits for it.
 */
async function claimSequence(transaction: Transaction<StatisticsDatabase>, { writer, sequence }: UsageBatch): Promise<boolean> {
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

/** Instances may write late, so an earlier use or a use of an earlier key does not replace a later use. */
const updateKeyUses: RowStatement = (db, rowCount) =>
  db
    .insertInto('key_uses')
    .values(Array(rowCount).fill({ account_id: '', key_serial: 0, last_used_at: '' }))
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ key_serial: eb.ref('excluded.key_serial'), last_used_at: eb.ref('excluded.last_used_at') }))
        .where(sql<boolean>`(key_uses.key_serial, key_uses.last_used_at) < (excluded.key_serial, excluded.last_used_at)`),
    );
