import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { plural } from '../lib/format.ts';
import type { Warning } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

export interface WarnedMove {
  name: string;
  warnings: Warning[];
}

interface WarnedDialogProps {
  label: string;
  warned: WarnedMove[];
  onCancel: () => void;
  onConfirm: () => Promise<void>;
}

/** Lists the prompts in which a label was not moved because something would fail there, and asks whether to move it anyway. */
export function WarnedDialog({ label, warned, onCancel, onConfirm }: WarnedDialogProps) {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onConfirm();
  };
  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title={`${plural(warned.length, 'prompt')} would fail`}
      description={`${label} was not moved in ${warned.length === 1 ? 'this prompt' : 'these prompts'}.`}
      footer={
        <>
          <Button onClick={onCancel}>Do not deploy</Button>
          <Button kind="danger" busy={busy} onClick={confirm}>
            Deploy {warned.length === 1 ? 'it' : 'them'} anyway
          </Button>
        </>
      }
    >
      <ul className="divide-y divide-line rounded-md border border-line">
        {warned.map(({ name, warnings }) => (
          <li key={name} className="px-3 py-2">
            <Link
              to="/dashboard/prompts/$"
              params={{ _splat: name }}
              onClick={onCancel}
              className="block truncate rounded-sm font-medium text-accent-ink underline underline-offset-3"
            >
              {name}
            </Link>
            {warnings.map(({ message }) => (
              <p key={message} className="text-warn wrap-anywhere">
                {message}.
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
