import { useState } from 'react';
import type { Proposal } from '../lib/types.ts';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { describeRefusal, withdrawProposal } from './actions.ts';

export function WithdrawDialog({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const withdraw = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await withdrawProposal(proposal);
      onClose();
    } catch (err) {
      setError(describeRefusal(err));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog open onOpenChange={onClose} title="Withdraw this proposal?" confirm="Withdraw" busy={busy} onConfirm={withdraw}>
      <FormError>{error}</FormError>
      <p>The proposal ends and nothing changes. You can open a new one.</p>
    </ConfirmDialog>
  );
}
