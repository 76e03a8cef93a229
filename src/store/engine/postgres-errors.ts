import pg from 'pg';
import { AppError } from '../../errors.ts';
import { isConflict } from './errors.ts';

/** Translates errors that are caused by the database rather than the query. */
export function translateError(err: unknown): unknown {
  return isUnavailable(err) || isConflict(err) ? new AppError('database_unavailable', { cause: err }) : err;
}

/** The server is down, starting, out of connections or too slow; the same query may succeed later. */
export function isUnavailable(err: unknown): boolean {
  if (err instanceof pg.DatabaseError) return unavailableClasses.has(err.code?.slice(0, 2) ?? '') || unavailableCodes.has(err.code ?? '');
  return isConnectionBroken(err);
}

/** The connection can no longer be used, and it is unknown whether its last statement took effect. */
export function isConnectionBroken(err: unknown): boolean {
  if (err instanceof pg.DatabaseError) return brokenCodes.has(err.code ?? '') || err.code?.startsWith('08') === true;
  // Other errors of the driver come from the socket or a timeout, except for a TypeError, which is a bug of ours.
  return err instanceof Error && !(err instanceof AppError) && !(err instanceof TypeError);
}

// 08 connection exception, 53 insufficient resources (such as too many connections), 58 system error.
const unavailableClasses = new Set(['08', '53', '58']);
// admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout.
const brokenCodes = new Set(['57P01', '57P02', '57P03', '57P05']);
// Also query_canceled (timeout), lock_not_available and read_only_sql_transaction (a primary that became a replica).
const unavailableCodes = new Set([...brokenCodes, '57014', '55P03', '25006']);
