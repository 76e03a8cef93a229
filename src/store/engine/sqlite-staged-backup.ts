import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StartError } from '../../errors.ts';
import { snapshotIdName } from '../meta.ts';
import { removeChecksum } from './backup-checksum.ts';
import { isDamaged } from './sqlite-errors.ts';
import { endLog, sqliteFileIn } from './sqlite-file.ts';
import { addStatistics } from './sqlite-statistics-file.ts';
import { type BackupContent, verifyDatabase } from './sqlite-verify.ts';

const stagePrefix = '.restore-';

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
      `${backup} has a log next to it (${backup}-wal), so it is a database in use and not a backup. Make a backup with promptharbor backup.`,
    );
  }
  // These folders were left behind by a restore that was killed.
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
 * Adds the statistics from a separate file next to the backup. There is such a file if the backup is a copy of a data folder or a database
 * that an earlier restore replaced. Returns false if there are no statistics.
 */
function addStatisticsBeside(backup: string, file: string): boolean {
  const name = basename(backup).replace(/^promptharbor\.db(?=\.|$)/, 'statistics.db');
  const statistics = join(dirname(backup), name);
  try {
    return addStatistics(file, statistics === backup ? undefined : statistics);
  } catch (err) {
    if (!isDamaged(err)) throw err;
    throw new StartError(
      `${statistics} is damaged, so the statistics of ${backup} cannot be restored. Move it away to restore without statistics.`,
      { cause: err },
    );
  }
}

/**
 * Removes sessions, password links and invitations, because they may have been signed out, used or withdrawn since the backup. Also removes
 * the snapshot id, so that the restored database does not treat the service's snapshots as its own.
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

/** Ensures that the file of a staged database contains all its data. On a full disk, the last changes may be only in its log. */
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
