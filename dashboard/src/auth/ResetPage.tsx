import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import { forgetSession } from '../lib/session.ts';
import { Button } from '../ui/Button.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { AuthLayout, textLinkClass } from './AuthLayout.tsx';
import { PasswordField } from './PasswordField.tsx';

/** Requests a reset link. If the URL has the token of such a link, sets the new password. */
export function ResetPage() {
  const { token } = useSearch({ from: '/reset' });
  return token === undefined ? <RequestLink /> : <ChoosePassword token={token} />;
}

function RequestLink() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const { busy, error, run } = useSubmit();
  const fields = errorsByField(error);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(email.trim() === '');
    if (email.trim() === '') return;
    void run(async () => {
      await call('forgotPassword', { body: { email } });
      setSent(true);
    });
  };

  const backToSignIn = (
    <Link to="/login" className={textLinkClass}>
      Back to sign in
    </Link>
  );
  if (sent) {
    return (
      <AuthLayout title="Check your email" footer={backToSignIn}>
        <p role="status" className="text-ink-2">
          If an account exists for <b className="font-medium text-ink">{email}</b>, we are sending a link to set a new password. The link
          works once and expires after 30 minutes.
        </p>
        <p className="mt-3 text-ink-3 text-xs">
          No email after a few minutes? Try again later. If this server does not send email, ask its operator for the link in the log.
        </p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Reset your password" description="We will send you a link to choose a new password." footer={backToSignIn}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && !fields.email ? messageOf(error) : undefined}</FormError>
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={isMissing ? 'Enter your email address.' : fields.email}
        />
        <Button type="submit" kind="primary" busy={busy} className="w-full">
          Send link
        </Button>
      </form>
    </AuthLayout>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const [newPassword, setNewPassword] = useState('');
  const router = useRouter();
  const { busy, error, run } = useSubmit();
  const fields = errorsByField(error);
  const isExpired = error instanceof ApiError && error.code === 'invalid_reset_link';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await call('resetPassword', { body: { token, newPassword } });
      forgetSession();
      toast('Password changed. Sign in with your new password.');
      await router.navigate({ to: '/login' });
    });
  };

  return (
    <AuthLayout
      title="Choose a new password"
      description="This signs you out everywhere. If your email address was never verified, this also revokes all earlier access: your API key is replaced, two-factor authentication is turned off, your passkeys are removed, sign-in providers are unlinked, your workspace’s members, service accounts and invitations are removed, and its webhooks are disabled."
    >
      <form onSubmit={submit} className="space-y-4" noValidate>
        {isExpired ? (
          <FormError>
            This link has expired or has already been used.{' '}
            <Link to="/reset" className="font-medium underline underline-offset-3">
              Request a new one
            </Link>
          </FormError>
        ) : (
          <FormError>{error !== undefined && !fields.newPassword ? messageOf(error) : undefined}</FormError>
        )}
        <PasswordField
          label="New password"
          autoComplete="new-password"
          autoFocus
          value={newPassword}
          onChange={setNewPassword}
          error={fields.newPassword}
          choosing={{ email: '' }}
        />
        <Button type="submit" kind="primary" busy={busy} className="w-full">
          Set new password
        </Button>
      </form>
    </AuthLayout>
  );
}

function useSubmit() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (err) {
      setError(err);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}
