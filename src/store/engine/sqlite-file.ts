import { accessSync, chmodSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseInUseError, StartError } from '../../errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { isBusy, isDamaged, isNotADatabase, isUnwritten } from './sqlite-errors.ts';
import { statisticsFileIn } from './sqlite-statistics-file.ts';

/** The free space that is required to open a database. */
const minFreeBytes = 1024 * 1024;

export function sqliteFileIn(dataDir: string): string {
  return join(dataDir, 'promptharbor.db');
}

/** Locks the data folder and opens the database in it. Creates the folder and the database if they do not exist. */
export function openLocked(dataDir: string) {
  const file = sqliteFileIn(dataDir);
  let lock: DatabaseSync | undefined;
  try {
    makeFolder(dataDir);
    assertNoLogAlone(dataDir);
    const held = lockFolder(dataDir);
    lock = held;
    const sqlite = openFile(file);
    return {
      sqlite,
      /** Closes the database and then releases the lock. */
      close(): void {
        if (sqlite.isOpen) sqlite.close();
        if (held.isOpen) held.close();
      },
    };
  } catch (err) {
    lock?.close();
    if (err instanceof StartError) throw err;
    const message = explainOpenFailure(err, dataDir, file);
    throw isBusy(err) ? new DatabaseInUseError(message, { cause: err }) : new StartError(message, { cause: err });
  }
}

function openFile(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { timeout: 1000, enableForeignKeyConstraints: true });
  try {
    chmodSync(file, 0o600);
    sqlite.exec('pragma journal_mode = wal');
    // The setting is FULL, because with NORMAL, a power failure could undo the revocation of a key.
    sqlite.exec('pragma synchronous = full');
    // Automatic checkpoints are disabled, because a reader thread makes the checkpoints, so that no request has to wait for them.
    sqlite.exec('pragma wal_autocheckpoint = 0');
    sqlite.exec('begin immediate; commit');
    return sqlite;
  } catch (err) {
    sqlite.close();
    throw err;
  }
}

/**
 * Ensures that no other process uses the folder, because the writes of another process would make caches stale. The operating system
 * releases the lock when this process ends. Nothing else in this process may open the file, because closing it would release the lock too.
 */
export function lockFolder(dataDir: string): DatabaseSync {
  const file = lockFileIn(dataDir);
  const lock = new DatabaseSync(file, { timeout: 1000 });
  try {
    // Nothing is ever written to this file, so it needs no journal file. A killed process would leave a journal file behind.
    lock.exec('pragma journal_mode = memory');
    lock.exec('begin exclusive');
    chmodSync(file, 0o600);
    return lock;
  } catch (err) {
    lock.close();
    throw err;
  }
}

/** Returns whether another process holds the lock of the folder. */
export function isFolderLocked(dataDir: string): boolean {
  const file = lockFileIn(dataDir);
  if (!existsSync(file)) return false;
  const lock = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    lock.exec('select 1 from sqlite_schema');
    return false;
  } catch (err) {
    if (isBusy(err)) return true;
    throw err;
  } finally {
    lock.close();
  }
}

function lockFileIn(dataDir: string): string {
  return join(dataDir, 'lock.db');
}

/**
 * Throws if there is a write-ahead log without its database. SQLite would delete the log, and with it all changes that were not yet moved
 * into the database.
 */
function assertNoLogAlone(dataDir: string): void {
  const file = sqliteFileIn(dataDir);
  const log = `${file}-wal`;
  if (existsSync(file) || (statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new StartError(
    `${file} is missing, but its log ${log} exists. The log contains the last changes, and a service may still be using it. ` +
      'Stop that service first. Then put the file back, or move the log away too.',
  );
}

/** Returns the name under which a restore keeps the replaced database. */
export function nameReplaced(file: string, time: string): string {
  return `${file}.replaced-${time}`;
}

/**
 * Throws if the database is missing although its log, its statistics or databases that a restore replaced still exist. If the service
 * created a new database, nobody would notice the loss, and anyone could create the first account.
 */
export function assertNotLost(dataDir: string): void {
  assertNoLogAlone(dataDir);
  const file = sqliteFileIn(dataDir);
  if (existsSync(file) || !statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return;
  const prefix = basename(nameReplaced(file, ''));
  const statistics = basename(statisticsFileIn(dataDir));
  const left = readdirSync(dataDir).filter((name) => name === statistics || (name.startsWith(prefix) && !/-(wal|shm|journal)$/.test(name)));
  if (left.length === 0) return;
  throw new StartError(
    `${file} is missing, but other data of the service still exists: ${left.sort().reverse().join(', ')}. ` +
      'Put the file back, or restore a backup or a replaced database with promptharbor restore. ' +
      'To start with an empty database, move these files away.',
  );
}

/** Explains what the operator can do about a database that cannot be opened. */
export function explainOpenFailure(err: unknown, dataDir: string, file: string): string {
  if (isBusy(err)) {
    return `Another PromptHarbor process is using ${file}. Stop it first, or set DATA_DIR to another folder.`;
  }
  if (isNotADatabase(err)) {
    return `${file} is not a PromptHarbor database. Move it away, or set DATA_DIR to another folder.`;
  }
  if (isDiskFull(err, dataDir)) return `The disk of ${dataDir} is full. Free some space, or set DATA_DIR to a folder on another disk.`;
  if (isDamaged(err)) return `${file} is damaged. Restore it from a backup.`;
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) return `${dataDir} is not a folder. Set DATA_DIR to a folder.`;
  if (existsSync(file) && !isWritable(file)) return `Cannot write to ${file}. Make it writable for the user that runs the service.`;
  return `Cannot write to ${dataDir}. Make the folder writable for this user, or set DATA_DIR to another folder.`;
}

/** On a full disk, SQLite cannot create its index of the log, which it reports as an error of the disk. */
function isDiskFull(err: unknown, dataDir: string): boolean {
  if (!isUnwritten(err)) return false;
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize < minFreeBytes;
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Moves all changes from the log into the database file, which stays locked. Throws if this is not possible, for example on a full disk.
 */
export function endLog(sqlite: DatabaseSync): void {
  const mode = sqlite.prepare('pragma journal_mode = delete').get();
  sqlite.exec('begin exclusive; commit');
  if (mode?.journal_mode !== 'delete') throw new Error(`The write-ahead log is still in use: ${mode?.journal_mode}`);
}
