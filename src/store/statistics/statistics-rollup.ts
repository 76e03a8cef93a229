import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

type StatisticsTable = 'call_statistics' | 'prompt_statistics';

const accountsAtATime = 200;

/** Turns the hours of old days into one row a day. */
export function createRollupStore(db: Kysely<Database>) {
  return {
    /**
     * Rolls up all days before `before`. An hour's row leaves its table in the same transaction that adds it to its day:
     * it may be stopped, repeated and run by several instances at once, and every call is still counted once.
     */
    async rollUp(before: string): Promise<void> {
      for (const table of ['call_statistics', 'prompt_statistics'] as const) {
        for await (const day of daysWithHours(db, table, before)) {
          for (const accountId of await accountsOf(db, table, day)) {
            await runTransaction(db, (transaction) => rollUpDay(transaction, table, { accountId, day }));
          }
        }
      }
    },
  };
}

/** Walks the index from one time to the next, so that days already rolled up cost a step each, not a row each. */
async function* daysWithHours(db: Kysely<Database>, table: StatisticsTable, before: string): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const next = await selectNextTime(db, table, { after, before }).executeTakeFirst();
    if (!next) return;
    const day = next.time.slice(0, dayLength);
    if (next.time === day) after = day;
    // Asked for again until no hour of it is left: a day may have more accounts than are taken at a time.
    else yield day;
  }
}

export function selectNextTime(db: Kysely<Database>, table: StatisticsTable, { after, before }: { after: string; before: string }) {
  return db.selectFrom(table).select('time').where('time', '>', after).where('time', '<', before).orderBy('time').limit(1);
}

async function accountsOf(db: Kysely<Database>, table: StatisticsTable, day: string): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('account_id')
    .distinct()
    .where('time', '>', day)
    .where('time', '<', endOf(day))
    .limit(accountsAtATime)
    .execute();
  return rows.map((row) => row.account_id);
}

async function rollUpDay(transaction: Transaction<Database>, table: StatisticsTable, of: { accountId: string; day: string }) {
  if (table === 'call_statistics') await rollUpCalls(transaction, of);
  else await rollUpPrompts(transaction, of);
}

async function rollUpCalls(transaction: Transaction<Database>, { accountId, day }: { accountId: string; day: string }) {
  const hours = await transaction
    .deleteFrom('call_statistics')
    .where('account_id', '=', accountId)
    .where('time', '>', day)
    .where('time', '<', endOf(day))
    .returningAll()
    .execute();
  for (const row of sumUp(hours, day)) {
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
  for (const row of sumUp(hours, day)) {
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

/** Rows that differ in nothing but the hour become one row of the day. */
function sumUp<Row extends { calls: number }>(hours: Row[], day: string): Row[] {
  const sums = new Map<string, Row>();
  for (const hour of hours) {
    const row = { ...hour, time: day, calls: 0 };
    const key = JSON.stringify(row);
    const sum = sums.get(key) ?? row;
    sum.calls += Number(hour.calls);
    sums.set(key, sum);
  }
  return [...sums.values()];
}

const dayLength = '2026-03-01'.length;

/** Sorts behind every hour of the day, and before the next day. */
function endOf(day: string): string {
  return `${day}U`;
}
