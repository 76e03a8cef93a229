import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { countTables, releaseTables, resultTables } from '../statistics/tables.ts';

/** Returns the path of the statistics file, which is separate from the main database file. */
export function statisticsFileIn(dataDir: string): string {
  return join(dataDir, 'statistics.db');
}

/** The tables in the statistics file. */
export const statisticsTables = [...countTables, ...resultTables, ...releaseTables, 'prompt_keys', 'key_uses', 'statistics_writers'];

export function hasTable(sqlite: DatabaseSync, name: string, schema = 'main'): boolean {
  return sqlite.prepare(`select 1 from ${schema}.sqlite_schema where type = 'table' and name = ?`).get(name) !== undefined;
}

/**
 * Copies the statistics into a backup, so that the backup is one file. The next start with this backup moves them into their own file
 * again. Returns whether the backup has statistics.
 */
export function addStatistics(backup: string, statisticsFile: string | undefined): boolean {
  const sqlite = new DatabaseSync(backup);
  try {
    // If the backup itself contains statistics, they are newer than the file: the service has not been started since an upgrade or a
    // restore.
    if (hasTable(sqlite, 'call_statistics')) return true;
    if (statisticsFile === undefined || !existsSync(statisticsFile)) return false;
    // The copy need not be durable, because the backup is discarded if the copy is interrupted.
    sqlite.exec('pragma journal_mode = off; pragma synchronous = off');
    sqlite.prepare('attach ? as statistics').run(statisticsFile);
    // A file of an earlier version may lack the newest tables.
    const copies = statisticsTables
      .filter((table) => hasTable(sqlite, table, 'statistics'))
      .map((table) => `create table main.${table} as select * from statistics.${table};`);
    sqlite.exec(`begin; ${copies.join(' ')} commit`);
    return true;
  } finally {
    sqlite.close();
  }
}
