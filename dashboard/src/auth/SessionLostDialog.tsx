import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { acceptSession, forgetSession, sessionQuery } from '../lib/session.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { CodeField } from './CodeField.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { PasswordField } from './PasswordField.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import { useSignIn } from './use-sign-in.ts';

/** A dialog for a session that ends while the page is open. The user signs in again without losing unsaved changes. */
export function SessionLostDialog() {
  const { data: user } = useQuery({ ...sessionQuery, enabled: false });
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { signIn, signInByPasskey, needsCode, codeHint, busy, error, showError } = useSignIn((next) => {
    acceptSession(next);
    void queries.invalidateQueries();
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signIn({ email: user?.email ?? '', password, code });
  };
  const leave = () => {
    forgetSession();
    location.assign('/login');
  };

  return (
    <Dialog
      open
      title="You were signed out"
      description={
        <>
          Sign in as <b className="font-medium text-ink">{user?.email}</b> to continue. Your unsaved changes are still here.
        </>
      }
    >
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error.form}</FormError>
        {!needsCode && <ProviderButtons next={`${location.pathname}${location.search}`} />}
        {needsCode ? (
          <CodeField value={code} onChange={setCode} error={error.fields.code} hint={codeHint} />
        ) : (
          <PasswordField
            label="Password"
            autoComplete="current-password"
            autoFocus
            value={password}
            onChange={setPassword}
            error={error.fields.password}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button kind="ghost" onClick={leave} className="mr-auto">
            Use a different account
          </Button>
          <PasskeyButton onUse={signInByPasskey} onError={showError} />
          <Button type="submit" kind="primary" busy={busy}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
