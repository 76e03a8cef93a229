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
import { isTeam, teamPrefix } from '../accounts/team-ids.ts';
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

/** The changes that restoring a backup would undo. */
export interface BackupDifferences {
  /** Accounts whose key was reset since the backup, so that the old key would be valid again. */
  resetKeys: ComparedAccount[];
  /** Accounts that were deleted since the backup and would exist again. */
  deleted: ComparedAccount[];
  /** Accounts that were created since the backup and would be lost. */
  created: ComparedAccount[];
  /** The names of team workspaces that were deleted or created since the backup. A team has no key and no email address. */
  teams: { deleted: string[]; created: string[] };
  /** The number of prompts and versions that would be lost. */
  lost: { prompts: number; versions: number };
  changedPasswords: ComparedAccount[];
  /** Accounts that enabled two-factor authentication since the backup. */
  twoFactor: ComparedAccount[];
  /** Members who left a workspace or got another role there since the backup. */
  memberships: (ComparedAccount & { workspace: string; role: string })[];
}

/** The database that a restore replaces. It stays locked until it is replaced or closed. */
export type ReplacedDatabase = ReturnType<typeof lockReplaced>;

/** Locks a data folder and opens its database, or creates an empty one. Throws a DatabaseInUseError while a service runs on it. */
export function lockReplaced(dataDir: string) {
  const file = sqliteFileIn(dataDir);
  const locked = lockDamaged(dataDir);
  const { sqlite } = locked;
  // This is checked after locking, because a service or another restore could have filled the database before.
  const isNew = sqlite !== undefined && sqlite.prepare('select 1 from sqlite_schema').get() === undefined;
  let isReplaced = false;
  return {
    close(): void {
      locked.close();
      if (isNew && !isReplaced) rmSync(file, { force: true });
    },

    /** Compares the database with a backup of the same version. Throws if it cannot be read. */
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

    /** Replaces the database by a file. Returns where the old one is kept, or undefined if there was none. */
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
 * Records the time, so that the kept database states its age if it is restored later. Also removes the checksum, which it has if a backup
 * was put in place by hand.
 */
function recordTime(sqlite: DatabaseSync): void {
  if (!hasTable(sqlite, 'meta')) return;
  sqlite.prepare('insert or replace into meta (name, value) values (?, ?)').run(backupBegunName, new Date().toISOString());
  sqlite.prepare('delete from meta where name = ?').run(backupChecksumName);
}

/** Moves the statistics aside. The backup has its own, which the next start moves into a new file. */
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

/** A verified copy of a backup, in a separate folder inside the data folder. */
export interface StagedBackup {
  folder: string;
  file: string;
  content: BackupContent;
  hasStatistics: boolean;
}

/** Copies a backup into a separate folder inside the data folder, where it can be opened, and verifies it. */
export function stageBackup(backup: string, dataDir: string): StagedBackup {
  if (existsSync(`${backup}-wal`)) {
    throw new StartError(
      `${backup} has a log beside it (${backup}-wal), so it is a database in use and not a backup. Make a backup with promptharbor backup.`,
    );
  }
  // These folders were left by a restore that was killed.
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

/**
 * Adds the statistics file beside a backup, because a database that an earlier restore replaced, or a copy of a data folder, consists of
 * two files. Returns false if there are no statistics.
 */
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
 * Removes access that must not return with a backup: sessions that have been signed out, password links that have been used, and
 * invitations that have been withdrawn. Also removes the snapshot id, because the copy must not consider the service's snapshots its own.
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

/** Ensures that a staged database is complete in its one file. On a full disk, the last changes may be only in its log. */
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
    if (isDamaged(err)) throw new StartError(`${backup} is damaged, or is not a PromptHarbor database.`, { cause: err });
    throw err;
  } finally {
    sqlite?.close();
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

/** Moves everything from the log into the file, which stays locked. Throws if that is not possible, for example on a full disk. */
function endLog(sqlite: DatabaseSync): void {
  const mode = sqlite.prepare('pragma journal_mode = delete').get();
  sqlite.exec('begin exclusive; commit');
  if (mode?.journal_mode !== 'delete') throw new Error(`The log was not ended: ${mode?.journal_mode}`);
}

const logEndings = ['-wal', '-shm', '-journal'];

/** Keeps a database under a second name. Only a damaged one still has data in its log. */
function keep(file: string, kept: string, { withLog }: { withLog: boolean }): void {
  for (const ending of ['', ...(withLog ? logEndings : [])]) {
    if (!existsSync(`${file}${ending}`)) continue;
    try {
      linkSync(`${file}${ending}`, `${kept}${ending}`);
    } catch {
      // Some file systems do not support links.
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
  const listDeleted = () =>
    list<ComparedRow>(
      `select old.id, old.email, old.name from backup.accounts as old left join main.accounts as new on new.id = old.id
      where old.deleted_at is null and (new.id is null or new.deleted_at is not null) order by old.email`,
    );
  const listCreated = () =>
    list<ComparedRow>(
      `select id, email, name from main.accounts where deleted_at is null and id not in (select id from backup.accounts) order by email`,
    );
  const [deleted, created] = [splitTeams(listDeleted()), splitTeams(listCreated())];
  return {
    resetKeys: listChanged('new.key_digest <> old.key_digest'),
    deleted: deleted.accounts,
    created: created.accounts,
    teams: { deleted: deleted.teams, created: created.teams },
    lost: {
      prompts: countLost('prompts', ['account_id', 'id']),
      versions: countLost('prompt_versions', ['account_id', 'prompt_id', 'version', 'created_at']),
    },
    changedPasswords: listChanged('new.password_hash <> old.password_hash'),
    twoFactor: listChanged(`${hasTwoFactor('main')} and not ${hasTwoFactor('backup')}`),
    memberships: list(
      `select old.id, old.email, membership.role,
        case when workspace.id >= '${teamPrefix}' then workspace.name else workspace.email end as workspace from ${accounts}
      join backup.memberships as membership on membership.account_id = old.id
      join backup.accounts as workspace on workspace.id = membership.workspace_id
      left join main.memberships as present on present.account_id = old.id and present.workspace_id = membership.workspace_id
      where ${exist} and (present.role is null or present.role <> membership.role) order by old.email`,
    ),
  };
}

interface ComparedRow extends ComparedAccount {
  name: string;
}

function splitTeams(rows: ComparedRow[]): { accounts: ComparedAccount[]; teams: string[] } {
  return {
    accounts: rows.filter(({ id }) => !isTeam(id)).map(({ id, email }) => ({ id, email })),
    teams: rows.filter(({ id }) => isTeam(id)).map(({ name }) => name),
  };
}
