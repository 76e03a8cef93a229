import { useQuery } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { maxAccountNameLength } from '../../../src/contract/limits.ts';
import { findInvitationToken, invitationQuery } from '../invitations/queries.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import { safeNext } from '../lib/safe-next.ts';
import { acceptSession, awaitsFirstAccount } from '../lib/session.ts';
import { Button } from '../ui/Button.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { AuthLayout, textLinkClass } from './AuthLayout.tsx';
import { findMissingFields } from './missing-fields.ts';
import { PasswordField } from './PasswordField.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import { signInOptionsQuery } from './sign-in-options.ts';

export function SignupPage() {
  const { next } = useSearch({ from: '/signup' });
  const router = useRouter();
  const [form, setForm] = useState({ name: '', email: '', password: '' });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [missing, setMissing] = useState<Record<string, string>>({});
  const fields = { ...fieldErrors(error), ...missing };
  const invitation = findInvitationToken(next);
  const { data: invited } = useQuery({ ...invitationQuery(invitation ?? ''), enabled: invitation !== undefined });
  const email = invited?.email ?? form.email;
  const takesPassword = useQuery(signInOptionsQuery).data?.password !== false;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    const { password } = form;
    const found = findMissingFields({ email, password });
    setMissing(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const name = form.name.trim();
      const account = { email, password, ...(name && { name }), ...(invitation !== undefined && { invitation }) };
      acceptSession(await call('signUp', { body: account }));
      router.history.push(safeNext(next));
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <AuthLayout
      title="Create your account"
      description={`${awaitsFirstAccount() ? 'This is the first account on this server. ' : ''}Your account comes with an API key.`}
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" search={next === undefined ? {} : { next }} className={textLinkClass}>
            Sign in
          </Link>
        </>
      }
    >
      <ProviderButtons next={next} verb="Sign up with" hasAlternative={takesPassword} />
      {takesPassword && (
        <form onSubmit={submit} className="mt-4 space-y-4 first:mt-0" noValidate>
          <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
          <Field
            label="Name"
            autoComplete="name"
            autoFocus
            maxLength={maxAccountNameLength}
            value={form.name}
            onChange={(event) => setForm({ ...form, name: event.target.value })}
            error={fields.name}
            hint="Optional."
          />
          <Field
            label="Email"
            type="email"
            autoComplete="username"
            required
            value={email}
            readOnly={invited !== undefined}
            hint={invited && 'The invitation is for this address.'}
            onChange={(event) => setForm({ ...form, email: event.target.value })}
            error={fields.email}
          />
          <PasswordField
            label="Password"
            autoComplete="new-password"
            value={form.password}
            onChange={(password) => setForm({ ...form, password })}
            error={fields.password}
            choosing={{ email }}
          />
          <Button type="submit" kind="primary" busy={busy} className="w-full">
            Create account
          </Button>
        </form>
      )}
    </AuthLayout>
  );
}

/** Returns the errors by field. If an account with the email already exists, the server's error does not name a field. */
function fieldErrors(error: unknown): Record<string, string> {
  if (error instanceof ApiError && error.code === 'email_taken') return { email: error.message };
  return errorsByField(error);
}
