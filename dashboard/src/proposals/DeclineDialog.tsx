import { type FormEvent, useId, useState } from 'react';
import type { Proposal } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { declineProposal, describeRefusal } from './actions.ts';
import { refreshProposals } from './queries.ts';
import { TextArea } from './TextArea.tsx';

/** Asks for a reason, then ends a proposal. */
export function DeclineDialog({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const decline = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await declineProposal(proposal, text.trim());
      onClose();
    } catch (err) {
      setError(describeRefusal(err));
      setBusy(false);
      await refreshProposals();
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Decline this proposal?"
      description="This ends the proposal. Nothing changes."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} kind="danger" busy={busy}>
            Decline
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={decline} className="space-y-4">
        <FormError>{error}</FormError>
        <TextArea label="Why?" autoFocus hint="Optional. Everyone in the workspace can read it." value={text} onChange={setText} />
      </form>
    </Dialog>
  );
}
