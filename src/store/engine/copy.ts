import { type Kysely, sql, type Transaction } from 'kysely';
import { StartError } from '../../errors.ts';
import type { Database } from '../tables.ts';

export interface CopyProgress {
  table: string;
  doneRows: number;
  totalRows: number;
}

/** Rows copied, by table. */
export type CopyCounts = Record<string, number>;

// Tables are found at run time, so that one added later is copied without a word here: queries are built without the table types.
type AnyDatabase = Record<string, Record<string, unknown>>;
type Row = Record<string, unknown>;

// Of PostgreSQL's 65,535 parameters a statement and of memory, whichever is used up first.
const maxParameters = 30_000;
const maxRows = 1000;
const maxBatchBytes = 4 * 1024 * 1024;

/** Each engine keeps its own account of its schema. */
const ownTables = new Set(['migrations', 'migration_lock']);

/**
 * Copies every row of the embedded database into an empty one of the same schema, in one transaction: either all of it arrives, counted
 * on both sides, or nothing does.
 */
export async function copyDatabase(
  source: Kysely<Database>,
  target: Kysely<Database>,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyCounts> {
  const from = source as unknown as Kysely<AnyDatabase>;
  const tables = sortByReference(await findReferences(from));
  const counts: CopyCounts = {};
  for (const table of tables) counts[table] = await countRows(from, table);
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
      const arrived = await countRows(to, table);
      if (arrived !== counts[table]) {
        throw new StartError(`${table}: ${counts[table]} rows were sent and ${arrived} arrived. Nothing was changed; try again.`);
      }
    }
    return counts;
  });
}

/** Which tables each table of the embedded database refers to. */
async function findReferences(from: Kysely<AnyDatabase>): Promise<Map<string, string[]>> {
  const names = (await from.introspection.getTables()).map(({ name }) => name).filter((name) => !ownTables.has(name));
  const references = new Map<string, string[]>();
  for (const name of names) {
    const { rows } = await sql<{ parent: string }>`select distinct "table" as parent from pragma_foreign_key_list(${name})`.execute(from);
    references.set(
      name,
      rows.map(({ parent }) => parent).filter((parent) => parent !== name),
    );
  }
  return references;
}

/** What is referred to comes before what refers to it. */
function sortByReference(references: Map<string, string[]>): string[] {
  const sorted = new Set<string>();
  const visit = (table: string, path: string[]): void => {
    if (path.includes(table)) throw new Error(`The tables ${path.join(', ')} refer to each other in a circle`);
    for (const parent of references.get(table) ?? []) visit(parent, [...path, table]);
    sorted.add(table);
  };
  for (const table of references.keys()) visit(table, []);
  return [...sorted];
}

async function assertEmpty(to: Kysely<AnyDatabase>, tables: string[]): Promise<void> {
  for (const table of tables) {
    if ((await countRows(to, table)) > 0) {
      throw new StartError(`The PostgreSQL database is not empty: it has rows in ${table}. Give the address of an empty one.`);
    }
  }
}

async function countRows(db: Kysely<AnyDatabase>, table: string): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
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
