import { useState } from 'react';
import { plural } from '../lib/format.ts';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { Affected } from './Affected.tsx';
import { AffectedByMany } from './AffectedByMany.tsx';
import { deletePrompts } from './actions.ts';
import { BulkDialog } from './BulkDialog.tsx';

interface DeleteDialogProps {
  names: string[];
  onClose: () => void;
  /** Leaves a page that shows one of the prompts. */
  leave?: () => Promise<void>;
}

/** Shows who is affected, then moves prompts to the bin. */
export function DeleteDialog({ names, onClose, leave }: DeleteDialogProps) {
  const [only] = names;
  if (names.length === 1 && only !== undefined) return <DeleteOneDialog name={only} onClose={onClose} leave={leave} />;
  return (
    <BulkDialog
      title={`Delete ${plural(names.length, 'prompt')}?`}
      confirm="Delete"
      isDangerous
      isPossible
      onClose={onClose}
      onConfirm={(progress) => deletePrompts(names, undefined, progress)}
      onDone={() => {
        onClose();
        void leave?.();
      }}
    >
      <AffectedByMany names={names} />
      <p className="text-ink-2">They stay in the bin for 30 days. Applications can no longer fetch them.</p>
    </BulkDialog>
  );
}

interface DeleteOneDialogProps {
  name: string;
  onClose: () => void;
  leave: (() => Promise<void>) | undefined;
}

function DeleteOneDialog({ name, onClose, leave }: DeleteOneDialogProps) {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await deletePrompts([name], leave);
    onClose();
  };
  return (
    <ConfirmDialog open onOpenChange={onClose} title={`Delete ${name}?`} confirm="Delete" busy={busy} onConfirm={confirm}>
      <Affected name={name} />
      <p>It stays in the bin for 30 days. Applications can no longer fetch it.</p>
    </ConfirmDialog>
  );
}
