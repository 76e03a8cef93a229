import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StartError } from '../../errors.ts';
import { backupBegunName, backupChecksumName, snapshotIdName } from '../meta.ts';
import { removeChecksum } from './backup-checksum.ts';
import { isDamaged } from './sqlite-errors.ts';
import { lockFolder, nameReplaced, openLocked, sqliteFileIn } from './sqlite-file.ts';
import { openSqliteReadOnly } from './sqlite-read-only.ts';
import { addStatistics, hasTable, statisticsFileIn } from './sqlite-statistics-file.ts';
import { type BackupContent, verifyDatabase } from './sqlite-verify.ts';

const stagePrefix = '.restore-';

/** An account in a comparison of two databases. */
export interface ComparedAccount {
  id: string;
  email: string;
}

/** What going back to a backup undoes. */
export interface BackupDifferences {
  /** Their key was reset since, so the old one would be valid again. */
  resetKeys: ComparedAccount[];
  /** They were deleted since and come back. */
  deleted: ComparedAccount[];
  /** They were created since and are lost. */
  created: ComparedAccount[];
  /** Prompts and versions that are lost. */
  lost: { prompts: number; versions: number };
  changedPasswords: ComparedAccount[];
  /** They turned two-factor authentication on since. */
  twoFactor: ComparedAccount[];
  /** They left a workspace since, or got another role there. */
  memberships: (ComparedAccount & { workspace: string; role: string })[];
}

/** The database that a restore replaces. It stays locked until it is replaced or closed. */
export type ReplacedDatabase = ReturnType<typeof lockReplaced>;

/** Locks a data folder and opens its database, or creates an empty one. Throws a DatabaseInUseError while a service runs on it. */
export function lockReplaced(dataDir: string) {
  const file = sqliteFileIn(dataDir);
  const locked = lockDamaged(dataDir);
  const { sqlite } = locked;
  // Asked once it is locked: until then, a service or another restore could have filled it.
  const isNew = sqlite !== undefined && sqlite.prepare('select 1 from sqlite_schema').get() === undefined;
  let isReplaced = false;
  return {
    close(): void {
      locked.close();
      if (isNew && !isReplaced) rmSync(file, { force: true });
    },

    /** Compares it with a backup of the same version. Throws if it cannot be read. */
    compareWith(backup: string): BackupDifferences {
      if (!sqlite) throw new StartError(`${file} is damaged`);
      if (isNew) throw new StartError('there is none');
      sqlite.prepare('attach ? as backup').run(backup);
      try {
        return compare(sqlite);
      } finally {
        sqlite.exec('detach backup');
      }
    },

    /** Puts a file in its place. Returns where it is kept, or undefined if there was none. */
    replaceBy(staged: string): string | undefined {
      const kept = isNew ? undefined : nameKept(file);
      takeOverOwner(staged, isNew ? dataDir : file);
      if (sqlite) {
        if (!isNew) recordTime(sqlite);
        endLog(sqlite);
        // Windows does not rename over an open file.
        sqlite.close();
      }
      if (kept !== undefined) keep(file, kept, { withLog: !sqlite });
      setStatisticsAside(dataDir, kept);
      // SQLite would apply what a damaged database has in its log to the new file.
      for (const ending of logEndings) rmSync(`${file}${ending}`, { force: true });
      renameSync(staged, file);
      isReplaced = true;
      return kept;
    },
  };
}

/** What is kept may be restored later, and then says from when it is. A backup that became this database by hand had a checksum. */
function recordTime(sqlite: DatabaseSync): void {
  if (!hasTable(sqlite, 'meta')) return;
  sqlite.prepare('insert or replace into meta (name, value) values (?, ?)').run(backupBegunName, new Date().toISOString());
  sqlite.prepare('delete from meta where name = ?').run(backupChecksumName);
}

/** The backup has statistics of its own, which the next start moves into a new file. */
function setStatisticsAside(dataDir: string, keptDatabase: string | undefined): void {
  const statistics = statisticsFileIn(dataDir);
  const kept = keptDatabase?.replace(sqliteFileIn(dataDir), statistics);
  for (const ending of ['', ...logEndings]) {
    if (kept === undefined) rmSync(`${statistics}${ending}`, { force: true });
    else if (existsSync(`${statistics}${ending}`)) renameSync(`${statistics}${ending}`, `${kept}${ending}`);
  }
}

/** A name that no other file has: two restores may be made within a second. */
function nameKept(file: string): string {
  const name = nameReplaced(file, new Date().toISOString().replaceAll(/[-:]|\.\d+/g, ''));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(free)) return free;
  }
}

/** A verified copy of a backup, in a folder of its own in the data folder. */
export interface StagedBackup {
  folder: string;
  file: string;
  content: BackupContent;
  hasStatistics: boolean;
}

/** Copies a backup into a folder of its own in the data folder, where it can be opened, and verifies it. */
export function stageBackup(backup: string, dataDir: string): StagedBackup {
  if (existsSync(`${backup}-wal`)) {
    throw new StartError(
      `${backup} has a log beside it (${backup}-wal): it is a database in use and not a backup. Make one with promptharbor backup.`,
    );
  }
  // Left by a restore that was killed.
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(stagePrefix)))
    rmSync(join(dataDir, name), { recursive: true });
  const folder = mkdtempSync(join(dataDir, stagePrefix));
  const file = sqliteFileIn(folder);
  try {
    copyFileSync(backup, file);
    chmodSync(file, 0o600);
    const content = verifyBackup(backup, file);
    removeChecksum(file);
    return { folder, file, content, hasStatistics: addStatisticsBeside(backup, file) };
  } catch (err) {
    rmSync(folder, { recursive: true });
    throw err;
  }
}

/** What an earlier restore has replaced, or a copy of a data folder, is two files. Returns false if there are no statistics. */
function addStatisticsBeside(backup: string, file: string): boolean {
  const name = basename(backup).replace(/^promptharbor\.db(?=\.|$)/, 'statistics.db');
  const statistics = join(dirname(backup), name);
  try {
    return addStatistics(file, statistics === backup ? undefined : statistics);
  } catch (err) {
    if (!isDamaged(err)) throw err;
    throw new StartError(`${statistics} is damaged, which has the statistics of ${backup}. Move it away to restore without statistics.`, {
      cause: err,
    });
  }
}

/**
 * Removes what must not come back with a backup: sessions that were signed out since, links for new passwords that were used, and
 * invitations that were withdrawn. A copy must not take the snapshots of the service for its own, either.
 */
export function endRestoredAccess(file: string): void {
  const sqlite = new DatabaseSync(file);
  try {
    sqlite.exec('begin; delete from sessions; delete from verifications; delete from invitations');
    sqlite.prepare('delete from meta where name = ?').run(snapshotIdName);
    sqlite.exec('commit');
  } finally {
    sqlite.close();
  }
}

/** Makes sure that a staged database is complete in its one file: on a full disk, the last changes may be in its log alone. */
export function sealStaged(file: string): void {
  const sqlite = new DatabaseSync(file);
  try {
    endLog(sqlite);
    verifyDatabase(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Verifies a backup, or a copy of it. Changes nothing. */
export function verifyBackup(backup: string, file = backup): BackupContent {
  if (!existsSync(file)) throw new StartError(`There is no file ${backup}.`);
  let sqlite: DatabaseSync | undefined;
  try {
    const url = pathToFileURL(file);
    url.searchParams.set('immutable', '1');
    sqlite = new DatabaseSync(url, { readOnly: true });
    return verifyDatabase(sqlite);
  } catch (err) {
    if (err instanceof StartError) throw new StartError(`${backup}: ${err.message}`);
    if (isDamaged(err)) throw new StartError(`${backup} is damaged, or not a database of PromptHarbor.`, { cause: err });
    throw err;
  } finally {
    sqlite?.close();
  }
}

/** Locks the folder, and opens the database unless it is damaged. */
function lockDamaged(dataDir: string): { sqlite: DatabaseSync | undefined; close(): void } {
  try {
    // First only to read, because SQLite removes the log of a damaged file that it opens to write.
    const opened = openSqliteReadOnly(dataDir);
    if (opened && opened !== 'in use') opened.close();
    return openLocked(dataDir);
  } catch (err) {
    if (!(err instanceof StartError) || !isDamaged(err.cause)) throw err;
    const lock = lockFolder(dataDir);
    return { sqlite: undefined, close: () => lock.close() };
  }
}

/** Moves everything from the log into the file, which stays locked. Throws if that is not possible, such as on a full disk. */
function endLog(sqlite: DatabaseSync): void {
  const mode = sqlite.prepare('pragma journal_mode = delete').get();
  sqlite.exec('begin exclusive; commit');
  if (mode?.journal_mode !== 'delete') throw new Error(`The log was not ended: ${mode?.journal_mode}`);
}

const logEndings = ['-wal', '-shm', '-journal'];

/** Gives a database a second name. Only a damaged one still has something in its log. */
function keep(file: string, kept: string, { withLog }: { withLog: boolean }): void {
  for (const ending of ['', ...(withLog ? logEndings : [])]) {
    if (!existsSync(`${file}${ending}`)) continue;
    try {
      linkSync(`${file}${ending}`, `${kept}${ending}`);
    } catch {
      // Some file systems have no links.
      copyFileSync(`${file}${ending}`, `${kept}${ending}`, constants.COPYFILE_EXCL);
    }
  }
}

/** As root, gives a file to the owner of another, which is the user of the service. */
function takeOverOwner(file: string, other: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(other);
  chownSync(file, uid, gid);
}

function compare(sqlite: DatabaseSync): BackupDifferences {
  // node:sqlite types rows as records of any value; the columns are those of each query.
  const list = <T = ComparedAccount>(query: string) => sqlite.prepare(query).all() as unknown as T[];
  const countLost = (table: string, columns: string[]) => {
    const isSame = columns.map((column) => `old.${column} = new.${column}`).join(' and ');
    return (
      list<{ count: number }>(
        `select count(*) as count from main.${table} as new where not exists (select 1 from backup.${table} as old where ${isSame})`,
      )[0]?.count ?? 0
    );
  };
  const accounts = 'backup.accounts as old join main.accounts as new on new.id = old.id';
  const exist = 'old.deleted_at is null and new.deleted_at is null';
  const listChanged = (change: string) => list(`select old.id, old.email from ${accounts} where ${exist} and ${change} order by old.email`);
  const hasTwoFactor = (database: string) =>
    `exists (select 1 from ${database}.two_factors where account_id = old.id and confirmed_at is not null)`;
  return {
    resetKeys: listChanged('new.key_digest <> old.key_digest'),
    deleted: list(
      `select old.id, old.email from backup.accounts as old left join main.accounts as new on new.id = old.id
      where old.deleted_at is null and (new.id is null or new.deleted_at is not null) order by old.email`,
    ),
    created: list(
      `select id, email from main.accounts where deleted_at is null and id not in (select id from backup.accounts) order by email`,
    ),
    lost: {
      prompts: countLost('prompts', ['account_id', 'id']),
      versions: countLost('prompt_versions', ['account_id', 'prompt_id', 'version', 'created_at']),
    },
    changedPasswords: listChanged('new.password_hash <> old.password_hash'),
    twoFactor: listChanged(`${hasTwoFactor('main')} and not ${hasTwoFactor('backup')}`),
    memberships: list(
      `select old.id, old.email, workspace.email as workspace, membership.role from ${accounts}
      join backup.memberships as membership on membership.account_id = old.id
      join backup.accounts as workspace on workspace.id = membership.workspace_id
      left join main.memberships as present on present.account_id = old.id and present.workspace_id = membership.workspace_id
      where ${exist} and (present.role is null or present.role <> membership.role) order by old.email`,
    ),
  };
}
