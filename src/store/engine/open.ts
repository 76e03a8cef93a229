import { existsSync } from 'node:fs';
import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import type { OpenedDatabase } from './opened-database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { sqliteFileIn } from './sqlite-file.ts';
import { openSqliteReadOnly } from './sqlite-read-only.ts';

export interface DatabaseSettings {
  dataDir: string;
  /** A PostgreSQL URL, or undefined for the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  /** The time for which a PostgreSQL server counts as the primary after it proved that it is. */
  primaryLeaseMs?: number;
}

export async function openDatabase({ dataDir, databaseUrl, primaryLeaseMs }: DatabaseSettings): Promise<OpenedDatabase> {
  return databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl, primaryLeaseMs);
}

/** Opens the database read-only. Returns undefined if there is no database, and `'in use'` if a running service has locked it. */
export async function openReadOnly({
  dataDir,
  databaseUrl,
}: DatabaseSettings): Promise<{ db: Kysely<Database>; close(): void | Promise<void> } | 'in use' | undefined> {
  return databaseUrl === undefined ? openSqliteReadOnly(dataDir) : openPostgres(databaseUrl);
}

export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(sqliteFileIn(dataDir));
}
