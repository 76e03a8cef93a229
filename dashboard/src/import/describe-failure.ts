import { ApiError, PromptHarborError } from '../../../client/src/errors.ts';
import { messageOf } from '../lib/api.ts';

/** Describes in a sentence why reading or importing lines failed. */
export function describeFailure(err: unknown): string {
  if (err instanceof TypeError) return 'The file is not UTF-8 text, or it has changed since you chose it.';
  const text = err instanceof PromptHarborError && !(err instanceof ApiError) ? err.message : messageOf(err);
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}
