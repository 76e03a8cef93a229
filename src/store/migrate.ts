import type { Kysely } from 'kysely';
import { StartError } from '../errors.ts';
import * as accounts from './migrations/0001-accounts.ts';
import * as prompts from './migrations/0002-prompts.ts';
import type { Database } from './tables.ts';

/** Forward only, in this order. An entry that has been released is never changed. */
const migrations = [
  { id: 1, name: 'accounts', up: accounts.up },
  { id: 2, name: 'prompts', up: prompts.up },
];

/** Brings the schema up to date, each step in a transaction of its own. Refuses a database from a newer version. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'text', (column) => column.notNull())
    .execute();

  const applied = new Set((await db.selectFrom('migrations').select('id').execute()).map((row) => row.id));
  const known = new Set(migrations.map((migration) => migration.id));
  if ([...applied].some((id) => !known.has(id))) {
    throw new StartError(
      'The database was written by a newer PromptHarbor. Start that version, or restore a backup made before the upgrade.',
    );
  }

  for (const { id, name, up } of migrations) {
    if (applied.has(id)) continue;
    await db.transaction().execute(async (transaction) => {
      await up(transaction);
      await transaction.insertInto('migrations').values({ id, name, applied_at: new Date().toISOString() }).execute();
    });
  }
}
