import { type FormEvent, useId, useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { restorePrompt } from './actions.ts';

/** Asks an admin for the reason to restore a prompt although a version with a gated label has not passed its checks. */
export function RestoreDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const formId = useId();
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const restore = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await restorePrompt(name, reason.trim());
      onClose();
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Restore ${name} without passing checks?`}
      description="The prompt has a label that requires passing checks, but points at a version that has not passed. You cannot run checks on a prompt in the bin."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" busy={busy} disabled={reason.trim() === ''}>
            Restore
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={restore} noValidate>
        <Field
          label="Reason"
          hint="Shown in the history with your name."
          autoFocus
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          error={error}
        />
      </form>
    </Dialog>
  );
}
