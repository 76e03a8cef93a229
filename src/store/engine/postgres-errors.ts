import { constants } from 'node:os';
import pg from 'pg';
import { AppError, StartError } from '../../errors.ts';
import { isConflict } from './errors.ts';

/** Translates errors that are caused by the database and not by the query. Any other error is a bug and is returned unchanged. */
export function translateError(err: unknown): unknown {
  return isUnavailable(err) || isConflict(err) ? new AppError('database_unavailable', { cause: err }) : err;
}

/**
 * Translates errors of a connection attempt. No matter why the server refuses the connection, for example because of a wrong password, no
 * query can run.
 */
export function translateConnectError(err: unknown): unknown {
  return err instanceof pg.DatabaseError ? new AppError('database_unavailable', { cause: err }) : translateError(err);
}

/** Explains what to do if the role lacks a permission. Returns any other error unchanged. */
export function explainDenial(err: unknown): unknown {
  if (!(err instanceof pg.DatabaseError) || err.code !== insufficientPrivilege) return err;
  return new StartError(
    `The database role in DATABASE_URL lacks privileges: ${err.message}. Make it the owner of the database and its tables.`,
    {
      cause: err,
    },
  );
}

/** Returns whether the server is down, starting, out of connections or too slow, so that the same query may succeed later. */
export function isUnavailable(err: unknown): boolean {
  if (!(err instanceof pg.DatabaseError)) return isConnectionBroken(err);
  return unavailableClasses.has(err.code?.slice(0, 2) ?? '') || unavailableCodes.has(err.code ?? '');
}

/** Returns whether the connection can no longer be used. In this case, it is unknown whether the last statement took effect. */
export function isConnectionBroken(err: unknown): boolean {
  if (err instanceof pg.DatabaseError) return brokenCodes.has(err.code ?? '') || err.code?.startsWith('08') === true;
  // An AggregateError contains one error for each address of the host.
  if (err instanceof AggregateError) return err.errors.length > 0 && err.errors.every(isConnectionBroken);
  if (err instanceof ReplicaError) return true;
  return err instanceof Error && (isSocketError(err) || driverMessages.has(err.message));
}

/** The error for a server that is a replica. A replica must not be used, because it may still have a key that was reset on the primary. */
export class ReplicaError extends Error {
  override readonly name = 'ReplicaError';
}

function isSocketError(err: Error): boolean {
  const code = 'code' in err ? String(err.code) : '';
  return 'syscall' in err || code in constants.errno || socketCodes.test(code);
}

const insufficientPrivilege = '42501';
// The classes 08 (connection exception), 53 (insufficient resources, such as too many connections) and 58 (system error).
const unavailableClasses = new Set(['08', '53', '58']);
// The codes of admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped and idle_session_timeout, and the codes that occur
// after a process was paused in a transaction: idle_in_transaction_session_timeout and transaction_timeout.
const brokenCodes = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04']);
// These codes also include query_canceled (timeout), lock_not_available and read_only_sql_transaction (a primary that became a replica).
const unavailableCodes = new Set([...brokenCodes, '57014', '55P03', '25006']);
// Matches Node's error codes of streams and TLS, and OpenSSL's codes of certificates.
const socketCodes = /^ERR_(STREAM|SOCKET|SSL|TLS)_|CERT|^UNABLE_TO_/;
// The messages of the driver's own errors, which have neither a class nor a code.
const driverMessages = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
]);
