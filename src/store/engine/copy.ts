import { type Kysely, sql, type Transaction } from 'kysely';
import { StartError } from '../../errors.ts';
import { countRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';
import { statisticsTables } from './sqlite-statistics-file.ts';

export interface CopyProgress {
  table: string;
  doneRows: number;
  totalRows: number;
}

/** The number of copied rows by table. */
export type CopyCounts = Record<string, number>;

// The names of the tables are read from the schema, so that new tables are copied without a change to this file. Therefore, the queries
// cannot use the table types.
type AnyDatabase = Record<string, Record<string, unknown>>;
type Row = Record<string, unknown>;

// The maximum number of parameters per statement. PostgreSQL allows 65,535.
const maxParameters = 30_000;
const maxRows = 1000;
// The maximum size of a batch, which limits its memory.
const maxBatchBytes = 4 * 1024 * 1024;

/** These tables are skipped, because the target has its own rows in them. */
const skippedTables = new Set(['migrations', 'migration_lock']);

/**
 * Copies every row of the embedded database to an empty PostgreSQL database with the same schema. The copy is one transaction, which is
 * committed only if the row counts match.
 */
export async function copyDatabase(
  { source, statisticsFile }: { source: Kysely<Database>; statisticsFile: string },
  target: Kysely<Database>,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyCounts> {
  const from = source as unknown as Kysely<AnyDatabase>;
  await sql`attach ${statisticsFile} as statistics`.execute(from);
  const tables = [...sortByReference(await findReferences(from)), ...statisticsTables];
  const counts: CopyCounts = {};
  for (const table of tables) counts[table] = await countRows(from.selectFrom(table));
  const totalRows = Object.values(counts).reduce((sum, count) => sum + count, 0);

  return target.transaction().execute(async (transaction) => {
    const to = transaction as unknown as Transaction<AnyDatabase>;
    await assertEmpty(to, tables);
    let doneRows = 0;
    for (const table of tables) {
      onProgress({ table, doneRows, totalRows });
      for await (const rows of readBatches(from, table)) {
        await to.insertInto(table).values(rows).execute();
        doneRows += rows.length;
        onProgress({ table, doneRows, totalRows });
      }
      const copied = await countRows(to.selectFrom(table));
      if (copied !== counts[table]) {
        throw new StartError(`${table}: copied ${copied} of ${counts[table]} rows. Nothing was changed; try again.`);
      }
    }
    return counts;
  });
}

/** Finds the tables that each table of the embedded database references. */
async function findReferences(from: Kysely<AnyDatabase>): Promise<Map<string, string[]>> {
  const names = (await from.introspection.getTables()).map(({ name }) => name).filter((name) => !skippedTables.has(name));
  const references = new Map<string, string[]>();
  for (const name of names) {
    const { rows } = await sql<{ parent: string }>`select distinct "table" as parent from pragma_foreign_key_list(${name})`.execute(from);
    const parents = rows.map(({ parent }) => parent).filter((parent) => parent !== name);
    references.set(name, parents);
  }
  return references;
}

/** Sorts tables so that each table comes after the tables that it references. */
function sortByReference(references: Map<string, string[]>): string[] {
  const sorted = new Set<string>();
  const visit = (table: string, path: string[]): void => {
    if (path.includes(table)) throw new Error(`Circular references between the tables ${path.join(', ')}`);
    for (const parent of references.get(table) ?? []) visit(parent, [...path, table]);
    sorted.add(table);
  };
  for (const table of references.keys()) visit(table, []);
  return [...sorted];
}

async function assertEmpty(to: Kysely<AnyDatabase>, tables: string[]): Promise<void> {
  for (const table of tables) {
    if ((await countRows(to.selectFrom(table))) > 0) {
      throw new StartError(`The PostgreSQL database is not empty: the table ${table} has rows. Use an empty database.`);
    }
  }
}

async function* readBatches(from: Kysely<AnyDatabase>, table: string): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const row of from.selectFrom(table).selectAll().stream()) {
    batch.push(row);
    const values = Object.values(row);
    bytes += values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
    if (batch.length >= maxRows || (batch.length + 1) * values.length > maxParameters || bytes > maxBatchBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
