import type { Kysely } from 'kysely';
import { createAccountStore } from './accounts/accounts.ts';
import { type DatabaseSettings, openReadOnly } from './engine/open.ts';

export { findMissingFeatures } from './engine/postgres-features.ts';

import { canaryName, createMetaStore, lastBackupName } from './meta.ts';
import { listPending } from './migrate.ts';
import type { Database } from './tables.ts';

/** The state of a database. Inspecting a database does not change it. */
export type Inspection =
  /** There is no database, or the database has no tables yet. The first start of the service creates them. */
  | { state: 'new' }
  /** A running service has locked the embedded database. */
  | { state: 'in use' }
  | { state: 'ready'; pendingMigrations: number; accounts: number; canary: string | undefined; lastBackupAt: string | undefined };

/** Inspects the database. Throws if the database cannot be read, or if a newer version of the service wrote it. */
export async function inspectDatabase(settings: DatabaseSettings): Promise<Inspection> {
  const opened = await openReadOnly(settings);
  if (opened === undefined) return { state: 'new' };
  if (opened === 'in use') return { state: 'in use' };
  try {
    return await inspect(opened.db);
  } finally {
    await opened.close();
  }
}

async function inspect(db: Kysely<Database>): Promise<Inspection> {
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name));
  if (!tables.has('migrations') || !tables.has('accounts')) return { state: 'new' };
  const pending = await listPending(db);
  return {
    state: 'ready',
    pendingMigrations: pending.length,
    accounts: await createAccountStore(db).count(),
    canary: await createMetaStore(db).find(canaryName),
    lastBackupAt: await createMetaStore(db).find(lastBackupName),
  };
}
