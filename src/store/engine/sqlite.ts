import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type SqliteStatement } from 'kysely';
import { AppError, DatabaseInUseError, StartError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Account, Membership } from '../accounts/accounts.ts';
import { revisionSql } from '../accounts/revision.ts';
import { backupBegunName, createMetaStore } from '../meta.ts';
import type { Database } from '../tables.ts';
import { assertNoNul } from './assert-no-nul.ts';
import type { OpenedDatabase } from './opened-database.ts';
import { backUpSqlite, checkpointPages } from './sqlite-backup.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { createKeyIndex, type IndexRow, type IndexSource, type KeyIndex } from './sqlite-key-index.ts';

/** Opens the embedded database, a file that is locked by this process. */
export function openSqlite(dataDir: string): OpenedDatabase {
  const file = sqliteFileIn(dataDir);
  const sqlite = openFile(dataDir, file);
  const presence = watchPresence(file);
  const db = new Kysely<Database>({ dialect: createSqliteDialect(adaptSqlite(sqlite, presence.assert)) });
  let keys: KeyIndex | undefined;
  return {
    db,
    createKeyLookup(limits) {
      keys = createKeyIndex(createIndexSource(sqlite, db), limits);
      return keys.findAccountByKey;
    },
    preloadKeys: async () => keys?.preload(),
    runLong: (work) => work(db),
    async backUp(options) {
      presence.look();
      presence.assert();
      const write = () => createMetaStore(db).put(backupBegunName, new Date().toISOString());
      return backUpSqlite(sqlite, { file, write, ...options });
    },
    metrics: () => keys?.metrics() ?? [],
    async close() {
      presence.stop();
      keys?.clear();
      // Closes the file directly: after Kysely's destroy, queries would throw an error that looks like a bug of ours.
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

const presenceCheckMs = 1000;

/** Looks every second whether the file still has its name: what is written after it was moved or deleted is lost with the process. */
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
      const text = `${file} was moved or deleted under the running service. Put it back; if it is lost, stop the service and restore a backup.`;
      throw new AppError('database_unavailable', { cause: new Error(text) });
    },
    stop: () => clearInterval(timer),
  };
}

function createIndexSource(sqlite: DatabaseSync, db: Kysely<Database>): IndexSource {
  const prepare = (condition: string) => {
    const statement = sqlite.prepare(
      `select rowid, key_digest, id, email, name, ${revisionSql}, key_serial, home_workspace_id from accounts where ${condition}`,
    );
    // node:sqlite creates rows as objects whose properties are slow to read.
    statement.setReturnArrays(true);
    return statement;
  };
  const findStatement = prepare('key_digest = ?');
  const listStatement = prepare('rowid < ? order by rowid desc limit ?');
  const membershipStatement = sqlite.prepare(
    `select memberships.workspace_id as workspaceId, ${revisionSql} as revision, memberships.role from memberships
    join accounts on accounts.id = memberships.workspace_id
    where memberships.workspace_id = ? and memberships.account_id = ? and accounts.deleted_at is null`,
  );
  const inTransaction = () => translateErrors(() => sqlite.isTransaction);

  function read(keyDigest: string): Account | undefined {
    const row = translateErrors(() => findStatement.get(keyDigest));
    return row && toIndexRow(row).account;
  }

  function readMembership(workspaceId: string, accountId: string): Membership | undefined {
    // node:sqlite types rows as records of any value; the columns are those above.
    return translateErrors(() => membershipStatement.get(workspaceId, accountId)) as Membership | undefined;
  }

  /** Reads now, or after an open transaction. */
  const readCommitted = <T>(read: () => T): T | Promise<T> => (inTransaction() ? db.connection().execute(async () => read()) : read());

  return {
    find: (keyDigest) => readCommitted(() => read(keyDigest)),
    findMembership: (workspaceId, accountId) => readCommitted(() => readMembership(workspaceId, accountId)),

    listBefore(position, limit) {
      return inTransaction() ? undefined : translateErrors(() => listStatement.all(position, limit)).map(toIndexRow);
    },

    onAccountChange(listener) {
      onChange(sqlite, { table: 'accounts', columns: ['key_digest', 'id'] }, listener);
    },

    onMembershipChange(listener) {
      onChange(sqlite, { table: 'memberships', columns: ['workspace_id', 'account_id'] }, listener);
    },
  };
}

/** Calls the listener with two columns of every row that is updated or deleted, synchronously and before the commit. */
function onChange(
  sqlite: DatabaseSync,
  { table, columns: [first, second] }: { table: string; columns: [string, string] },
  listener: (first: string, second: string) => void,
): void {
  sqlite.function(`${table}_changed`, (one, other) => {
    listener(String(one), String(other));
    return null;
  });
  // Temporary triggers belong to this connection and are not part of the schema on disk.
  for (const change of ['update', 'delete']) {
    sqlite.exec(
      `create temp trigger ${table}_${change} after ${change} on main.${table} begin select ${table}_changed(old.${first}, old.${second}); end`,
    );
  }
}

/** node:sqlite types rows as records, although these are arrays of the columns above. */
function toIndexRow(row: unknown): IndexRow {
  const [position, keyDigest, id, email, name, revision, keySerial, homeWorkspaceId] = row as IndexColumns;
  return { position, keyDigest, account: { id, email, homeWorkspaceId, name, revision, keySerial } };
}

type IndexColumns = [number, string, string, string, string, number, number, string | null];

export function sqliteFileIn(dataDir: string): string {
  return join(dataDir, 'promptharbor.db');
}

/** Opens and locks the file, and creates it if there is none. */
export function openFile(dataDir: string, file: string): DatabaseSync {
  try {
    makeFolder(dataDir);
    assertNoLogAlone(dataDir);
    const sqlite = new DatabaseSync(file, { timeout: 1000, enableForeignKeyConstraints: true });
    chmodSync(file, 0o600);
    // Exclusive, because a write by a second process would make the key index stale.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE');
    sqlite.exec('PRAGMA journal_mode = WAL');
    // FULL, because with NORMAL a power failure can undo the revocation of a key.
    sqlite.exec('PRAGMA synchronous = FULL');
    // Four times as often as by default, because a checkpoint blocks all requests for as long as it has pages to write.
    sqlite.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    // During a backup the log grows, and would keep its size.
    sqlite.exec('PRAGMA journal_size_limit = 16777216');
    sqlite.exec('BEGIN IMMEDIATE; COMMIT');
    return sqlite;
  } catch (err) {
    if (err instanceof StartError) throw err;
    const message = explainOpenFailure(err, dataDir, file);
    throw isBusy(err) ? new DatabaseInUseError(message, { cause: err }) : new StartError(message, { cause: err });
  }
}

/** SQLite would delete the log of a database that is not there, with all that has not been moved from it to the database yet. */
export function assertNoLogAlone(dataDir: string): void {
  const file = sqliteFileIn(dataDir);
  const log = `${file}-wal`;
  if (existsSync(file) || (statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new StartError(
    `${file} is missing, but its log ${log} is there: it has the last changes, and a service may still be using it. ` +
      'Stop that first. Then put the file back, or move the log away with it.',
  );
}

/** Says what the operator can do about a database that cannot be opened. */
export function explainOpenFailure(err: unknown, dataDir: string, file: string): string {
  if (isBusy(err)) {
    return `Another PromptHarbor is using ${file}. Stop it first, or set DATA_DIR to another directory.`;
  }
  if (isSqliteError(err) && primaryCode(err) === sqliteNotADatabase) {
    return `${file} is not a PromptHarbor database. Move it away, or set DATA_DIR to another directory.`;
  }
  if (isSqliteError(err) && primaryCode(err) === sqliteCorrupt) return `${file} is damaged. Restore it from a backup.`;
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) return `${dataDir} is not a directory. Set DATA_DIR to one.`;
  if (existsSync(file) && !isWritable(file)) return `Cannot write to ${file}: it has to belong to the user of the service.`;
  return `Cannot write to ${dataDir}: make the directory writable for this user, or set DATA_DIR to another one.`;
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Adapts node:sqlite to the interface that Kysely expects, and prepares each statement once. */
export function adaptSqlite(sqlite: DatabaseSync, assertUsable = () => {}) {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => sqlite.close(),
    prepare(sql: string): SqliteStatement {
      let statement = statements.get(sql);
      if (!statement) {
        if (statements.size >= maxStatements) statements.clear();
        statement = adaptStatement(
          translateErrors(() => sqlite.prepare(sql)),
          assertUsable,
        );
        // After some errors, such as a full disk, SQLite has rolled back already, and would report the second time as the error.
        if (sql === 'rollback') statement = onlyIf(() => sqlite.isTransaction, statement);
        statements.set(sql, statement);
      }
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync, assertUsable: () => void): SqliteStatement {
  const values = (parameters: readonly unknown[]) => {
    assertUsable();
    assertNoNul(parameters);
    // Kysely types parameters as unknown; the store only passes strings, numbers and null.
    return parameters as SQLInputValue[];
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => translateErrors(() => statement.all(...values(parameters))),
    run: (parameters) => translateErrors(() => statement.run(...values(parameters))),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

function onlyIf(condition: () => boolean, statement: SqliteStatement): SqliteStatement {
  return {
    ...statement,
    all: (parameters) => (condition() ? statement.all(parameters) : []),
    run: (parameters) => (condition() ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 }),
  };
}

/** Translates errors that are caused by the database rather than the query. */
function translateErrors<T>(query: () => T): T {
  try {
    return query();
  } catch (err) {
    if (isClosed(err) || (isSqliteError(err) && unavailableCodes.has(primaryCode(err)))) {
      throw new AppError('database_unavailable', { cause: err });
    }
    throw err;
  }
}

/** Another process holds the file. */
export function isBusy(err: unknown): boolean {
  return isSqliteError(err) && primaryCode(err) === sqliteBusy;
}

/** The file is not a database, or damaged. */
export function isDamaged(err: unknown): boolean {
  return isSqliteError(err) && [sqliteCorrupt, sqliteNotADatabase].includes(primaryCode(err));
}

interface SqliteError extends Error {
  errcode: number;
}

function isSqliteError(err: unknown): err is SqliteError {
  return err instanceof Error && 'errcode' in err && typeof err.errcode === 'number';
}

/** Node's error for using a closed database or a statement of one. */
function isClosed(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_INVALID_STATE';
}

/** The low byte of SQLite's extended result codes. */
function primaryCode(err: SqliteError): number {
  return err.errcode & 0xff;
}

const maxStatements = 500;
const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;
// BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN.
const unavailableCodes = new Set([sqliteBusy, 6, 7, 8, 10, 13, 14]);
