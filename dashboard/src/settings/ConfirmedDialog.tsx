import { type FormEvent, type ReactNode, useState } from 'react';
import { CodeField } from '../auth/CodeField.tsx';
import { PasskeyButton } from '../auth/PasskeyButton.tsx';
import { PasswordField } from '../auth/PasswordField.tsx';
import { confirmByPasskey } from '../auth/passkeys.ts';
import { messageOf } from '../lib/api.ts';
import type { Account } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { credentialErrors } from './credential-errors.ts';

interface ConfirmedDialogProps {
  account: Pick<Account, 'twoFactor' | 'hasPasskeys'>;
  title: string;
  description: ReactNode;
  confirm: string;
  kind?: 'danger' | 'primary';
  isReady?: boolean;
  children?: ReactNode;
  /** The proof is empty if the user has just confirmed their identity with a passkey. */
  onConfirm: (proof: Confirmation) => Promise<void>;
  onClose: () => void;
}

export interface Confirmation {
  password?: string;
  code?: string;
}

/** A change that requires a passkey, or the password and, with a second factor, a code. */
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

  const hasCode = account.twoFactor || account.hasPasskeys;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm({ password, ...(hasCode && { code }) });
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  const confirmWithPasskey = async () => {
    await confirmByPasskey();
    await onConfirm({});
  };

  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
        {children}
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          autoFocus={children === undefined}
          value={password}
          onChange={setPassword}
          error={fields.password}
        />
        {hasCode && (
          <CodeField
            value={code}
            onChange={setCode}
            error={fields.code}
            autoFocus={false}
            hint={account.twoFactor ? undefined : 'A recovery code.'}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {account.hasPasskeys && isReady && <PasskeyButton onUse={confirmWithPasskey} onError={setError} className="mr-auto" />}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={kind} busy={busy} disabled={password === '' || !isReady}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
