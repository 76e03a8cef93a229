import { ApiError } from '../../../client/src/errors.ts';
import { messageOf } from '../lib/api.ts';
import { describeFieldError } from './describe-place.ts';

/** Returns the text to show when a prompt or version cannot be saved. */
export function describeSaveError(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  const [detail] = error.details;
  const isAtField = error.code === 'invalid_template' || error.code === 'invalid_input';
  return detail && isAtField ? describeFieldError(detail) : messageOf(error);
}
