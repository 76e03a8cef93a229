import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { PasswordField } from '../auth/PasswordField.tsx';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { sessionsQuery } from './account.ts';

const empty = { currentPassword: '', newPassword: '' };

export function PasswordForm({ email }: { email: string }) {
  const queries = useQueryClient();
  const [form, setForm] = useState(empty);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields =
    error instanceof ApiError && error.code === 'invalid_credentials' ? { currentPassword: 'Incorrect password' } : errorsByField(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await call('changePassword', { body: form });
      setForm(empty);
      void queries.invalidateQueries(sessionsQuery);
      toast('Password changed. All other sessions were signed out.');
    } catch (err) {
      setError(err);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Section
        title="Password"
        description="Changing the password signs out all other sessions. Your API key does not change."
        footer={
          <div className="flex justify-end">
            <Button type="submit" kind="primary" busy={busy} disabled={form.currentPassword === '' || form.newPassword === ''}>
              Change password
            </Button>
          </div>
        }
      >
        <div className="grid max-w-md gap-4">
          <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
          {/* Tells password managers which account the password belongs to. */}
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            value={form.currentPassword}
            onChange={(currentPassword) => setForm({ ...form, currentPassword })}
            error={fields.currentPassword}
          />
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
  );
}
