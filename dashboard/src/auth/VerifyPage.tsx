import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, messageOf, request } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { sessionQuery } from '../lib/session.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { VerificationEffect } from './VerificationEffect.tsx';

/** The page that a verification link opens. Only somebody who is signed in to the account can use the link. */
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
  if (!session.data) return <SignedOut next={`/verify?token=${encodeURIComponent(token)}`} />;
  return <Confirm token={token} email={session.data.email} />;
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
          Did somebody else create the account, or did you forget the password? Reset the password instead. This also verifies the address.
        </p>
        <Link to="/reset" className={`${buttonClass('secondary')} w-full`}>
          Reset the password
        </Link>
      </div>
    </AuthLayout>
  );
}

function Confirm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isInvalid = error instanceof ApiError && error.code === 'invalid_verification_link';
  const verify = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await request('POST', '/api/session/verify-email', { token });
      await queryClient.invalidateQueries();
      await navigate({ to: '/dashboard/settings' });
      toast('Email address verified.');
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  return (
    <AuthLayout title="Verify your email address" description={<span className="break-words">You are signed in as {email}.</span>}>
      <div className="space-y-4">
        <FormError>{error === undefined ? undefined : messageOf(error)}</FormError>
        <VerificationEffect />
        {isInvalid ? (
          <Link to="/dashboard/settings" className={`${buttonClass('secondary')} w-full`}>
            Go to your profile
          </Link>
        ) : (
          <Button kind="primary" busy={busy} onClick={verify} className="w-full">
            Verify email address
          </Button>
        )}
      </div>
    </AuthLayout>
  );
}
