import { type Compilable, CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import type { StatisticsDatabase } from './tables.ts';

/** The values of a row, in the order of the statement's columns. */
export type RowValues = (string | number | null)[];

/** Builds a statement for a number of rows. Only its SQL is used, so it is built with placeholder values. */
export type RowStatement = (db: Kysely<StatisticsDatabase>, rowCount: number) => Compilable;

/** Runs a statement over rows in a transaction. Returns the rows that the statement returns. */
export type RunStatement = (statement: RowStatement, rows: RowValues[]) => Promise<unknown[]>;

/** Returns a list of values, whose columns are named `column1` and so on. */
export function listRows(types: ('text' | 'integer')[], rowCount: number) {
  const row = sql`(${sql.join(types.map((type) => sql`cast(${''} as ${sql.raw(type)})`))})`;
  return sql`(values ${sql.join(Array(rowCount).fill(row))})`;
}

/** Returns a statement that inserts rows, or adds the sums of a new row to those of an existing row. */
export function createUpsert(table: string, { key, sums }: { key: string[]; sums: string[] }): RowStatement {
  const columns = [...key, ...sums];
  const row = sql`(${sql.join(columns)})`;
  return (db, rowCount) => {
    const rows = sql.join(Array(rowCount).fill(row));
    const upsert = sql`insert into ${sql.table(table)} (${listRefs(columns)}) values ${rows}
      on conflict (${listRefs(key)}) do update set ${addSums(table, sums)}`;
    return { compile: () => upsert.compile(db) };
  };
}

/** Returns the assignments that add the sums of a new row to those of an existing row. */
export function addSums(table: string, sums: string[]) {
  return sql.join(sums.map((column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`));
}

const listRefs = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)));

// The batches have a few fixed sizes, so that each statement is compiled and prepared only a few times, and not for every number of rows. Most
// reports are recorded in parts of 500 items.
const batchSizes = [500, 256, 128, 64, 32, 16, 8, 4, 2, 1];

/**
 * Returns a function that runs a statement over any number of rows, in batches. The function returns the rows that the statement returns.
 * Compiled SQL is cached by the size of the batch, because building a query of thousands of values takes longer than running it.
 */
export function createBatchRunner(db: Kysely<StatisticsDatabase>) {
  const compiled = new Map<RowStatement, Map<number, string>>();

  function compile(statement: RowStatement, rowCount: number): string {
    const bySize = compiled.get(statement) ?? new Map<number, string>();
    compiled.set(statement, bySize);
    const text = bySize.get(rowCount) ?? statement(db, rowCount).compile().sql;
    bySize.set(rowCount, text);
    return text;
  }

  return async (transaction: Transaction<StatisticsDatabase>, statement: RowStatement, rows: RowValues[]): Promise<unknown[]> => {
    const returned: unknown[] = [];
    let start = 0;
    for (const size of batchSizes) {
      for (; start + size <= rows.length; start += size) {
        const values = rows.slice(start, start + size).flat();
        const result = await transaction.executeQuery(CompiledQuery.raw(compile(statement, size), values));
        for (const row of result.rows) returned.push(row);
      }
    }
    return returned;
  };
}
