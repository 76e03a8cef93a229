import { ApiError } from '../../../client/src/errors.ts';
import { call, messageOf } from '../lib/api.ts';
import type { NewProposal, Proposal } from '../lib/types.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { toast } from '../ui/toasts.ts';
import { refreshProposals } from './queries.ts';

export async function openProposal(body: NewProposal): Promise<Proposal> {
  const proposal = await call('openProposal', { body });
  await refreshProposals();
  return proposal;
}

type Target = Pick<Proposal, 'id' | 'revision'>;

export async function approveProposal({ id, revision }: Target): Promise<void> {
  await call('reviewProposal', { path: { id }, body: { verdict: 'approve', revision } });
  await refreshProposals();
  toast('Approved.');
}

export async function declineProposal({ id, revision }: Target, text: string): Promise<void> {
  await call('reviewProposal', { path: { id }, body: { verdict: 'decline', revision, text } });
  await refreshProposals();
  toast('Declined. Nothing has changed.');
}

export async function applyProposal({ id, revision }: Target): Promise<void> {
  const { result } = await call('applyProposal', { path: { id }, body: { revision } });
  await Promise.all([refreshProposals(), refreshPrompts()]);
  const moves = (result ?? []).map(({ prompt, label, version }) =>
    version === undefined ? `The release on ${label} of ${prompt} has started` : `${label} of ${prompt} is now at v${version}`,
  );
  toast(`${moves.join('. ')}.`);
}

export async function withdrawProposal({ id }: Pick<Proposal, 'id'>): Promise<void> {
  await call('withdrawProposal', { path: { id } });
  await refreshProposals();
  toast('Withdrawn. Nothing has changed.');
}

/** Returns the text to show when an action is refused. The server's messages about these refusals are written for API users. */
export function describeRefusal(err: unknown): string {
  return (err instanceof ApiError && refusals[err.code ?? '']) || messageOf(err);
}

const refusals: Record<string, string> = {
  proposal_changed: 'The prompts, labels or candidates in this proposal have changed. Review the proposal again, then decide.',
  proposal_ended: 'Someone has ended this proposal in the meantime.',
  proposal_not_found: 'This proposal no longer exists.',
  checks_required:
    'A label of this proposal requires passing checks, but the proposed version has not passed them. Run them in the prompt’s Checks tab.',
  release_running: 'A label of this proposal has a release. Finish it or roll it back first.',
};
