import { ApiError } from '../../../client/src/errors.ts';
import { messageOf } from '../lib/api.ts';

/** Whether a label was not moved because the version has not passed the checks that the label requires. */
export function isGateRefusal(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'checks_required';
}

/** The text to show when a label cannot be moved. The server's text about checks is written for API users. */
export function describeMoveError(err: unknown, { label, version }: { label: string; version: number }): string {
  if (!isGateRefusal(err)) return messageOf(err);
  return `${label} requires passing checks, but v${version} has not passed the current test cases. Run them here or in the Checks tab.`;
}
