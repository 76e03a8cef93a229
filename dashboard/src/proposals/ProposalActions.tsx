import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../lib/session.ts';
import type { Proposal } from '../lib/types.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { mayEdit, mayMove, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { applyProposal, approveProposal, describeRefusal } from './actions.ts';
import { DeclineDialog } from './DeclineDialog.tsx';
import { isGone, isOpen } from './proposal.ts';
import { refreshProposals } from './queries.ts';
import { WithdrawDialog } from './WithdrawDialog.tsx';

/** Shows the buttons of a proposal that has not ended, and says why some of them are missing. */
export function ProposalActions({ proposal }: { proposal: Proposal }) {
  const workspace = useWorkspace();
  const { data: user } = useQuery(sessionQuery);
  const [busy, setBusy] = useState<'approve' | 'apply'>();
  const [dialog, setDialog] = useState<'decline' | 'withdraw'>();
  const [error, setError] = useState<string>();
  const { changes, reviews, state, openedBy, myApproval } = proposal;
  const isMine = openedBy.userId === user?.userId;
  const locked = changes.find(({ label }) => !mayMove(workspace, label));
  const canDecide = isOpen(proposal) && locked === undefined;
  const needed = changes.filter(({ approvals }) => approvals.required > 0);
  const canApprove = canDecide && !myApproval.given && myApproval.counts && !isGone(proposal);
  // Reviewers usually decline a proposal. They withdraw only a proposal that nobody can approve anymore.
  const canWithdraw = isMine ? mayEdit(workspace) : canDecide && isGone(proposal);
  const canApply = canDecide && (state === 'approved' || state === 'scheduled');

  const act = async (name: 'approve' | 'apply', action: typeof approveProposal) => {
    setBusy(name);
    setError(undefined);
    try {
      await action(proposal);
    } catch (err) {
      setError(describeRefusal(err));
      await refreshProposals();
    }
    setBusy(undefined);
  };
  const approve = () => act('approve', approveProposal);
  useShortcut({ key: 'a' }, approve, canApprove && busy === undefined);

  if (!isOpen(proposal)) return null;
  return (
    <section aria-label="Decision" className="space-y-2">
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-2">
        {canApprove && (
          <Button kind={canApply ? 'secondary' : 'primary'} busy={busy === 'approve'} aria-keyshortcuts="a" onClick={approve}>
            Approve <Kbd>A</Kbd>
          </Button>
        )}
        {canApply && (
          <Button kind="primary" busy={busy === 'apply'} onClick={() => act('apply', applyProposal)}>
            {state === 'scheduled' ? 'Apply now' : 'Apply'}
          </Button>
        )}
        {canDecide && !isMine && (
          <Button kind="danger-quiet" onClick={() => setDialog('decline')}>
            Decline
          </Button>
        )}
        {canWithdraw && <Button onClick={() => setDialog('withdraw')}>Withdraw</Button>}
      </div>
      <p className="text-ink-3 text-xs empty:hidden">{explain()}</p>
      {dialog === 'decline' && <DeclineDialog proposal={proposal} onClose={() => setDialog(undefined)} />}
      {dialog === 'withdraw' && <WithdrawDialog proposal={proposal} onClose={() => setDialog(undefined)} />}
    </section>
  );

  function explain(): string {
    if (locked) {
      const who = workspace.protectedLabels.includes(locked.label) ? 'deployers and admins' : 'editors';
      return `Only ${who} can approve a move of ${locked.label}. Your role is ${workspace.role}.`;
    }
    const approvalCount = reviews.filter(({ current, verdict }) => current && verdict === 'approve').length;
    const isUncounted = needed.some(({ approvals }) => approvals.given < Math.min(approvalCount, approvals.required));
    if (isUncounted) return 'An approval does not count if the reviewer wrote the content, opened the proposal, or cannot move the label.';
    if (myApproval.given && myApproval.counts) return 'You approved this proposal.';
    return myApproval.reason === null ? '' : (whyNot[myApproval.reason] ?? '');
  }
}

/** The reasons why the user's approval does not count. */
const whyNot: Partial<Record<NonNullable<Proposal['myApproval']['reason']>, string>> = {
  opened: 'You opened this proposal, so someone else has to approve it.',
  wrote: 'You wrote, imported or copied some of this content, so someone else has to approve it.',
  holds_key: 'You received the key of a service account that wrote this content or opened the proposal, so someone else has to approve it.',
};
