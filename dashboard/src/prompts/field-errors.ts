import { ApiError } from '../../../client/src/errors.ts';
import { findNameProblem, normalizeName } from '../../../src/contract/prompt-names.ts';
import { errorsByField } from '../lib/api.ts';

/** Returns the field errors of a form with a prompt's name, description and tags. */
export function promptFieldErrors(error: unknown, name: string): Record<string, string> {
  if (error instanceof ApiError && error.code === 'name_taken') return { name: error.message };
  const fields = errorsByField(error);
  // The server's message about the name is written for API users.
  if (fields.name) fields.name = findNameProblem(normalizeName(name.trim())) ?? fields.name;
  return fields;
}
