import type { Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** Writes rows of one kind with few statements. */
export type RowWrite<Row> = (db: Kysely<Database>, rows: Row[]) => Promise<unknown>;

/** Writes rows immediately, or together with other rows at the end of the transaction. */
export type WriteRows = <Row>(write: RowWrite<Row>, rows: Row[]) => Promise<unknown>;

export function writeAtOnce(db: Kysely<Database>): WriteRows {
  return (write, rows) => write(db, rows);
}

/**
 * Collects rows. At its end, the transaction writes them, with many rows in each statement. One statement per row would take several times
 * as long, and with the embedded database all other requests wait for the transaction. The rows cannot be read before they are written. The
 * kinds in `first` are written first, because other rows refer to them.
 */
export function collectRows(first: RowWrite<never>[]): { collect: WriteRows; write(db: Kysely<Database>): Promise<void> } {
  const collected = new Map<RowWrite<never>, unknown[]>(first.map((write) => [write, []]));
  return {
    async collect(write, rows) {
      const others = collected.get(write as RowWrite<never>) ?? [];
      others.push(...rows);
      collected.set(write as RowWrite<never>, others);
    },
    async write(db) {
      // Each list contains only rows of its kind.
      for (const [write, rows] of collected) if (rows.length > 0) await write(db, rows as never[]);
    },
  };
}
