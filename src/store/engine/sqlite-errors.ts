import { AppError } from '../../errors.ts';

/** Translates the errors that are caused by the database and not by the query. */
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

/** Returns whether a result code of SQLite means that the same query may succeed later. */
export function isUnavailableCode(errcode: number): boolean {
  return unavailableCodes.has(errcode & primaryCodeMask);
}

/** Returns whether the error means that another process has locked the file. */
export function isBusy(err: unknown): boolean {
  return isSqliteError(err) && primaryCode(err) === sqliteBusy;
}

export function isNotADatabase(err: unknown): boolean {
  return isSqliteError(err) && primaryCode(err) === sqliteNotADatabase;
}

/** Returns whether the error means that the file is damaged or not a database. */
export function isDamaged(err: unknown): boolean {
  return isNotADatabase(err) || (isSqliteError(err) && primaryCode(err) === sqliteCorrupt);
}

/** Returns whether the error means that the disk did not accept a write. */
export function isUnwritten(err: unknown): boolean {
  return isSqliteError(err) && [sqliteIoError, sqliteFull].includes(primaryCode(err));
}

interface SqliteError extends Error {
  errcode: number;
}

function isSqliteError(err: unknown): err is SqliteError {
  return err instanceof Error && 'errcode' in err && typeof err.errcode === 'number';
}

/** Returns whether this is Node's error for the use of a closed database or of a statement of a closed database. */
function isClosed(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_INVALID_STATE';
}

/** Returns the low byte of SQLite's extended result code. */
function primaryCode(err: SqliteError): number {
  return err.errcode & primaryCodeMask;
}

const primaryCodeMask = 0xff;
const sqliteBusy = 5;
const sqliteIoError = 10;
const sqliteCorrupt = 11;
const sqliteFull = 13;
const sqliteNotADatabase = 26;
// The codes BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL and CANTOPEN.
const unavailableCodes = new Set([sqliteBusy, 6, 7, 8, sqliteIoError, sqliteFull, 14]);
