import { ApiError, faultsByField } from '../lib/api.ts';

/** Refusals of a password or a code, as errors of their fields. */
export function credentialErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  if (error.code === 'invalid_credentials') return { password: 'This is not your password' };
  if (error.code === 'code_required') return { code: 'Enter the code' };
  if (error.code === 'invalid_code') return { code: 'This code is not right, or was used already' };
  return faultsByField(error);
}
