import { invalidField } from '../../errors.ts';

/**
 * PostgreSQL cannot store NUL in text. Both engines therefore refuse it, so that the embedded database can always be copied to PostgreSQL.
 */
export function assertNoNul(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (typeof value === 'string' && value.includes('\0')) throw invalidField('', 'The NUL character is not allowed');
  }
}
