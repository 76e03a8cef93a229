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

const title = 'Confirm your new email address';

/** The page that the confirmation link for a new email address opens. Only someone who is signed in to the account can use the link. */
export function ConfirmEmailPage() {
  const { token = '' } = useSearch({ from: '/confirm-email' });
  const session = useQuery(sessionQuery);
  if (session.isPending) {
    return (
      <AuthLayout title={title}>
        <Loading label="Loading" rows={2} />
      </AuthLayout>
    );
  }
  const next = `/confirm-email?token=${encodeURIComponent(token)}`;
  if (session.data && token !== '') return <Confirm token={token} next={next} email={session.data.email} />;
  return (
    <AuthLayout title={title}>
      <div className="space-y-4">
        <p>
          {token === ''
            ? 'This link is incomplete. Open the full link from the email.'
            : 'Sign in to your account with your old address to confirm the new one.'}
        </p>
        {token === '' ? (
          <Link to="/dashboard" className={`${buttonClass('secondary')} w-full`}>
            Go to the dashboard
          </Link>
        ) : (
          <Link to="/login" search={{ next }} className={`${buttonClass('primary')} w-full`}>
            Sign in
          </Link>
        )}
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
  const isFinal = code === 'invalid_email_change_link' || code === 'email_taken';
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const user = await call('confirmEmailChange', { body: { token } });
      await queryClient.invalidateQueries();
      await navigate({ to: '/dashboard/settings' });
      toast(`Your email address is now ${user.email}.`);
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  const pending = account.data?.pendingEmail;
  return (
    <AuthLayout title={title} description={<span className="break-words">You are signed in as {email}.</span>}>
      <div className="space-y-4">
        <FormError>{error === undefined ? undefined : messageOf(error)}</FormError>
        {isFinal && (
          <Link to="/dashboard/settings" className={`${buttonClass('secondary')} w-full`}>
            Go to your profile
          </Link>
        )}
        {code === 'verification_for_another_account' && <SwitchAccount next={next} />}
        {!isFinal && code !== 'verification_for_another_account' && (
          <>
            <p className="wrap-anywhere">
              {pending ? `You will sign in with ${pending} instead.` : 'You will sign in with the new address instead.'} Your other sessions
              end. {account.data?.emailVerified && 'Your API key and two-factor authentication stay the same.'}
            </p>
            {account.data?.emailVerified === false && <VerificationEffect />}
            <Button kind="primary" busy={busy} onClick={confirm} className="w-full">
              Change email address
            </Button>
          </>
        )}
      </div>
    </AuthLayout>
  );
}
