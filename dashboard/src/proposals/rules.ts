import { plural } from '../lib/format.ts';
import type { ProposalRule } from '../lib/types.ts';

export const newRule: ProposalRule = { approvals: 1, authorMayApprove: false, keysMayApply: false, override: 'admin' };

export const overriders = { admin: 'Admins and the owner', owner: 'Only the owner', nobody: 'Nobody' } as const;

/** Describes a rule in sentences. */
export function describeRule({ approvals, authorMayApprove, keysMayApply, override }: ProposalRule): string {
  const needed = approvals === 0 ? 'no approval' : plural(approvals, 'approval');
  const authors = approvals > 0 && authorMayApprove ? ' Authors may approve.' : '';
  const keys = keysMayApply ? ' API keys may apply approved proposals.' : '';
  return `A proposal needs ${needed}.${authors}${keys} ${overriders[override]} can move the label without a proposal.`;
}
