import pg from 'pg';
import { AppError } from '../../errors.ts';

/**
 * Returns whether the error is a deadlock or a serialization failure. After these errors, the statement or transaction had no effect and
 * can be retried.
 */
export function isConflict(err: unknown): boolean {
  const origin = err instanceof AppError ? err.cause : err;
  return origin instanceof pg.DatabaseError && conflictCodes.has(origin.code ?? '');
}

/** Returns whether the error means that a row refers to another row that does not exist or no longer exists. */
export function isMissingReference(err: unknown): boolean {
  if (err instanceof pg.DatabaseError) return err.code === foreignKeyViolation;
  return err instanceof Error && 'errcode' in err && err.errcode === sqliteForeignKeyViolation;
}

/** Returns whether the error means that the row or table to create already exists. */
export function isDuplicate(err: unknown): boolean {
  if (err instanceof pg.DatabaseError) return duplicateCodes.has(err.code ?? '');
  return err instanceof Error && 'errcode' in err && (err.errcode === sqliteUniqueViolation || err.errcode === sqlitePrimaryKeyViolation);
}

const foreignKeyViolation = '23503';
const sqliteForeignKeyViolation = 787;
const sqliteUniqueViolation = 2067;
const sqlitePrimaryKeyViolation = 1555;
// The codes of serialization_failure and deadlock_detected.
const conflictCodes = new Set(['40001', '40P01']);
// The codes of unique_violation, duplicate_table and duplicate_object.
const duplicateCodes = new Set(['23505', '42P07', '42710']);
