import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import { AppError, StartError } from '../../errors.ts';
import type { Database } from '../tables.ts';
import { assertNoNul } from './assert-no-nul.ts';
import type { OpenedDatabase } from './open.ts';
import { createKeyIndex, type IndexSource, type KeyIndex } from './sqlite-key-index.ts';

/** The embedded database: one file, held by this process alone. */
export function openSqlite(dataDir: string): OpenedDatabase {
  const sqlite = openFile(dataDir, sqliteFileIn(dataDir));
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: adaptSqlite(sqlite) }) });
  let keys: KeyIndex | undefined;
  return {
    db,
    createKeyLookup(maxKeys) {
      keys = createKeyIndex(createIndexSource(sqlite, db), maxKeys);
      return keys.findAccountByKey;
    },
    runLong: (work) => work(db),
    metrics: () => [],
    async close() {
      keys?.clear();
      // Closed here and not by Kysely, whose own error afterwards could not be told from a bug of ours.
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

function createIndexSource(sqlite: DatabaseSync, db: Kysely<Database>): IndexSource {
  return {
    findOne<Row>(sql: string) {
      const statement = sqlite.prepare(sql);
      // The caller names the columns it selects; node:sqlite types any row as a record.
      const read = (parameter: string) => guard(() => statement.get(parameter)) as Row | undefined;
      return (parameter: string) =>
        guard(() => sqlite.isTransaction) ? db.connection().execute(async () => read(parameter)) : read(parameter);
    },

    onAccountChange(listener) {
      sqlite.function('account_changed', (accountId) => {
        listener(String(accountId));
        return null;
      });
      // Temporary: they belong to this connection, and the schema on disk knows nothing of them.
      for (const change of ['update', 'delete']) {
        sqlite.exec(`create temp trigger account_${change} after ${change} on main.accounts begin select account_changed(old.id); end`);
      }
    },
  };
}

export function sqliteFileIn(dataDir: string): string {
  return join(dataDir, 'promptharbor.db');
}

function openFile(dataDir: string, file: string): DatabaseSync {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const sqlite = new DatabaseSync(file, { timeout: 1000, enableForeignKeyConstraints: true });
    chmodSync(file, 0o600);
    // The file is held exclusively: a second process is refused instead of writing behind this one's back.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE');
    sqlite.exec('PRAGMA journal_mode = WAL');
    // FULL, because with NORMAL a power cut can bring a revoked key back.
    sqlite.exec('PRAGMA synchronous = FULL');
    sqlite.exec('BEGIN IMMEDIATE; COMMIT');
    return sqlite;
  } catch (err) {
    throw new StartError(explainOpenFailure(err, dataDir, file), { cause: err });
  }
}

function explainOpenFailure(err: unknown, dataDir: string, file: string): string {
  if (isSqliteError(err) && primaryCode(err) === sqliteBusy) {
    return `Another PromptHarbor is using ${file}. Stop it first, or set DATA_DIR to another folder.`;
  }
  if (isSqliteError(err) && primaryCode(err) === sqliteNotADatabase) {
    return `${file} is not a PromptHarbor database. Move it away, or set DATA_DIR to another folder.`;
  }
  if (isSqliteError(err) && primaryCode(err) === sqliteCorrupt) return `${file} is damaged. Restore it from a backup.`;
  return `Cannot write in ${dataDir}: make the folder writable for this user, or set DATA_DIR to another one.`;
}

/** Gives node:sqlite the face Kysely expects, and prepares each statement once. */
function adaptSqlite(sqlite: DatabaseSync) {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => sqlite.close(),
    prepare(sql: string): SqliteStatement {
      let statement = statements.get(sql);
      if (!statement) {
        if (statements.size >= maxStatements) statements.clear();
        statement = adaptStatement(guard(() => sqlite.prepare(sql)));
        statements.set(sql, statement);
      }
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => {
    assertNoNul(parameters);
    // Kysely types parameters as unknown; every value the store passes is text, a number or null.
    return parameters as SQLInputValue[];
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => guard(() => statement.all(...values(parameters))),
    run: (parameters) => guard(() => statement.run(...values(parameters))),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

function guard<T>(query: () => T): T {
  try {
    return query();
  } catch (err) {
    if (isClosed(err) || (isSqliteError(err) && unavailableCodes.has(primaryCode(err)))) {
      throw new AppError('database_unavailable', { cause: err });
    }
    throw err;
  }
}

interface SqliteError extends Error {
  errcode: number;
}

function isSqliteError(err: unknown): err is SqliteError {
  return err instanceof Error && 'errcode' in err && typeof err.errcode === 'number';
}

/** Node's own refusal to use a closed database or a statement of one. */
function isClosed(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_INVALID_STATE';
}

/** SQLite's extended codes keep the primary one in the low byte. */
function primaryCode(err: SqliteError): number {
  return err.errcode & 0xff;
}

const maxStatements = 500;
const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;
// BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN: the disk or the file, not the query, is at fault.
const unavailableCodes = new Set([sqliteBusy, 6, 7, 8, 10, 13, 14]);
