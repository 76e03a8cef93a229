import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export interface DatabaseSettings {
  dataDir: string;
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
}

/** An open database. Only this folder knows which engine it is; everything else in the store is written once for all. */
export interface OpenedDatabase {
  db: Kysely<Database>;
  /** Connections of their own for key lookups, on an engine where a lookup is a journey worth sharing. */
  lookups: Kysely<Database> | undefined;
  /** Runs work that may take longer than a request ever may: a migration, a move of all data. */
  runLong<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openDatabase({ dataDir, databaseUrl }: DatabaseSettings): Promise<OpenedDatabase> {
  return databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl);
}
