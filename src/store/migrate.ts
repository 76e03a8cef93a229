import { hostname } from 'node:os';
import type { Kysely } from 'kysely';
import { StartError } from '../errors.ts';
import { isDuplicate } from './engine/errors.ts';
import * as accounts from './migrations/0001-accounts.ts';
import * as prompts from './migrations/0002-prompts.ts';
import * as statistics from './migrations/0003-statistics.ts';
import * as twoFactor from './migrations/0004-two-factor.ts';
import type { Database } from './tables.ts';
import { runTransaction } from './transaction.ts';

export interface Migration {
  id: number;
  name: string;
  up(db: Kysely<Database>): Promise<void>;
}

/**
 * Forward only, in this order. An entry that has been released is never changed, and a new one only adds: instances of the version
 * before keep serving while the new one is rolled out (docs/decisions/0010-postgresql.md).
 */
export const migrations: Migration[] = [
  { id: 1, name: 'accounts', up: accounts.up },
  { id: 2, name: 'prompts', up: prompts.up },
  { id: 3, name: 'statistics', up: statistics.up },
  { id: 4, name: 'two-factor', up: twoFactor.up },
];

/**
 * Brings the schema up to date, each step in a transaction of its own. Safe on several instances at once: a step holds the one row of
 * `migration_lock` until its end, the others wait and then find it done. The lock of an instance that died goes with its connection.
 * Refuses a database from a newer version.
 */
export async function migrate(db: Kysely<Database>, steps = migrations): Promise<void> {
  await createLedger(db);
  const applied = await findApplied(db, steps);
  for (const step of steps) {
    if (!applied.has(step.id)) await apply(db, step, steps);
  }
}

async function apply(db: Kysely<Database>, { id, name, up }: Migration, steps: Migration[]): Promise<void> {
  await runTransaction(db, async (transaction) => {
    await transaction
      .updateTable('migration_lock')
      .set({ holder: `${hostname()} ${process.pid}` })
      .execute();
    if ((await findApplied(transaction, steps)).has(id)) return;
    await up(transaction);
    await transaction.insertInto('migrations').values({ id, name, applied_at: new Date().toISOString() }).execute();
  });
}

async function findApplied(db: Kysely<Database>, steps: Migration[]): Promise<Set<number>> {
  const applied = new Set((await db.selectFrom('migrations').select('id').execute()).map((row) => row.id));
  const known = new Set(steps.map(({ id }) => id));
  if ([...applied].some((id) => !known.has(id))) {
    throw new StartError(
      'The database was written by a newer PromptHarbor. Start that version, or restore a backup made before the upgrade.',
    );
  }
  return applied;
}

async function createLedger(db: Kysely<Database>): Promise<void> {
  try {
    await db.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('migration_lock')
      .ifNotExists()
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .execute();
    await db
      .insertInto('migration_lock')
      .values({ id: 1, holder: '' })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  } catch (err) {
    // PostgreSQL's "if not exists" looks first and creates then: of two instances doing so at once, one is told that it exists.
    if (!isDuplicate(err)) throw err;
    await createLedger(db);
  }
}
