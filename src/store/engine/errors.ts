import pg from 'pg';
import { AppError } from '../../errors.ts';

/** A deadlock or serialization failure: the statement or transaction had no effect and can be retried. */
export function isConflict(err: unknown): boolean {
  const origin = err instanceof AppError ? err.cause : err;
  return origin instanceof pg.DatabaseError && conflictCodes.has(origin.code ?? '');
}

/** The row refers to one that does not exist, or no longer exists. */
export function isMissingReference(err: unknown): boolean {
  if (err instanceof pg.DatabaseError) return err.code === foreignKeyViolation;
  return err instanceof Error && 'errcode' in err && err.errcode === sqliteForeignKeyViolation;
}

/** The row or table to create already exists. */
export function isDuplicate(err: unknown): boolean {
  return err instanceof pg.DatabaseError && duplicateCodes.has(err.code ?? '');
}

const foreignKeyViolation = '23503';
const sqliteForeignKeyViolation = 787;
// serialization_failure, deadlock_detected.
const conflictCodes = new Set(['40001', '40P01']);
// unique_violation, duplicate_table, duplicate_object.
const duplicateCodes = new Set(['23505', '42P07', '42710']);
