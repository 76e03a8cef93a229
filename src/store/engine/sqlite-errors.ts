import { AppError } from '../../errors.ts';

/** Translates errors that are caused by the database and not by the query. */
export function translateErrors<T>(query: () => T): T {
  try {
    return query();
  } catch (err) {
    if (isClosed(err) || (isSqliteError(err) && isUnavailableCode(err.errcode))) {
      throw new AppError('database_unavailable', { cause: err });
    }
    throw err;
  }
}

/** Whether a result code of SQLite means that the same query may succeed later. */
export function isUnavailableCode(errcode: number): boolean {
  return unavailableCodes.has(errcode & primaryCodeMask);
}

/** Whether another process holds the file. */
export function isBusy(err: unknown): boolean {
  return isSqliteError(err) && primaryCode(err) === sqliteBusy;
}

export function isNotADatabase(err: unknown): boolean {
  return isSqliteError(err) && primaryCode(err) === sqliteNotADatabase;
}

/** Whether the file is damaged or not a database. */
export function isDamaged(err: unknown): boolean {
  return isNotADatabase(err) || (isSqliteError(err) && primaryCode(err) === sqliteCorrupt);
}

interface SqliteError extends Error {
  errcode: number;
}

function isSqliteError(err: unknown): err is SqliteError {
  return err instanceof Error && 'errcode' in err && typeof err.errcode === 'number';
}

/** Whether this is Node's error for using a closed database or a statement of one. */
function isClosed(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_INVALID_STATE';
}

/** Returns the low byte of SQLite's extended result code. */
function primaryCode(err: SqliteError): number {
  return err.errcode & primaryCodeMask;
}

const primaryCodeMask = 0xff;
const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;
// The codes BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL and CANTOPEN.
const unavailableCodes = new Set([sqliteBusy, 6, 7, 8, 10, 13, 14]);
