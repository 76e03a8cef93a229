import { chownSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { backupBegunName, backupChecksumName } from '../meta.ts';
import { type BackupDifferences, compareWithBackup } from './sqlite-differences.ts';
import { isDamaged } from './sqlite-errors.ts';
import { endLog, lockFolder, nameReplaced, openLocked, sqliteFileIn } from './sqlite-file.ts';
import { openSqliteReadOnly } from './sqlite-read-only.ts';
import { hasTable, statisticsFileIn } from './sqlite-statistics-file.ts';

/** The database that a restore replaces. It stays locked until it is replaced or closed. */
export type ReplacedDatabase = ReturnType<typeof lockReplaced>;

/** Locks a data folder and opens its database, or creates an empty database. Throws a DatabaseInUseError while a service runs on it. */
export function lockReplaced(dataDir: string) {
  const file = sqliteFileIn(dataDir);
  const locked = lockDamaged(dataDir);
  const { sqlite } = locked;
  // This check must follow the locking, because until then, a service or another restore could fill the database.
  const isNew = sqlite !== undefined && sqlite.prepare('select 1 from sqlite_schema').get() === undefined;
  let isReplaced = false;
  return {
    close(): void {
      locked.close();
      if (isNew && !isReplaced) rmSync(file, { force: true });
    },

    /** Compares the database with a backup of the same version. Throws if the database cannot be read. */
    compareWith(backup: string): BackupDifferences {
      if (!sqlite) throw new StartError(`${file} is damaged`);
      if (isNew) throw new StartError('there is none');
      sqlite.prepare('attach ? as backup').run(backup);
      try {
        return compareWithBackup(sqlite);
      } finally {
        sqlite.exec('detach backup');
      }
    },

    /** Replaces the database with another file. Returns the path of the old database, or undefined if there was none. */
    replaceBy(staged: string): string | undefined {
      const kept = isNew ? undefined : nameKept(file);
      takeOverOwner(staged, isNew ? dataDir : file);
      if (sqlite) {
        if (!isNew) recordTime(sqlite);
        endLog(sqlite);
        // The file is closed first, because Windows cannot rename over an open file.
        sqlite.close();
      }
      if (kept !== undefined) keep(file, kept, { withLog: !sqlite });
      setStatisticsAside(dataDir, kept);
      // The log of a damaged database is removed, because SQLite would apply it to the new file.
      for (const ending of logEndings) rmSync(`${file}${ending}`, { force: true });
      renameSync(staged, file);
      isReplaced = true;
      return kept;
    },
  };
}

/**
 * Records the current time in the database that is kept, so that its age is known if it is restored later. Also removes the checksum, which
 * the database has if it is a backup that someone put in place by hand.
 */
function recordTime(sqlite: DatabaseSync): void {
  if (!hasTable(sqlite, 'meta')) return;
  sqlite.prepare('insert or replace into meta (name, value) values (?, ?)').run(backupBegunName, new Date().toISOString());
  sqlite.prepare('delete from meta where name = ?').run(backupChecksumName);
}

/** Moves the statistics file aside. The backup contains its own statistics, which the next start moves into a new file. */
function setStatisticsAside(dataDir: string, keptDatabase: string | undefined): void {
  const statistics = statisticsFileIn(dataDir);
  const kept = keptDatabase?.replace(sqliteFileIn(dataDir), statistics);
  for (const ending of ['', ...logEndings]) {
    if (kept === undefined) rmSync(`${statistics}${ending}`, { force: true });
    else if (existsSync(`${statistics}${ending}`)) renameSync(`${statistics}${ending}`, `${kept}${ending}`);
  }
}

/** Returns an unused name, because two restores may run within a second. */
function nameKept(file: string): string {
  const name = nameReplaced(file, new Date().toISOString().replaceAll(/[-:]|\.\d+/g, ''));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(free)) return free;
  }
}

/** Locks the folder, and opens the database unless it is damaged. */
function lockDamaged(dataDir: string): { sqlite: DatabaseSync | undefined; close(): void } {
  try {
    // The database is first opened read-only, because SQLite removes the log of a damaged file that it opens for writing.
    const opened = openSqliteReadOnly(dataDir);
    if (opened && opened !== 'in use') opened.close();
    return openLocked(dataDir);
  } catch (err) {
    if (!(err instanceof StartError) || !isDamaged(err.cause)) throw err;
    const lock = lockFolder(dataDir);
    return { sqlite: undefined, close: () => lock.close() };
  }
}

const logEndings = ['-wal', '-shm', '-journal'];

/** Keeps a database under a second name. Only a damaged database still has data in its log. */
function keep(file: string, kept: string, { withLog }: { withLog: boolean }): void {
  for (const ending of ['', ...(withLog ? logEndings : [])]) {
    if (!existsSync(`${file}${ending}`)) continue;
    try {
      linkSync(`${file}${ending}`, `${kept}${ending}`);
    } catch {
      // Some file systems do not support links. In that case, the file is copied instead.
      copyFileSync(`${file}${ending}`, `${kept}${ending}`, constants.COPYFILE_EXCL);
    }
  }
}

/** When run as root, gives a file to the owner of another file, who is the user of the service. */
function takeOverOwner(file: string, other: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(other);
  chownSync(file, uid, gid);
}
