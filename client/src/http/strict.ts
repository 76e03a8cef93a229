import type { RequestOptions } from './request.ts';

/** The last argument of methods that move labels. */
export interface StrictOptions extends RequestOptions {
  /** If something would fail at a label, changes nothing and throws a `ConflictError` with the `warnings`. */
  strict?: boolean | undefined;
}

export function strictQuery(strict: boolean | undefined): { strict?: 'true' } {
  return strict ? { strict: 'true' } : {};
}
