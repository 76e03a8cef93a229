import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { accountQuery } from '../settings/account.ts';
import { useSendVerification } from '../settings/use-send-verification.ts';
import { Button } from '../ui/Button.tsx';

/** Reminds people of the verification link that was sent to them when they registered, until they open the link. */
export function VerificationBanner() {
  const { data: account } = useQuery(accountQuery);
  return account?.sendsEmail && !account.emailVerified ? (
    <Reminder email={account.email} isRequired={account.verificationRequired} />
  ) : null;
}

/**
 * Shows the reminder, except on the profile page. This is a separate component, so that only this component is rendered when the path
 * changes. Otherwise, the navigation after signing out would render the component above, whose query would load the account again.
 */
function Reminder({ email, isRequired }: { email: string; isRequired: boolean }) {
  // The profile page has a section with the same message.
  const isThere = useRouterState({ select: ({ location }) => location.pathname.replace(/\/$/, '') === '/dashboard/settings' });
  const { send, busy } = useSendVerification(email);
  if (isThere) return null;
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-sunken px-4 py-2 text-ink-2 sm:px-8">
      <p className="flex min-w-0 items-start gap-2">
        <Mail aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          To verify your email address, open the link that we sent to {email}.
          {isRequired && ' Until then, you cannot use workspaces, and your API key cannot read prompts.'}
        </span>
      </p>
      <Button size="sm" busy={busy} onClick={send}>
        Send again
      </Button>
    </div>
  );
}
