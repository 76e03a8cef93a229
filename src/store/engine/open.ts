import type { Kysely } from 'kysely';
import type { KeyLookup } from '../accounts/keys.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export interface DatabaseSettings {
  dataDir: string;
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
}

/** An open database. Only this folder knows which engine it is; the rest of the store is written once for both. */
export interface OpenedDatabase {
  db: Kysely<Database>;
  /** To be called once, after the migrations: the lookup is prepared on the tables. `maxKeys` bounds what the embedded engine keeps in memory. */
  createKeyLookup(maxKeys?: number): KeyLookup;
  /** Runs work that may take longer than a request: a migration, a copy of all data. */
  runLong<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  metrics(): StoreMetric[];
  close(): Promise<void>;
}

export async function openDatabase({ dataDir, databaseUrl }: DatabaseSettings): Promise<OpenedDatabase> {
  return databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl);
}
