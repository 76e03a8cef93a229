import { ApiError, errorsByField } from '../lib/api.ts';

/** The field errors of a form with a prompt's name, description and tags. */
export function promptFieldErrors(error: unknown): Record<string, string> {
  if (error instanceof ApiError && error.code === 'name_taken') return { name: error.message };
  return errorsByField(error);
}
