import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { CodeField } from '../auth/CodeField.tsx';
import { PasskeyButton } from '../auth/PasskeyButton.tsx';
import { PasswordField } from '../auth/PasswordField.tsx';
import { ProviderButtons } from '../auth/ProviderButtons.tsx';
import { confirmByPasskey } from '../auth/passkeys.ts';
import { messageOf } from '../lib/api.ts';
import type { Account } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { identitiesQuery } from './account.ts';
import { credentialErrors } from './credential-errors.ts';

interface ConfirmedDialogProps {
  account: Pick<Account, 'twoFactor' | 'hasPasskeys' | 'hasPassword'>;
  title: string;
  description: ReactNode;
  confirm: string;
  kind?: 'danger' | 'primary';
  isReady?: boolean;
  /** Whether the user signed in too long ago, so that an account without a password must sign in again. */
  isStale?: boolean;
  children?: ReactNode;
  /** The proof is empty if the user has just confirmed their identity with a passkey, or has no password. */
  onConfirm: (proof: Confirmation) => Promise<void>;
  onClose: () => void;
}

export interface Confirmation {
  password?: string;
  code?: string;
}

/**
 * Asks for the proof that a change requires: a passkey, or the password and, with a second factor, a code. The owner of an account without
 * a password must have signed in recently.
 */
export function ConfirmedDialog({
  account,
  title,
  description,
  confirm,
  kind = 'danger',
  isReady = true,
  isStale = false,
  children,
  onConfirm,
  onClose,
}: ConfirmedDialogProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = credentialErrors(error);

  const hasCode = account.hasPassword && (account.twoFactor || account.hasPasskeys);
  const signsInAgain = !account.hasPassword && (isStale || isStaleSignIn(error));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm(account.hasPassword ? { password, ...(hasCode && { code }) } : {});
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
        {hasCode && (
          <CodeField
            value={code}
            onChange={setCode}
            error={fields.code}
            autoFocus={false}
            hint={account.twoFactor ? undefined : 'A recovery code.'}
          />
        )}
        {signsInAgain && <LinkedProviders />}
        <div className="flex flex-wrap justify-end gap-2">
          {account.hasPasskeys && isReady && <PasskeyButton onUse={confirmWithPasskey} onError={setError} className="mr-auto" />}
          <Button onClick={onClose}>Cancel</Button>
          {!signsInAgain && (
            <Button type="submit" kind={kind} busy={busy} disabled={(account.hasPassword && password === '') || !isReady}>
              {confirm}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** Returns whether an error says that the user must prove their identity again. */
export function isStaleSignIn(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'fresh_sign_in_required';
}

/** Asks the user to sign in again at one of the account's providers. The provider then opens this page again. */
function LinkedProviders() {
  const { data: identities } = useQuery(identitiesQuery);
  const linked = identities?.map(({ provider }) => provider) ?? [];
  return (
    <>
      <p className="text-ink-2 text-sm">Sign in again, then repeat the change within ten minutes.</p>
      <ProviderButtons next={`${location.pathname}${location.search}`} only={linked} hasAlternative={false} fresh />
    </>
  );
}
