import type { Insertable, Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** The number of rows per statement. The number of parameters stays far below the limits of both engines. */
const batchRows = 500;

/** Inserts any number of rows, many in each statement. */
export async function insertRows<Table extends keyof Database>(
  db: Kysely<Database>,
  table: Table,
  rows: Insertable<Database[Table]>[],
): Promise<void> {
  for (const batch of batchesOf(rows)) await db.insertInto(table).values(batch).execute();
}

export function* batchesOf<T>(items: T[], size = batchRows): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
