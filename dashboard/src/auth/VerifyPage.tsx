import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { call, messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { sessionQuery } from '../lib/session.ts';
import { accountQuery } from '../settings/account.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { SwitchAccount } from './SwitchAccount.tsx';
import { VerificationEffect } from './VerificationEffect.tsx';

/** The page that a verification link opens. Only someone who is signed in to the account can use the link. */
export function VerifyPage() {
  const { token = '' } = useSearch({ from: '/verify' });
  const session = useQuery(sessionQuery);
  if (session.isPending) {
    return (
      <AuthLayout title="Verify your email address">
        <Loading label="Loading" rows={2} />
      </AuthLayout>
    );
  }
  if (token === '') return <Message text="This link is incomplete. Open the full link from the email." />;
  const next = `/verify?token=${encodeURIComponent(token)}`;
  if (!session.data) return <SignedOut next={next} />;
  return <Confirm token={token} next={next} email={session.data.email} />;
}

function Message({ text }: { text: string }) {
  return (
    <AuthLayout title="Verify your email address">
      <div className="space-y-4">
        <p>{text}</p>
        <Link to="/dashboard" className={`${buttonClass('secondary')} w-full`}>
          Go to the dashboard
        </Link>
      </div>
    </AuthLayout>
  );
}

function SignedOut({ next }: { next: string }) {
  return (
    <AuthLayout title="Verify your email address">
      <div className="space-y-3">
        <p>Sign in to the account to verify its email address.</p>
        <Link to="/login" search={{ next }} className={`${buttonClass('primary')} w-full`}>
          Sign in
        </Link>
        <p className="text-ink-3 text-xs">
          If someone else created the account, or if you forgot the password, reset the password instead. This also verifies the address.
        </p>
        <Link to="/reset" className={`${buttonClass('secondary')} w-full`}>
          Reset password
        </Link>
      </div>
    </AuthLayout>
  );
}

function Confirm({ token, next, email }: { token: string; next: string; email: string }) {
  const navigate = useNavigate();
  const account = useQuery(accountQuery);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const code = error instanceof ApiError ? error.code : undefined;
  const verify = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await call('verifyEmail', { body: { token } });
      await queryClient.invalidateQueries();
      await navigate({ to: '/dashboard/settings' });
      toast('Email address verified. Your API key was replaced. Copy the new one under API Keys.');
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  if (account.data?.emailVerified && account.data.email === email && !busy)
    return <Message text={`The email address ${email} is already verified.`} />;
  return (
    <AuthLayout title="Verify your email address" description={<span className="break-words">You are signed in as {email}.</span>}>
      <div className="space-y-4">
        <FormError>{error === undefined ? undefined : messageOf(error)}</FormError>
        {code === 'invalid_verification_link' && (
          <Link to="/dashboard/settings" className={`${buttonClass('secondary')} w-full`}>
            Go to your profile
          </Link>
        )}
        {code === 'verification_for_another_account' && (
          <>
            <SwitchAccount next={next} />
            <Link to="/reset" className={`${buttonClass('secondary')} w-full`}>
              Reset password
            </Link>
          </>
        )}
        {code !== 'invalid_verification_link' && code !== 'verification_for_another_account' && (
          <>
            <VerificationEffect />
            <Button kind="primary" busy={busy} onClick={verify} className="w-full">
              Verify email address
            </Button>
          </>
        )}
      </div>
    </AuthLayout>
  );
}
