import type { Kysely } from 'kysely';
import type { KeyLookup } from '../accounts/keys.ts';
import type { StoreMetric } from '../metrics.ts';
import type { StatisticsDatabase } from '../statistics/tables.ts';
import type { Database } from '../tables.ts';
import type { BackupDraft } from './sqlite-backup.ts';
import type { BackupContent } from './sqlite-verify.ts';

export const maxPauseMs = 2 * 60 * 1000;

/** An open database. Only this directory knows the engine; the rest of the store is written once for both. */
export interface OpenedDatabase {
  db: Kysely<Database>;
  /** For reads of one workspace that visit more than a few rows. They do not delay other requests, and workspaces take turns. */
  reader(workspaceId: string): Kysely<Database>;
  /** For a snapshot that is read for minutes, with pauses of up to `maxPauseMs`. As many are open at a time as there may be exports. */
  streamReader(workspaceId: string): Kysely<Database>;
  /** The tables of the statistics. Their queries do not delay other requests. */
  statistics: Kysely<StatisticsDatabase>;
  /** Brings the statistics of earlier versions and of backups into today's form. Call it after the migrations, and from time to time. */
  prepareStatistics(): Promise<void>;
  /** Call this once and after the migrations, because the lookup prepares statements on the tables. */
  createKeyLookup(): KeyLookup;
  /** Runs work that exceeds the timeouts of a request, such as a migration. */
  runLong<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** Makes and publishes a verified copy, or leaves nothing. Only the embedded engine can. */
  backUp?(options: BackupDraft): Promise<BackupContent>;
  metrics(): StoreMetric[];
  close(): Promise<void>;
}
