import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Kysely, SqliteDialect } from 'kysely';
import { StartError } from '../../errors.ts';
import type { Database } from '../tables.ts';
import { isBusy } from './sqlite-errors.ts';
import { explainOpenFailure, isFolderLocked, sqliteFileIn } from './sqlite-file.ts';
import { adaptSqlite } from './sqlite-statements.ts';

/**
 * Opens the embedded database read-only. Changes nothing, and leaves no files behind. Returns undefined if there is no database, and `'in
 * use'` if a running service has locked it.
 */
export function openSqliteReadOnly(dataDir: string): { db: Kysely<Database>; close(): void } | 'in use' | undefined {
  const file = sqliteFileIn(dataDir);
  if (!existsSync(file)) return undefined;
  const url = pathToFileURL(file);
  const index = `${file}-shm`;
  const hadIndex = existsSync(index);
  // If there is no log, nobody uses the database and nothing needs to be recovered. SQLite therefore need not create a log.
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  let sqlite: DatabaseSync | undefined;
  try {
    if (isFolderLocked(dataDir)) return 'in use';
    sqlite = new DatabaseSync(url, { readOnly: true, timeout: 0 });
    sqlite.exec('select 1 from sqlite_schema');
  } catch (err) {
    sqlite?.close();
    if (isBusy(err)) return 'in use';
    throw new StartError(explainOpenFailure(err, dataDir, file), { cause: err });
  }
  const opened = sqlite;
  return {
    db: new Kysely<Database>({ dialect: new SqliteDialect({ database: adaptSqlite(opened) }) }),
    close() {
      opened.close();
      if (!hadIndex) rmSync(index, { force: true });
    },
  };
}
