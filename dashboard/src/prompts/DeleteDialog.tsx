import { useState } from 'react';
import { plural } from '../lib/format.ts';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { Affected } from './Affected.tsx';
import { AffectedByMany } from './AffectedByMany.tsx';
import { deletePrompts } from './actions.ts';

interface DeleteDialogProps {
  names: string[];
  onClose: () => void;
  /** Leaves a page that shows one of the prompts. */
  leave?: () => Promise<void>;
}

/** Shows who is affected, then moves prompts to the bin. */
export function DeleteDialog({ names, onClose, leave }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false);
  const [only] = names;
  const confirm = async () => {
    setBusy(true);
    await deletePrompts(names, leave);
    onClose();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={names.length === 1 ? `Delete ${only}?` : `Delete ${plural(names.length, 'prompt')}?`}
      confirm="Delete"
      busy={busy}
      onConfirm={confirm}
    >
      {names.length === 1 && only !== undefined ? <Affected name={only} /> : <AffectedByMany names={names} />}
      <p>
        {names.length === 1 ? 'It stays' : 'They stay'} in the bin for 30 days. Applications can no longer fetch{' '}
        {names.length === 1 ? 'it' : 'them'}.
      </p>
    </ConfirmDialog>
  );
}
