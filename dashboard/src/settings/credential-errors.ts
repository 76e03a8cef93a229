import { ApiError } from '../../../client/src/errors.ts';
import { errorsByField } from '../lib/api.ts';

/** Returns the field errors of a form that asks for the password and a code. */
export function credentialErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  if (error.code === 'invalid_credentials') return { password: 'Incorrect password' };
  if (error.code === 'code_required') return { code: 'Enter the code' };
  if (error.code === 'invalid_code') return { code: 'This code is wrong or has already been used' };
  return errorsByField(error);
}
