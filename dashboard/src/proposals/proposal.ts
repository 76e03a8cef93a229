import { formatAgo, formatDateTime, plural } from '../lib/format.ts';
import type { Proposal } from '../lib/types.ts';
import { describeArms } from '../releases/release.ts';

export type ProposedChange = Proposal['changes'][number];

/** Returns whether the proposal can still be applied. */
export function isOpen({ endedAt }: Proposal): boolean {
  return endedAt === null;
}

/**
 * Returns the changes of a proposal. For an applied proposal, the changes contain the versions that were made from its candidates, and the
 * versions that the labels pointed at before.
 */
export function changesOf({ changes, result }: Proposal): ProposedChange[] {
  return changes.map((change, index) => {
    const { version, from } = result?.[index] ?? {};
    return { ...change, ...(version !== undefined && { version }), from: change.from ?? from ?? null };
  });
}

/** Returns a title for the proposal, in one line. */
export function titleProposal(proposal: Proposal): string {
  const [line = ''] = proposal.message.trim().split('\n');
  if (line !== '') return line;
  const changes = changesOf(proposal);
  const [change] = changes;
  const title = change ? describeTarget(change) : '';
  return changes.length > 1 ? `${title}, and ${plural(changes.length - 1, 'more change', 'more changes')}` : title;
}

/** Describes the version or candidate to which a change moves its label. */
export function describeTarget({ prompt, label, version, candidate, release }: ProposedChange): string {
  const place = `${label} of ${prompt.name || 'a deleted prompt'}`;
  if (release) return `Release on ${place}: ${describeArms(release.arms)}`;
  if (version !== undefined) return `Move ${place} to v${version}`;
  return `Move ${place} to ${candidate ? `the candidate “${candidate.title}”` : 'content that was deleted'}`;
}

export const states = {
  open: { text: 'open', tone: 'neutral' },
  approved: { text: 'approved', tone: 'accent' },
  scheduled: { text: 'scheduled', tone: 'accent' },
  stale: { text: 'needs a new review', tone: 'warn' },
  applied: { text: 'applied', tone: 'accent' },
  declined: { text: 'declined', tone: 'danger' },
  withdrawn: { text: 'withdrawn', tone: 'neutral' },
  expired: { text: 'expired', tone: 'neutral' },
} as const;

/** Explains the state of a proposal and the next step. */
export function explainState(proposal: Proposal): string {
  const { state, applyAt, endedAt, endedBy } = proposal;
  const when = endedAt === null ? '' : formatAgo(endedAt);
  const at = applyAt === null ? '' : formatDateTime(applyAt);
  if (state === 'applied') {
    const late = isLate(proposal) ? `, later than scheduled (${at})` : '';
    return `${endedBy?.name ?? 'The service'} applied this proposal ${when}${late}.`;
  }
  if (state === 'declined') return `${endedBy?.name ?? 'Someone'} declined this proposal ${when}. Nothing has changed.`;
  if (state === 'withdrawn') return `${endedBy?.name ?? 'Someone'} withdrew this proposal ${when}. Nothing has changed.`;
  if (state === 'expired') return 'This proposal expired after 90 days without activity. Nothing has changed.';
  if (isGone(proposal)) return 'A prompt, version or candidate of this proposal was deleted, so it cannot be applied. Withdraw it.';
  if (state === 'stale') {
    return 'Something changed after the approval: the content, the version at the label, a release or the test cases. The proposal needs new approvals.';
  }
  if (state === 'scheduled') return `It has all required approvals. The service applies it on ${at}.`;
  if (state === 'approved') return 'It has all required approvals. Nothing changes until someone applies it.';
  const missing = Math.max(...proposal.changes.map(({ approvals }) => approvals.required - approvals.given));
  return `It needs ${plural(missing, 'more approval', 'more approvals')}. ${at === '' ? 'Nothing changes until it is applied.' : `Then the service applies it on ${at}.`}`;
}

const lateAfterMs = 5 * 60_000;

/** Returns whether the proposal was applied some time after it was planned, for example because the service was not running. */
function isLate({ state, applyAt, endedAt }: Proposal): boolean {
  return state === 'applied' && applyAt !== null && endedAt !== null && Date.parse(endedAt) - Date.parse(applyAt) > lateAfterMs;
}

/** Returns whether a prompt, version or candidate of the proposal was deleted. */
export function isGone({ changes }: Proposal): boolean {
  return changes.some(
    ({ prompt, version, candidate, release }) => prompt.name === '' || (version === undefined && !candidate && release === undefined),
  );
}
