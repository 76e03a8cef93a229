import type { RequestOptions } from './request.ts';

/** What methods that move labels take as their last argument. */
export interface StrictOptions extends RequestOptions {
  /** Changes nothing if something would fail at a label: throws a `ConflictError` with the `warnings` instead. */
  strict?: boolean | undefined;
}

export function strictQuery(strict: boolean | undefined): { strict?: 'true' } {
  return strict ? { strict: 'true' } : {};
}
