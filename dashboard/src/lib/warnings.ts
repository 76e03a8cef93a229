import { ApiError } from '../../../client/src/errors.ts';
import type { Warning } from './types.ts';

/** Returns the warnings with which a strict request was refused, or undefined for any other error. */
export function warningsOf(err: unknown): Warning[] | undefined {
  return err instanceof ApiError && err.code === 'has_warnings' ? err.warnings : undefined;
}
