import { type Compilable, CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { Database } from './tables.ts';

/** The values of a row, in the order of the statement's columns. */
type RowValues = (string | number | null)[];

/** Builds a statement for a number of rows. Only its SQL is used, so it is built on placeholder values. */
export type RowStatement<DB = Database> = (db: Kysely<DB>, rowCount: number) => Compilable;

// A few fixed sizes, so that each statement is compiled and prepared a few times instead of once per number of rows.
const chunkSizes = [256, 32, 4, 1];

/**
 * Returns a function that runs a statement over any number of rows, in chunks. Compiled SQL is cached by chunk size, because building
 * a query of thousands of values takes longer than running it.
 */
export function createChunkRunner<DB = Database>(db: Kysely<DB>) {
  const compiled = new Map<RowStatement<DB>, Map<number, string>>();

  function compile(statement: RowStatement<DB>, rowCount: number): string {
    const bySize = compiled.get(statement) ?? new Map<number, string>();
    compiled.set(statement, bySize);
    const text = bySize.get(rowCount) ?? statement(db, rowCount).compile().sql;
    bySize.set(rowCount, text);
    return text;
  }

  return async function runInChunks<Found>(transaction: Transaction<DB>, statement: RowStatement<DB>, rows: RowValues[]): Promise<Found[]> {
    const found: Found[] = [];
    for (const chunk of splitIntoChunks(rows)) {
      const query = CompiledQuery.raw(compile(statement, chunk.length), chunk.flat());
      found.push(...(await transaction.executeQuery<Found>(query)).rows);
    }
    return found;
  };
}

function* splitIntoChunks<T>(rows: T[]): Generator<T[]> {
  let start = 0;
  for (const size of chunkSizes) {
    for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
  }
}
