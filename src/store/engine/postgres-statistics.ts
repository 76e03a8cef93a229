import { type Kysely, sql, type Transaction } from 'kysely';
import { type BlockTables, deleteBlocks, readBlocks } from '../migrations/usage-blocks.ts';
import type { StatisticsDatabase } from '../statistics/tables.ts';
import { createCountWriter } from '../statistics/usage-counts.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/**
 * Converts statistics of earlier versions to the current form. Instances of the previous version may still run and write blocks, so this is
 * repeated regularly.
 */
export async function prepareStatistics(
  requests: Kysely<Database>,
  runLong: <T>(work: (db: Kysely<Database>) => Promise<T>) => Promise<T>,
) {
  const hasKeys = (await selectForeignKeys(requests)).length > 0;
  const hasBlocks = (await sql`select 1 from usage_blocks limit 1`.execute(requests)).rows.length > 0;
  if (!hasKeys && !hasBlocks) return;
  await runLong(async (db) => {
    await dropForeignKeys(db);
    if (hasBlocks) await addBlocks(db);
  });
}

/**
 * Drops foreign keys, because counts are written later than the calls, and the account may already be deleted by then. Housekeeping deletes
 * the rows of such a write.
 */
async function dropForeignKeys(db: Kysely<Database>): Promise<void> {
  for (const { table, name } of await selectForeignKeys(db)) {
    await sql`alter table ${sql.table(table)} drop constraint if exists ${sql.ref(name)}`.execute(db);
  }
}

async function selectForeignKeys(db: Kysely<Database>): Promise<{ table: string; name: string }[]> {
  const keys = sql<{ table: string; name: string }>`select table_name as "table", constraint_name as name
    from information_schema.table_constraints where constraint_type = 'FOREIGN KEY' and table_schema = current_schema()
    and table_name in ('call_statistics', 'prompt_statistics', 'render_errors', 'key_uses')`;
  return (await keys.execute(db)).rows;
}

async function addBlocks(db: Kysely<Database>): Promise<void> {
  // Kysely does not convert between table types.
  const addCounts = createCountWriter(db as unknown as Kysely<StatisticsDatabase>);
  await runTransaction(db, async (transaction) => {
    const blocks = transaction as unknown as Kysely<BlockTables>;
    const counts = await readBlocks(blocks);
    await addCounts(transaction as unknown as Transaction<StatisticsDatabase>, counts);
    await deleteBlocks(blocks, counts.sequences);
  });
}
