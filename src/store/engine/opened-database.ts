import type { Kysely } from 'kysely';
import type { KeyLookup } from '../accounts/keys.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';
import type { BackupDraft } from './sqlite-backup.ts';
import type { KeyIndexLimits } from './sqlite-key-index.ts';
import type { BackupContent } from './sqlite-verify.ts';

/** An open database. Only this directory knows the engine; the rest of the store is written once for both. */
export interface OpenedDatabase {
  db: Kysely<Database>;
  /**
   * Call this once and after the migrations, because the lookup prepares statements on the tables. `limits` bound the index of the
   * embedded engine.
   */
  createKeyLookup(limits?: KeyIndexLimits): KeyLookup;
  /** Loads the index of the embedded engine in the background, so that the first call of each key needs no read of the file. */
  preloadKeys(): Promise<void>;
  /** Runs work that exceeds the timeouts of a request, such as a migration. */
  runLong<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** Makes and publishes a verified copy, or leaves nothing. Only the embedded engine can. */
  backUp?(options: BackupDraft): Promise<BackupContent>;
  metrics(): StoreMetric[];
  close(): Promise<void>;
}
