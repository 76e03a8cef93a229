import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { PasswordField } from '../auth/PasswordField.tsx';
import { ApiError, faultsByField, messageOf, request } from '../lib/api.ts';
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
    error instanceof ApiError && error.code === 'invalid_credentials'
      ? { currentPassword: 'This is not your current password' }
      : faultsByField(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await request('POST', '/api/session/change-password', form);
      setForm(empty);
      void queries.invalidateQueries(sessionsQuery);
      toast('Your password is changed. All other sessions are signed out.');
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
        description="Changing it signs out all other sessions. The API key stays as it is."
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
          {/* Lets a password manager see whose password this is. */}
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
