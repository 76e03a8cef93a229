import { type CreateTableBuilder, type Kysely, PostgresAdapter, SqliteAdapter, sql } from 'kysely';

type Table = CreateTableBuilder<string, string>;
/** A function that adds columns of one kind, or a key. */
type Part = (table: Table) => Table;

/** Creates a table whose columns are stored in the order of the parts. */
export async function createTable(db: Kysely<unknown>, name: string, parts: Part[]): Promise<void> {
  await parts.reduce((table, part) => part(table), db.schema.createTable(name) as Table).execute();
}

/** Adds columns of text that may be null. */
export async function addOptional(db: Kysely<unknown>, table: string, names: string[]): Promise<void> {
  for (const name of names) await db.schema.alterTable(table).addColumn(name, 'text').execute();
}

export async function addWithDefault(
  db: Kysely<unknown>,
  table: string,
  { name, type, value }: { name: string; type: 'text' | 'integer' | 'bigint'; value: string | number },
): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(name, type, (column) => column.notNull().defaultTo(value))
    .execute();
}

/** Adds columns of text that are never null. */
export const text = (...names: string[]): Part => required('text', names);
export const integer = (...names: string[]): Part => required('integer', names);
export const bigint = (...names: string[]): Part => required('bigint', names);

function required(type: 'text' | 'integer' | 'bigint', names: string[]): Part {
  return (table) => names.reduce((all, name) => all.addColumn(name, type, (column) => column.notNull()), table);
}

/** Adds columns of text that may be null. */
export function optional(...names: string[]): Part {
  return (table) => names.reduce((all, name) => all.addColumn(name, 'text'), table);
}

export function unique(name: string): Part {
  return (table) => table.addColumn(name, 'text', (column) => column.notNull().unique());
}

/** Adds a primary key of one column. */
export function id(name = 'id'): Part {
  return (table) => table.addColumn(name, 'text', (column) => column.primaryKey());
}

/** Adds a column for the account. The rows are deleted together with the account. */
export function account(name = 'account_id'): Part {
  return (table) => table.addColumn(name, 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'));
}

/** Adds the account as the primary key, for tables in which an account has at most one row. */
export const accountAsId: Part = (table) =>
  table.addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id').onDelete('cascade'));

export function primaryKey(name: string, ...columns: string[]): Part {
  return (table) => table.addPrimaryKeyConstraint(name, columns);
}

/** On SQLite, stores the rows in the order of the primary key, so that a scan of an account reads adjacent rows. */
export function sortedByKey(db: Kysely<unknown>): Part {
  return (table) => (db.getExecutor().adapter instanceof SqliteAdapter ? table.modifyEnd(sql`without rowid`) : table);
}

/**
 * On PostgreSQL, stores the values of a column without compression and, if possible, within their rows. Otherwise, scans would have to
 * decompress them.
 */
export async function storePlain(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`savepoint storage`.execute(db);
  try {
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage external`.execute(db);
    await sql`alter table ${sql.table(table)} set (toast_tuple_target = 8160)`.execute(db);
  } catch {
    // The setting is skipped, because some servers that are compatible with PostgreSQL do not support it.
    await sql`rollback to savepoint storage`.execute(db);
  }
  await sql`release savepoint storage`.execute(db);
}

/** Adds a reference to the prompt. The rows are deleted together with the prompt. */
export function ofPrompt(name: string): Part {
  return (table) =>
    table.addForeignKeyConstraint(name, ['account_id', 'prompt_id'], 'prompts', ['account_id', 'id'], (key) => key.onDelete('cascade'));
}

/** Adds a reference to the version. The rows are deleted together with the version. */
export function ofVersion(name: string): Part {
  const columns = ['account_id', 'prompt_id', 'version'];
  return (table) => table.addForeignKeyConstraint(name, columns, 'prompt_versions', columns, (key) => key.onDelete('cascade'));
}
