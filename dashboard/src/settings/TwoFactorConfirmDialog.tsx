import { type FormEvent, useState } from 'react';
import { CodeField } from '../auth/CodeField.tsx';
import { PasswordField } from '../auth/PasswordField.tsx';
import { call, messageOf } from '../lib/api.ts';
import type { RecoveryCodes } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { credentialErrors } from './credential-errors.ts';

interface TwoFactorConfirmDialogProps {
  title: string;
  description: string;
  confirm: string;
  danger?: boolean;
  operation: 'stopTwoFactor' | 'replaceRecoveryCodes';
  onClose: () => void;
  onDone: (codes: RecoveryCodes | undefined) => void;
}

/** Asks for both factors before the second one is removed or replaced. */
export function TwoFactorConfirmDialog({
  title,
  description,
  confirm,
  danger = false,
  operation,
  onClose,
  onDone,
}: TwoFactorConfirmDialogProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = credentialErrors(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      onDone(await call(operation, { body: { password, code } }));
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={setPassword}
          error={fields.password}
        />
        <CodeField value={code} onChange={setCode} error={fields.code} autoFocus={false} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
