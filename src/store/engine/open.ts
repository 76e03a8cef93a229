import { existsSync } from 'node:fs';
import type { Kysely } from 'kysely';
import type { KeyLookup } from '../accounts/keys.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite, sqliteFileIn } from './sqlite.ts';

export interface DatabaseSettings {
  dataDir: string;
  /** A PostgreSQL URL, or undefined for the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
}

/** An open database. Only this directory knows the engine; the rest of the store is written once for both. */
export interface OpenedDatabase {
  db: Kysely<Database>;
  /**
   * Call this once and after the migrations, because the lookup prepares statements on the tables. `maxKeys` bounds the index of the
   * embedded engine.
   */
  createKeyLookup(maxKeys?: number): KeyLookup;
  /** Runs work that exceeds the timeouts of a request, such as a migration. */
  runLong<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  metrics(): StoreMetric[];
  close(): Promise<void>;
}

export async function openDatabase({ dataDir, databaseUrl }: DatabaseSettings): Promise<OpenedDatabase> {
  return databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl);
}

export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(sqliteFileIn(dataDir));
}
