import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Rows in one batch of housekeeping: few enough that a batch takes milliseconds, and no statement comes near its timeout. */
export const batchRows = 500;

interface Batch<DB, Table extends keyof DB & string> {
  table: Table;
  /** The columns of the primary key. */
  key: (keyof DB[Table] & string)[];
  /** Must be found by an index. */
  where: RawBuilder<unknown>;
  /** Fewer for tables with large rows. */
  limit?: number;
}

/** Deletes a batch of rows and returns how many it deleted. Neither engine supports a limit on `delete` itself. */
export async function deleteBatch<DB, Table extends keyof DB & string>(
  db: Kysely<DB>,
  { table, key, where, limit = batchRows }: Batch<DB, Table>,
): Promise<number> {
  const from = sql.table(table);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const result =
    await sql`delete from ${from} where (${columns}) in (select ${columns} from ${from} where ${where} limit ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}
