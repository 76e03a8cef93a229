import { type FormEvent, useState } from 'react';
import { maxAccountNameLength } from '../../../src/contract/limits.ts';
import { messageOf } from '../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';

interface PasskeyNameDialogProps {
  title: string;
  confirm: string;
  name?: string;
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of a passkey. */
export function PasskeyNameDialog({ title, confirm, name: current = '', onSave, onClose }: PasskeyNameDialogProps) {
  const [name, setName] = useState(current);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onSave(name);
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };

  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        <Field
          label="Name"
          autoFocus
          autoComplete="off"
          maxLength={maxAccountNameLength}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={error}
          hint="For example, the device or the password manager that stores it."
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={name.trim() === ''}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
