import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import { runTransaction } from '../transaction.ts';
import { addSums } from './batched-statements.ts';
import { type CountTable, countKeys, countTables, releaseTables, resultTables, type StatisticsDatabase, sumsOf } from './tables.ts';

/** Aggregates and deletes statistics that are old, or whose account is deleted. */
export function createRetentionStore(db: Kysely<StatisticsDatabase>) {
  return {
    /**
     * Aggregates the hours of one account on one day before `before` into that day. Returns false if there are no such hours left. The work
     * may be interrupted, repeated and done by several instances at once. No call is counted twice.
     */
    async rollUp(before: string): Promise<boolean> {
      for (const table of countTables) {
        const [first] = (await selectFirstHour(table, before).execute(db)).rows;
        if (!first) continue;
        await mergeHours(db, table, { accountId: first.accountId, day: first.time.slice(0, dayLength) });
        return true;
      }
      return false;
    },

    /** Deletes a batch of old statistics. Returns the number of deleted rows. */
    deleteBefore: (day: string): Promise<number> => deleteCounts(db, sql`time < ${day}`),

    /** Deletes a batch of old sketches of keys. Returns the number of deleted rows. */
    deleteKeysBefore: (day: string): Promise<number> => deleteBatch(db, 'prompt_keys', sql`day < ${day}`),

    /** Deletes a batch of an account's statistics. Returns the number of deleted rows. */
    async deleteAccount(accountId: string): Promise<number> {
      const deleted = await deleteCounts(db, sql`account_id = ${accountId}`);
      if (deleted > 0) return deleted;
      for (const table of [...resultTables, ...releaseTables]) {
        const rows = await deleteBatch(db, table, sql`account_id = ${accountId}`);
        if (rows > 0) return rows;
      }
      const sketches = await deleteBatch(db, 'prompt_keys', sql`account_id = ${accountId}`);
      if (sketches > 0) return sketches;
      const { numDeletedRows } = await db.deleteFrom('key_uses').where('account_id', '=', accountId).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

async function deleteCounts(db: Kysely<StatisticsDatabase>, where: RawBuilder<unknown>): Promise<number> {
  for (const table of countTables) {
    const deleted = await deleteBatch(db, table, where);
    if (deleted > 0) return deleted;
  }
  return 0;
}

const dayLength = '2026-03-01'.length;

/**
 * Selects the first time that is an hour and not a day, and an account that has counts at this time. The query looks up one time after the
 * other, so that it does not scan all rows of the days before.
 */
export function selectFirstHour(table: CountTable, before: string) {
  const from = sql.table(table);
  return sql<{ time: string; accountId: string }>`with recursive times(time) as (
      select min(time) from ${from} where time < ${before}
      union all
      select (select min(time) from ${from} where time > times.time and time < ${before}) from times where length(times.time) = ${dayLength}
    ) select time, (select min(account_id) from ${from} where ${from}.time = times.time) as "accountId"
    from times where length(time) > ${dayLength} limit 1`;
}

async function mergeHours(db: Kysely<StatisticsDatabase>, table: CountTable, { accountId, day }: { accountId: string; day: string }) {
  const key = countKeys[table];
  const refs = sql.join(key.map((column) => sql.ref(column)));
  const values = sql.join(key.map((column) => (column === 'time' ? sql`cast(${day} as text)` : sql.ref(column))));
  const others = sql.join(key.filter((column) => column !== 'time').map((column) => sql.ref(column)));
  const columns = sql.join(sumsOf(table).map((column) => sql.ref(column)));
  const sums = sql.join(sumsOf(table).map((column) => sql`sum(${sql.ref(column)})`));
  const from = sql.table(table);
  // `U` sorts after the `T` in every hour of the day. The day itself sorts before its hours.
  const hours = sql`account_id = ${accountId} and time > ${day} and time < ${`${day}U`}`;
  await runTransaction(db, async (transaction) => {
    // The lock on this row makes other instances wait. Afterwards, these instances find no hours to aggregate.
    await sql`insert into statistics_writers (id, sequence, updated_at) values ('rollup', 0, ${new Date().toISOString()})
      on conflict (id) do update set updated_at = excluded.updated_at`.execute(transaction);
    await sql`insert into ${from} (${refs}, ${columns}) select ${values}, ${sums} from ${from} where ${hours} group by ${others}
      on conflict (${refs}) do update set ${addSums(table, sumsOf(table))}`.execute(transaction);
    await sql`delete from ${from} where ${hours}`.execute(transaction);
  });
}
