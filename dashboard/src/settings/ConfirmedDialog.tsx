import { type FormEvent, type ReactNode, useState } from 'react';
import { CodeField } from '../auth/CodeField.tsx';
import { PasswordField } from '../auth/PasswordField.tsx';
import { messageOf } from '../lib/api.ts';
import type { Account } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { credentialErrors } from './credential-errors.ts';

interface ConfirmedDialogProps {
  account: Pick<Account, 'twoFactor' | 'hasPassword'>;
  title: string;
  description: ReactNode;
  confirm: string;
  kind?: 'danger' | 'primary';
  isReady?: boolean;
  children?: ReactNode;
  onConfirm: (proof: { password: string; code?: string }) => Promise<void>;
  onClose: () => void;
}

/** A change that requires the password and, with two-factor authentication, a code. */
export function ConfirmedDialog({
  account,
  title,
  description,
  confirm,
  kind = 'danger',
  isReady = true,
  children,
  onConfirm,
  onClose,
}: ConfirmedDialogProps) {
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
      await onConfirm({ password, ...(account.twoFactor && { code }) });
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
        {children}
        {account.hasPassword && (
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            autoFocus={children === undefined}
            value={password}
            onChange={setPassword}
            error={fields.password}
          />
        )}
        {account.twoFactor && <CodeField value={code} onChange={setCode} error={fields.code} autoFocus={false} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={kind} busy={busy} disabled={(account.hasPassword && password === '') || !isReady}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
