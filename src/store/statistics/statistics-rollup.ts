import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

type StatisticsTable = 'call_statistics' | 'prompt_statistics';

const maxAccounts = 200;

/** Merges the hourly rows of old days into daily rows. */
export function createRollupStore(db: Kysely<Database>) {
  return {
    /**
     * Rolls up all days before `before`. Hourly rows are deleted in the transaction that adds them to the daily row, so it may be
     * interrupted, repeated and run by several instances at once without counting a call twice.
     */
    async rollUp(before: string): Promise<void> {
      for (const table of ['call_statistics', 'prompt_statistics'] as const) {
        for await (const day of findDaysToRollUp(db, table, before)) {
          for (const accountId of await listAccounts(db, table, day)) {
            await runTransaction(db, (transaction) => rollUpByTable[table](transaction, { accountId, day }));
          }
        }
      }
    },
  };
}

/** Jumps through the index from one time to the next, so that a day that is already rolled up costs one step, not one per row. */
async function* findDaysToRollUp(db: Kysely<Database>, table: StatisticsTable, before: string): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const next = await selectNextTime(db, table, { after, before }).executeTakeFirst();
    if (!next) return;
    const day = next.time.slice(0, dayLength);
    if (next.time === day) after = day;
    // Yielded again until it has no hours left, because a day may have more than `maxAccounts` accounts.
    else yield day;
  }
}

export function selectNextTime(db: Kysely<Database>, table: StatisticsTable, { after, before }: { after: string; before: string }) {
  return db.selectFrom(table).select('time').where('time', '>', after).where('time', '<', before).orderBy('time').limit(1);
}

async function listAccounts(db: Kysely<Database>, table: StatisticsTable, day: string): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('account_id')
    .distinct()
    .where('time', '>', day)
    .where('time', '<', endOf(day))
    .limit(maxAccounts)
    .execute();
  return rows.map((row) => row.account_id);
}

async function rollUpCalls(transaction: Transaction<Database>, { accountId, day }: { accountId: string; day: string }) {
  const hours = await transaction
    .deleteFrom('call_statistics')
    .where('account_id', '=', accountId)
    .where('time', '>', day)
    .where('time', '<', endOf(day))
    .returningAll()
    .execute();
  for (const row of mergeHours(hours, day)) {
    await transaction
      .insertInto('call_statistics')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'time', 'route', 'status', 'bucket'])
          .doUpdateSet({ calls: sql<number>`call_statistics.calls + excluded.calls` }),
      )
      .execute();
  }
}

async function rollUpPrompts(transaction: Transaction<Database>, { accountId, day }: { accountId: string; day: string }) {
  const hours = await transaction
    .deleteFrom('prompt_statistics')
    .where('account_id', '=', accountId)
    .where('time', '>', day)
    .where('time', '<', endOf(day))
    .returningAll()
    .execute();
  for (const row of mergeHours(hours, day)) {
    await transaction
      .insertInto('prompt_statistics')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'time', 'prompt_id', 'version', 'label', 'status'])
          .doUpdateSet({ calls: sql<number>`prompt_statistics.calls + excluded.calls` }),
      )
      .execute();
  }
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

const rollUpByTable = { call_statistics: rollUpCalls, prompt_statistics: rollUpPrompts };

const dayLength = '2026-03-01'.length;

/** Sorts after every hour of the day and before the next day. */
function endOf(day: string): string {
  return `${day}U`;
}
