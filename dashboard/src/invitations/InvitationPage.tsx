import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { AuthLayout } from '../auth/AuthLayout.tsx';
import { SwitchAccount } from '../auth/SwitchAccount.tsx';
import { call, messageOf } from '../lib/api.ts';
import { openWorkspaceOf, startIn } from '../lib/current-workspace.ts';
import { formatDate } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import { sessionQuery } from '../lib/session.ts';
import type { Account, ReceivedInvitation, User } from '../lib/types.ts';
import { titleOf, workspacesQuery } from '../lib/workspace.ts';
import { withArticle } from '../members/roles.ts';
import { accountQuery } from '../settings/account.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { invitationQuery } from './queries.ts';

const roleTexts: Record<ReceivedInvitation['role'], string> = {
  viewer: 'You will be able to read and render its prompts and see its statistics.',
  editor: 'You will be able to read and write its prompts and move labels that are not protected.',
  deployer: 'You will be able to read and write its prompts and move all labels, including protected ones.',
  admin: 'You will be able to read and write its prompts, move all labels, and manage its members and settings.',
};

/** The page that an invitation's link opens. The page shows who invites the user to which workspace, and what the user has to do next. */
export function InvitationPage() {
  const { token } = useParams({ from: '/invitations/$token' });
  const invitation = useQuery(invitationQuery(token));
  const session = useQuery(sessionQuery);
  if (invitation.isError) return <Unusable error={invitation.error} onRetry={() => invitation.refetch()} />;
  if (invitation.isPending || session.isPending) {
    return (
      <AuthLayout title="Invitation">
        <Loading label="Loading invitation" rows={3} />
      </AuthLayout>
    );
  }
  const { workspace, invitedBy, email, role, expiresAt } = invitation.data;
  const isByOwner = workspace.kind === 'personal' && workspace.name === invitedBy.name;
  return (
    <AuthLayout
      title={`Join ${titleOf(workspace)}`}
      description={
        <span className="break-words">
          {`${invitedBy.name} invited you to ${isByOwner ? 'their workspace' : titleOf(workspace)}`} as{' '}
          <b className="font-medium text-ink">{withArticle(role)}</b>.
        </span>
      }
      footer={<span className="text-ink-3 text-xs">The invitation is valid until {formatDate(expiresAt)}.</span>}
    >
      <p className="mb-5 rounded-md bg-sunken px-3 py-2 text-ink-2 text-xs">{roleTexts[role]}</p>
      {!session.data && <SignedOut token={token} email={email} />}
      {session.data?.email === email && <Accept token={token} invitation={invitation.data} user={session.data} />}
      {session.data && session.data.email !== email && <WrongAccount token={token} email={email} user={session.data} />}
    </AuthLayout>
  );
}

interface AcceptProps {
  token: string;
  invitation: ReceivedInvitation;
  user: User;
}

function Accept({ token, invitation, user }: AcceptProps) {
  const navigate = useNavigate();
  const account = useQuery(accountQuery);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const accept = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { workspace, role } = await call('acceptInvitation', { path: { token } });
      openWorkspaceOf(user.userId, workspace.id);
      startIn(workspace.id);
      await queryClient.invalidateQueries(workspacesQuery);
      await navigate({ to: '/dashboard/prompts', search: { workspace: workspace.id } });
      toast(`You joined ${titleOf(workspace)} as ${withArticle(role)}.`);
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };
  return (
    <div className="space-y-3">
      <FormError>{error}</FormError>
      {account.data && revokesAccess(account.data, token) && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn text-xs">
          Accepting this invitation revokes all earlier access to your account: your API key is replaced, two-factor authentication is
          turned off, your passkeys are removed, sign-in providers are unlinked, your other sessions end, your own workspace’s members,
          service accounts and invitations are removed, and its webhooks are disabled. Your prompts are kept.
        </p>
      )}
      <Button kind="primary" busy={busy} onClick={accept} className="w-full">
        Accept
      </Button>
      <p className="text-ink-3 text-xs break-words">
        You are signed in as {invitation.email}. You keep your own workspace, and you can leave this workspace at any time.
      </p>
    </div>
  );
}

/**
 * Returns whether accepting the invitation revokes all earlier access to an account whose address is not verified. A link from an email
 * always revokes it, because the link proves that the address belongs to the user. Any other link revokes it only if the account has not
 * accepted an invitation before.
 */
function revokesAccess({ emailVerified, acceptedInvitation }: Account, token: string): boolean {
  return !emailVerified && (token.includes('~') || !acceptedInvitation);
}

function WrongAccount({ token, email, user }: { token: string; email: string; user: User }) {
  return (
    <div className="space-y-4">
      <p className="break-words">
        This invitation is for <b className="font-medium">{email}</b>, but you are signed in as <b className="font-medium">{user.email}</b>.
      </p>
      <SwitchAccount next={`/invitations/${token}`} />
    </div>
  );
}

function SignedOut({ token, email }: { token: string; email: string }) {
  const next = `/invitations/${token}`;
  return (
    <div className="space-y-3">
      <p className="break-words">
        The invitation is for <b className="font-medium">{email}</b>. Sign in with this address, or create an account for it.
      </p>
      <Link to="/signup" search={{ next }} className={`${buttonClass('primary')} w-full`}>
        Create account
      </Link>
      <Link to="/login" search={{ next }} className={`${buttonClass('secondary')} w-full`}>
        Sign in
      </Link>
    </div>
  );
}

function Unusable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isGone = error instanceof ApiError && error.code === 'invitation_not_found';
  return (
    <AuthLayout title={isGone ? 'This invitation is no longer valid' : 'The invitation cannot be loaded'}>
      <p className="mb-5 text-ink-2">
        {isGone
          ? 'It has expired, was withdrawn, or has already been accepted. Ask the person who invited you for a new one.'
          : messageOf(error)}
      </p>
      {isGone ? (
        <Link to="/dashboard" className={`${buttonClass('secondary')} w-full`}>
          Go to the dashboard
        </Link>
      ) : (
        <Button onClick={onRetry} className="w-full">
          Try again
        </Button>
      )}
    </AuthLayout>
  );
}
