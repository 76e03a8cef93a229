import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

interface BulkDialogProps {
  title: string;
  confirm: string;
  isPossible: boolean;
  onClose: () => void;
  /** Makes the change; the dialog stays open meanwhile. */
  onConfirm: () => Promise<void>;
  children: ReactNode;
}

/** A dialog about several prompts. */
export function BulkDialog({ title, confirm, isPossible, onClose, onConfirm, children }: BulkDialogProps) {
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isPossible) return;
    setBusy(true);
    await onConfirm();
  };
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        {children}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={!isPossible}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export interface BulkDialogOptions<T> {
  prompts: T[];
  onClose: () => void;
  onDone: () => void;
}
