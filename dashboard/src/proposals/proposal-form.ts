import type { NewProposal } from '../lib/types.ts';

/** What the user enters to open a proposal, in addition to what changes. */
export interface ProposalForm {
  message: string;
  /** The ids of members who are asked for a review. */
  reviewers: string[];
  /** The local date and time of an input. Empty if a person applies the proposal. */
  applyAt: string;
}

export const emptyProposal: ProposalForm = { message: '', reviewers: [], applyAt: '' };

export function toProposal({ message, reviewers, applyAt }: ProposalForm, changes: NewProposal['changes']): NewProposal {
  return { changes, message: message.trim(), reviewers, ...(applyAt !== '' && { applyAt: new Date(applyAt).toISOString() }) };
}
