import pg from 'pg';
import { AppError } from '../../errors.ts';

/** The statement or transaction lost against another one and had no effect. Running it again is safe. */
export function isConflict(err: unknown): boolean {
  const origin = err instanceof AppError ? err.cause : err;
  return origin instanceof pg.DatabaseError && conflictCodes.has(origin.code ?? '');
}

/** What was to be created exists, if only since a moment ago. */
export function isDuplicate(err: unknown): boolean {
  return err instanceof pg.DatabaseError && duplicateCodes.has(err.code ?? '');
}

// Serialization failure, deadlock.
const conflictCodes = new Set(['40001', '40P01']);
// Row, table, type.
const duplicateCodes = new Set(['23505', '42P07', '42710']);
