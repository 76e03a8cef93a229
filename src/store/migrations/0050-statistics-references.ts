import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * On PostgreSQL, drops the references of counts to accounts, because counts are written later than the calls, and the account may already
 * be deleted by then. Housekeeping deletes such rows. The embedded engine moves these tables into a file of their own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  const { rows } = await sql<{ table: string; name: string }>`select table_name as "table", constraint_name as name
    from information_schema.table_constraints where constraint_type = 'FOREIGN KEY' and table_schema = current_schema()
    and table_name in ('call_statistics', 'prompt_statistics', 'render_errors', 'key_uses')`.execute(db);
  for (const { table, name } of rows) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
}
