import type { Compilable, Kysely, Transaction } from 'kysely';
import type { createChunkRunner, RowStatement } from './chunked-statements.ts';
import type { Database } from './tables.ts';

type Row = Record<string, string | number | null>;

/** A kind of write that many rows can share. */
interface RowWrite<R extends Row> {
  statement: RowStatement;
  columns: (keyof R & string)[];
}

/** `example` has all columns; `build` makes the statement for any number of rows. */
export function defineRowWrite<R extends Row>(example: R, build: (db: Kysely<Database>, rows: R[]) => Compilable): RowWrite<R> {
  return { statement: (db, rowCount) => build(db, Array<R>(rowCount).fill(example)), columns: Object.keys(example) };
}

/**
 * What a transaction writes at its end, many rows in one statement: a statement for each takes several times as long, and on the embedded
 * engine everybody waits. It cannot be read before.
 */
export interface CollectedRows {
  add<R extends Row>(write: RowWrite<R>, row: R): void;
  write(transaction: Transaction<Database>): Promise<void>;
}

/** Kinds are written in the order in which they were first added, those of `first` before them: other rows refer to theirs. */
export function createCollectedRows(
  runInChunks: ReturnType<typeof createChunkRunner<Database>>,
  first: { statement: RowStatement }[] = [],
): CollectedRows {
  const collected = new Map<RowStatement, Row[string][][]>(first.map(({ statement }) => [statement, []]));
  return {
    add({ statement, columns }, row) {
      const rows = collected.get(statement) ?? [];
      collected.set(statement, rows);
      rows.push(columns.map((column) => row[column] ?? null));
    },
    async write(transaction) {
      for (const [statement, rows] of collected) await runInChunks(transaction, statement, rows);
      collected.clear();
    },
  };
}
