import type { Kysely } from 'kysely';
import type { KeyLookup } from '../accounts/keys.ts';
import type { StoreMetric } from '../metrics.ts';
import type { StatisticsDatabase } from '../statistics/tables.ts';
import type { Database } from '../tables.ts';
import type { BackupDraft } from './sqlite-backup.ts';
import type { BackupContent } from './sqlite-verify.ts';

export const maxPauseMs = 2 * 60 * 1000;

/** An open database. Only this folder knows which engine is used. The rest of the store is the same for both engines. */
export interface OpenedDatabase {
  db: Kysely<Database>;
  /**
   * Returns a connection for reads of one workspace that visit more than a few rows. Such reads do not delay other requests, and workspaces
   * take turns.
   */
  reader(workspaceId: string): Kysely<Database>;
  /**
   * Returns a connection for a snapshot that is read for minutes, with pauses of up to `maxPauseMs`. There are never more open snapshots
   * than allowed exports.
   */
  streamReader(workspaceId: string): Kysely<Database>;
  /** The connection for the tables of the statistics. Its queries do not delay other requests. */
  statistics: Kysely<StatisticsDatabase>;
  /** With the embedded engine, moves statistics from the main file to their own file. Call it after the migrations. */
  prepareStatistics(): void;
  /** Creates the key lookup. Call it once, after the migrations, because the lookup prepares statements on the tables. */
  createKeyLookup(): KeyLookup;
  /** Runs work that exceeds the timeouts of a request, such as a migration. */
  runLong<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** Makes, verifies and publishes a copy. A failed attempt leaves no files behind. Only the embedded database supports this. */
  backUp?(options: BackupDraft): Promise<BackupContent>;
  metrics(): StoreMetric[];
  close(): Promise<void>;
}
