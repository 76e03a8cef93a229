import { useState } from 'react';
import type { Candidate } from '../lib/types.ts';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { deleteCandidate, describeCandidateError } from './actions.ts';

interface DeleteDialogProps {
  candidate: Candidate;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks for confirmation, then deletes a candidate for everyone. */
export function DeleteDialog({ candidate, onClose, onDeleted }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const remove = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await deleteCandidate(candidate);
      onDeleted();
    } catch (err) {
      setError(describeCandidateError(err));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog open onOpenChange={onClose} title="Delete this candidate?" confirm="Delete candidate" busy={busy} onConfirm={remove}>
      <FormError>{error}</FormError>
      <p className="wrap-anywhere">
        “{candidate.title}” is deleted for everyone and cannot be restored. Open proposals for it can no longer be applied.
      </p>
    </ConfirmDialog>
  );
}
