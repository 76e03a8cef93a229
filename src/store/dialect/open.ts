import type { Kysely } from 'kysely';
import type { StoreFigure } from '../figures.ts';
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
  /** On the engine that this process alone reads and writes: a way past the queue of queries. */
  direct: DirectReads | undefined;
  /** Runs work that may take longer than a request ever may: a migration, a move of all data. */
  runLong<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** How the connections are doing. */
  figures(): StoreFigure[];
  close(): Promise<void>;
}

export interface DirectReads {
  /** Reads one row in this very step, unless a transaction is open: then after it, since its changes are not committed yet. */
  findOne<Row>(sql: string): (parameter: string) => Row | undefined | Promise<Row | undefined>;
  /** Hears of every account whose row is changed or deleted, in the same step and before it is committed. */
  onAccountChange(listener: (accountId: string) => void): void;
}

export async function openDatabase({ dataDir, databaseUrl }: DatabaseSettings): Promise<OpenedDatabase> {
  return databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl);
}
