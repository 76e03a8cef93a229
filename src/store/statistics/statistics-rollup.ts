import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { createChunkRunner } from '../chunked-statements.ts';
import { batchRows } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { addCalls, addPrompts, addRenderErrors } from './row-statements.ts';
import { callKey, promptKey, renderErrorKey } from './statistics-keys.ts';

const statisticsTables = ['call_statistics', 'prompt_statistics', 'render_errors'] as const;
type StatisticsTable = (typeof statisticsTables)[number];

/** How far the roll-up of a table has come: all times up to this one are days. */
export type RollupPosition = Record<StatisticsTable, string>;

export const rollupStart: RollupPosition = { call_statistics: '', prompt_statistics: '', render_errors: '' };

/** The hours of one account and day. */
interface AccountDay {
  accountId: string;
  day: string;
}

/** Merges the hourly rows of old days into daily rows. */
export function createRollupStore(db: Kysely<Database>) {
  const runInChunks = createChunkRunner(db);

  const rollUpByTable = {
    async call_statistics(transaction: Transaction<Database>, hours: AccountDay) {
      const rows = mergeHours(await takeHours(transaction, 'call_statistics', callKey, hours), hours.day);
      const values = rows.map((row) => [row.account_id, row.time, row.route, row.status, row.bucket, row.calls]);
      await runInChunks(transaction, addCalls, values);
    },

    async prompt_statistics(transaction: Transaction<Database>, hours: AccountDay) {
      const rows = mergeHours(await takeHours(transaction, 'prompt_statistics', promptKey, hours), hours.day);
      const values = rows.map((row) => [row.account_id, row.time, row.prompt_id, row.version, row.label, row.status, row.calls]);
      await runInChunks(transaction, addPrompts, values);
    },

    async render_errors(transaction: Transaction<Database>, hours: AccountDay) {
      const rows = mergeHours(await takeHours(transaction, 'render_errors', renderErrorKey, hours), hours.day);
      const values = rows.map((row) => [row.account_id, row.time, row.prompt_id, row.code, row.name, row.calls]);
      await runInChunks(transaction, addRenderErrors, values);
    },
  };

  return {
    /**
     * Rolls up a batch of hours of days before `before`. Returns the new position, or undefined if there are no hours left. Hourly rows
     * are deleted in the transaction that adds them to the daily row, so it may be interrupted, repeated and run by several instances
     * at once without counting a call twice.
     */
    async rollUp(before: string, position: RollupPosition): Promise<RollupPosition | undefined> {
      for (const table of statisticsTables) {
        const next = await selectNextTime(db, table, { after: position[table], before }).executeTakeFirst();
        if (!next) continue;
        const day = next.time.slice(0, dayLength);
        // A day that is already rolled up costs one step through the index, not one per row.
        if (next.time === day) return { ...position, [table]: day };
        await runTransaction(db, (transaction) => rollUpByTable[table](transaction, { accountId: next.accountId, day }));
        return position;
      }
      return undefined;
    },
  };
}

export function selectNextTime(db: Kysely<Database>, table: StatisticsTable, { after, before }: { after: string; before: string }) {
  return db
    .selectFrom(table)
    .select(['time', 'account_id as accountId'])
    .where('time', '>', after)
    .where('time', '<', before)
    .orderBy('time')
    .limit(1);
}

/** Deletes up to `batchRows` hourly rows and returns them. */
async function takeHours<Table extends StatisticsTable>(
  transaction: Transaction<Database>,
  table: Table,
  key: (keyof Database[Table] & string)[],
  { accountId, day }: AccountDay,
) {
  const from = sql.table(table);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const hours = sql`account_id = ${accountId} and time > ${day} and time < ${endOf(day)}`;
  const taken = sql<Selectable<Database[Table]>>`delete from ${from} where (${columns}) in
    (select ${columns} from ${from} where ${hours} limit ${batchRows}) returning *`;
  return (await taken.execute(transaction)).rows;
}

/** Adds up the rows that differ only in their hour. */
function mergeHours<Row extends { calls: number }>(hours: Row[], day: string): Row[] {
  const sums = new Map<string, Row>();
  for (const hour of hours) {
    const row = { ...hour, time: day, calls: 0 };
    const key = JSON.stringify(row);
    const sum = sums.get(key) ?? row;
    sum.calls += hour.calls;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

const dayLength = '2026-03-01'.length;

/** Sorts after every hour of the day and before the next day. */
function endOf(day: string): string {
  return `${day}U`;
}
