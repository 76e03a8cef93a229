import { type Compilable, CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { StatisticsDatabase } from './tables.ts';

/** The values of a row, in the order of the statement's columns. */
type RowValues = (string | number | null)[];

/** Builds a statement for a number of rows. Only its SQL is used, so it is built with placeholder values. */
export type RowStatement = (db: Kysely<StatisticsDatabase>, rowCount: number) => Compilable;

// The batches have a few fixed sizes, so that each statement is compiled and prepared only a few times, and not for every number of rows.
const batchSizes = [256, 32, 4, 1];

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
