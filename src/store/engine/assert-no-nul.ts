import { invalidField } from '../../errors.ts';

/** PostgreSQL has no place for NUL in a text. It is refused on both engines alike, so that no database holds what the other cannot. */
export function assertNoNul(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (typeof value === 'string' && value.includes('\0')) throw invalidField('', 'The character NUL is not allowed');
  }
}
