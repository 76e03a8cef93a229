import { ApiError } from '../../../client/src/errors.ts';
import type { Warning } from './types.ts';

/** Returns what would fail at a label, if a strict request was refused for that reason. */
export function warningsOf(err: unknown): Warning[] | undefined {
  return err instanceof ApiError && err.code === 'has_warnings' ? err.warnings : undefined;
}
