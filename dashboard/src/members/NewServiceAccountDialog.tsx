import { type FormEvent, useState } from 'react';
import { maxAccountNameLength } from '../../../src/contract/limits.ts';
import type { MemberRole } from '../../../src/contract/roles.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import type { ShownKey } from './KeyDialog.tsx';
import { refreshMembers } from './queries.ts';
import { RoleChoice } from './RoleChoice.tsx';

interface NewServiceAccountDialogProps {
  onClose: () => void;
  onCreated: (key: ShownKey) => void;
}

export function NewServiceAccountDialog({ onClose, onCreated }: NewServiceAccountDialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<MemberRole>('viewer');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = errorsByField(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const created = await call('createServiceAccount', { body: { name: name.trim(), role } });
      void refreshMembers();
      onCreated(created);
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <Dialog open onOpenChange={onClose} title="New service account">
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && !fields.name ? messageOf(error) : undefined}</FormError>
        <Field
          label="Name"
          required
          autoFocus
          autoComplete="off"
          maxLength={maxAccountNameLength}
          placeholder="Checkout service"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={fields.name}
          hint="The program that will use the key. The history shows this name."
        />
        <RoleChoice value={role} onChange={setRole} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
