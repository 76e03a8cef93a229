import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deleteBatch } from './delete-batch.ts';
import type { Database } from './tables.ts';

/** Tables of which an account keeps the newest rows, with the column that sorts them by time. Each has an index by account and that column. */
const sortColumns = { events: 'revision', prompt_events: 'id', account_events: 'id' } as const;

export type KeptTable = keyof typeof sortColumns;
export const keptTables = Object.keys(sortColumns) as KeptTable[];

/** Of the oldest row that was seen. */
export type RowKey = string | number;

/** Finds and deletes what an account has beyond the rows that it keeps. */
export function createSurplusStore(db: Kysely<Database>) {
  return {
    /** A page of accounts, with the tables in which each has at least so many rows. */
    async listAccounts(afterId: string, { limit, rows }: { limit: number; rows: number }): Promise<{ id: string; tables: KeptTable[] }[]> {
      const marks = keptTables.map((table) => sql`(${selectRow(table, sql`accounts.id`, { rows })}) as ${sql.ref(table)}`);
      const page = sql<{ id: string } & Record<KeptTable, RowKey | null>>`select id, ${sql.join(marks)}
        from accounts where id > ${afterId} order by id limit ${limit}`;
      const { rows: found } = await page.execute(db);
      return found.map((account) => ({ id: account.id, tables: keptTables.filter((table) => account[table] !== null) }));
    },

    /** Goes on from the newest row, or from the one `before`, by so many rows. Returns undefined if there are fewer. */
    async walk(table: KeptTable, accountId: string, { before, rows }: { before: RowKey | undefined; rows: number }) {
      const { rows: found } = await sql<{ key: RowKey }>`${selectRow(table, sql`${accountId}`, { before, rows })}`.execute(db);
      return found[0]?.key;
    },

    /** Deletes a batch of rows, up to and with the one that is `last`. Returns its size. */
    async delete(table: KeptTable, accountId: string, last: RowKey): Promise<number> {
      const column = sortColumns[table];
      const where = sql`account_id = ${accountId} and ${sql.ref(column)} <= ${last}`;
      // Every table has its column, which the types do not know of a table that is one of several.
      return deleteBatch(db, { table, key: ['account_id', column as 'account_id'], where });
    },

    /** Deletes a batch of deliveries of events, up to and with the one that is `last`. Returns its size. */
    async deleteDeliveries(accountId: string, last: RowKey): Promise<number> {
      for (let webhookId = ''; ; ) {
        // Also of webhooks that are no more.
        const next = await db
          .selectFrom('webhook_deliveries')
          .select('webhook_id')
          .where('account_id', '=', accountId)
          .where('webhook_id', '>', webhookId)
          .orderBy('webhook_id')
          .limit(1)
          .executeTakeFirst();
        if (!next) return 0;
        webhookId = next.webhook_id;
        const where = sql`account_id = ${accountId} and webhook_id = ${webhookId} and revision <= ${last}`;
        const deleted = await deleteBatch(db, { table: 'webhook_deliveries', key: ['account_id', 'webhook_id', 'revision'], where });
        if (deleted > 0) return deleted;
      }
    },
  };
}

function selectRow(table: KeptTable, accountId: RawBuilder<unknown>, { before, rows }: { before?: RowKey | undefined; rows: number }) {
  const column = sql.ref(`${table}.${sortColumns[table]}`);
  const from = sql`from ${sql.table(table)} where ${sql.ref(`${table}.account_id`)} = ${accountId}`;
  const older = before === undefined ? sql`` : sql`and ${column} < ${before}`;
  return sql`select ${column} as key ${from} ${older} order by ${column} desc limit 1 offset ${rows - 1}`;
}
