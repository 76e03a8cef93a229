import { ApiError } from '../../../client/src/errors.ts';
import type { Warning } from './types.ts';

/** What would fail at a label, if that is why a strict request was refused. */
export function warningsOf(err: unknown): Warning[] | undefined {
  return err instanceof ApiError && err.code === 'has_warnings' ? err.warnings : undefined;
}
