import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { PasswordField } from '../auth/PasswordField.tsx';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import type { Account } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { accountQuery, sessionsQuery } from './account.ts';
import { isStaleSignIn } from './ConfirmedDialog.tsx';
import { useFreshSignIn } from './use-fresh-sign-in.tsx';

const empty = { currentPassword: '', newPassword: '' };

/** Changes the password, or sets the first one of an account whose owner signs in at a provider. */
export function PasswordForm({ account }: { account: Account }) {
  const { email, hasPassword } = account;
  const queries = useQueryClient();
  const { runFresh, dialog } = useFreshSignIn(account);
  const [form, setForm] = useState(empty);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields =
    error instanceof ApiError && error.code === 'invalid_credentials' ? { currentPassword: 'Incorrect password' } : errorsByField(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    await runFresh(change);
    setBusy(false);
  };
  const change = async () => {
    const { currentPassword, newPassword } = form;
    try {
      await call('changePassword', { body: { newPassword, ...(hasPassword && { currentPassword }) } });
      setForm(empty);
      void queries.invalidateQueries(sessionsQuery);
      void queries.invalidateQueries(accountQuery);
      toast(`Password ${hasPassword ? 'changed' : 'set'}. All other sessions were signed out.`);
    } catch (err) {
      if (isStaleSignIn(err)) throw err;
      setError(err);
    }
  };

  return (
    <>
      <form onSubmit={submit} noValidate>
        <Section
          title="Password"
          description={
            hasPassword
              ? 'Changing the password signs out all other sessions. Your API key does not change.'
              : 'Your account has no password: you sign in with a provider or a passkey. Set a password if you also want to sign in with email and password, here or over the API.'
          }
          footer={
            <div className="flex justify-end">
              <Button
                type="submit"
                kind="primary"
                busy={busy}
                disabled={(hasPassword && form.currentPassword === '') || form.newPassword === ''}
              >
                {hasPassword ? 'Change' : 'Set'} password
              </Button>
            </div>
          }
        >
          <div className="grid max-w-md gap-4">
            <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
            {/* Tells password managers which account the password belongs to. */}
            <input type="hidden" name="username" autoComplete="username" value={email} />
            {hasPassword && (
              <PasswordField
                label="Current password"
                autoComplete="current-password"
                value={form.currentPassword}
                onChange={(currentPassword) => setForm({ ...form, currentPassword })}
                error={fields.currentPassword}
              />
            )}
            <PasswordField
              label="New password"
              autoComplete="new-password"
              value={form.newPassword}
              onChange={(newPassword) => setForm({ ...form, newPassword })}
              error={fields.newPassword}
              choosing={{ email }}
            />
          </div>
        </Section>
      </form>
      {dialog}
    </>
  );
}
