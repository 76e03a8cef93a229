import { useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import type { Case } from '../lib/types.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';

interface DeleteCaseDialogProps {
  promptName: string;
  deleted: Case;
  onClose: () => void;
}

/** Asks before a test case is deleted, because this cannot be undone. */
export function DeleteCaseDialog({ promptName, deleted: { id, name }, onClose }: DeleteCaseDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await call('deleteCase', { path: { name: promptName, id } });
      onClose();
      toast(`Test case “${name}” deleted.`);
      await refreshPrompts();
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog open onOpenChange={onClose} title={`Delete the test case “${name}”?`} confirm="Delete" busy={busy} onConfirm={confirm}>
      <FormError>{error}</FormError>
      <p>
        This cannot be undone. Versions must pass the remaining test cases again before a label that requires passing checks can move to
        them.
      </p>
    </ConfirmDialog>
  );
}
