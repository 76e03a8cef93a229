import { existsSync, statfsSync } from 'node:fs';
import { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import { tryTo } from '../../platform/try-to.ts';
import { backupBegunName, createMetaStore } from '../meta.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';
import type { OpenedDatabase } from './opened-database.ts';
import { backUpSqlite } from './sqlite-backup.ts';
import { EmbeddedDialect } from './sqlite-compiler.ts';
import { assertNotLost, openLocked, sqliteFileIn } from './sqlite-file.ts';
import { createSqliteKeyLookup, type SqliteKeyLookup } from './sqlite-key-lookup.ts';
import { adaptSqlite } from './sqlite-statements.ts';
import { openStatistics, prepareStatistics } from './sqlite-statistics.ts';
import { statisticsFileIn } from './sqlite-statistics-file.ts';
import { openReaders } from './threads/readers.ts';

/** Opens the embedded database, whose folder is locked by this process. */
export function openSqlite(dataDir: string): OpenedDatabase {
  const file = sqliteFileIn(dataDir);
  assertNotLost(dataDir);
  const locked = openLocked(dataDir);
  const { sqlite } = locked;
  const presence = watchPresence(file);
  const db = new Kysely<Database>({ dialect: new EmbeddedDialect({ database: adaptSqlite(sqlite, presence.assert) }) });
  const readers = openReaders(file);
  const statisticsFile = statisticsFileIn(dataDir);
  const statistics = openStatistics(statisticsFile);
  let keys: SqliteKeyLookup | undefined;
  return {
    db,
    reader: (workspaceId) => readers.of(workspaceId),
    streamReader: (workspaceId) => readers.of(workspaceId),
    statistics: statistics.db,
    prepareStatistics: () => prepareStatistics(sqlite, { file: statisticsFile, mainFile: file }),
    createKeyLookup() {
      keys = createSqliteKeyLookup(sqlite, file);
      return keys.findAccountByKey;
    },
    runLong: (work) => work(db),
    async backUp(options) {
      presence.look();
      presence.assert();
      await createMetaStore(db).put(backupBegunName, new Date().toISOString());
      return backUpSqlite({ file, statisticsFile, ...options });
    },
    metrics: () => [...(keys?.metrics() ?? []), describeDisk(dataDir)],
    async close() {
      presence.stop();
      keys?.close();
      // The readers are closed first, because the last connection to be closed removes the log, and the writer must be closed last.
      await Promise.all([readers.close(), statistics.close()]);
      // The file is closed directly, because after a call of Kysely's `destroy`, queries would throw an error that looks like a bug of the
      // service.
      locked.close();
    },
  };
}

function describeDisk(dataDir: string): StoreMetric {
  const free = tryTo(() => statfsSync(dataDir));
  const help = 'Free bytes on the disk of the embedded database.';
  return { name: 'promptharbor_disk_free_bytes', help, type: 'gauge', value: free ? free.bavail * free.bsize : 0 };
}

const presenceCheckMs = 1000;

/** Checks every second that the file still has its name. If the file was moved or deleted, all later writes would be lost. */
function watchPresence(file: string): { look(): void; assert(): void; stop(): void } {
  let isPresent = true;
  const look = () => {
    isPresent = existsSync(file);
  };
  const timer = setInterval(look, presenceCheckMs).unref();
  return {
    look,
    assert() {
      if (isPresent) return;
      const text = `${file} was moved or deleted while the service was running. Put it back. If it is lost, stop the service and restore a backup.`;
      throw new AppError('database_unavailable', { cause: new Error(text) });
    },
    stop: () => clearInterval(timer),
  };
}
