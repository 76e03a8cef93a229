import { Link } from '@tanstack/react-router';
import type { Proposal } from '../lib/types.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { describeTarget, explainState } from './proposal.ts';

/** Says that a proposal was opened, and links to it. */
export function ProposalOpened({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Proposal opened"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Link to="/dashboard/proposals/$id" params={{ id: proposal.id }} onClick={onClose} className={buttonClass('primary')}>
            Open the proposal
          </Link>
        </>
      }
    >
      <div className="space-y-2">
        {proposal.changes.map((change) => (
          <p key={`${change.prompt.id} ${change.label}`} className="font-medium wrap-anywhere">
            {describeTarget(change)}
          </p>
        ))}
        <p role="status" className="text-ink-2">
          {explainState(proposal)}
        </p>
      </div>
    </Dialog>
  );
}
