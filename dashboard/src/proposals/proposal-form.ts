import type { NewProposal } from '../lib/types.ts';

/** The form in which the user opens a proposal. The changes themselves are not part of the form. */
export interface ProposalForm {
  message: string;
  /** The ids of members who are asked for a review. */
  reviewers: string[];
  /** The local date and time at which the service applies the proposal. Empty if a person applies it. */
  applyAt: string;
}

export const emptyProposal: ProposalForm = { message: '', reviewers: [], applyAt: '' };

export function toProposal({ message, reviewers, applyAt }: ProposalForm, changes: NewProposal['changes']): NewProposal {
  return { changes, message: message.trim(), reviewers, ...(applyAt !== '' && { applyAt: new Date(applyAt).toISOString() }) };
}
