import { ApiError } from '../../../client/src/errors.ts';
import { messageOf } from '../lib/api.ts';

/** Returns whether a label was not moved because the version has not passed the checks that the label requires. */
export function isGateRefusal(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'checks_required';
}

/** Returns whether a label was not moved because its moves require proposals. */
export function isApprovalRefusal(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'approval_required';
}

/** Returns the text to show when a label cannot be moved. The server's messages about checks and proposals are written for API users. */
export function describeMoveError(err: unknown, { label, version }: { label: string; version: number }): string {
  if (isApprovalRefusal(err)) return `Moving ${label} requires a proposal. Propose the move in the prompt’s Deploy dialog.`;
  if (!isGateRefusal(err)) return messageOf(err);
  return `${label} requires passing checks, but v${version} has not passed the current test cases. Run them here or in the Checks tab.`;
}
