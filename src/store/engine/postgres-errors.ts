import pg from 'pg';
import { AppError } from '../../errors.ts';
import { isConflict } from './errors.ts';

/** Turns what the driver throws into our own error where the database, not the query, is at fault. */
export function translateError(err: unknown): unknown {
  return isAway(err) || isConflict(err) ? new AppError('database_unavailable', { cause: err }) : err;
}

/** The server is gone, going, starting, out of connections or too slow; the same query may work in a moment. */
export function isAway(err: unknown): boolean {
  if (err instanceof pg.DatabaseError) return awayClasses.has(err.code?.slice(0, 2) ?? '') || awayCodes.has(err.code ?? '');
  return isBroken(err);
}

/** The connection is of no more use, and what it was doing may have happened or not. */
export function isBroken(err: unknown): boolean {
  if (err instanceof pg.DatabaseError) return brokenCodes.has(err.code ?? '') || err.code?.startsWith('08') === true;
  // What the driver reports without a code of the server comes from the socket or a timer. A TypeError is our own mistake.
  return err instanceof Error && !(err instanceof AppError) && !(err instanceof TypeError);
}

// 08 connection, 53 out of resources (53300: too many connections), 58 system error.
const awayClasses = new Set(['08', '53', '58']);
// Shut down by the operator, by a crash, not yet ready.
const brokenCodes = new Set(['57P01', '57P02', '57P03', '57P05']);
// And: statement timed out, lock not available, a primary that has become a replica.
const awayCodes = new Set([...brokenCodes, '57014', '55P03', '25006']);
