import type { Kysely } from 'kysely';
import type { KeyLookup } from '../accounts/keys.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';

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
