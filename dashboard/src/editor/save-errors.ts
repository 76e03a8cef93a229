import { ApiError } from '../../../client/src/errors.ts';
import { messageOf } from '../lib/api.ts';

/** Returns the text to show when a prompt or version cannot be saved. */
export function describeSaveError(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'invalid_template') return messageOf(error);
  const [syntaxError] = error.details;
  return syntaxError ? `Line ${syntaxError.line}, column ${syntaxError.column}: ${syntaxError.message}` : error.message;
}
