import { useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import { formatDate } from '../lib/format.ts';
import type { CreatedInvitation, Invitation } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { InvitationLinkDialog, invite } from './InviteDialog.tsx';
import { refreshMembers } from './queries.ts';

/** Lists the invitations that have not been accepted yet. */
export function InvitationList({ invitations }: { invitations: Invitation[] }) {
  return (
    <Section
      title="Open invitations"
      description="Each link is shown only once. If a link is lost, create a new one. The old link then stops working."
    >
      <ul className="divide-y divide-line">
        {invitations.map((invitation) => (
          // The key is the email address, so that the row and its new link stay when the invitation is replaced.
          <InvitationRow key={invitation.email} invitation={invitation} />
        ))}
      </ul>
    </Section>
  );
}

function InvitationRow({ invitation: { id, email, role, invitedBy, expiresAt } }: { invitation: Invitation }) {
  const [busy, setBusy] = useState<'renew' | 'remove'>();
  const [renewed, setRenewed] = useState<CreatedInvitation>();
  const run = async (kind: 'renew' | 'remove', work: () => Promise<void>) => {
    setBusy(kind);
    try {
      await work();
    } catch (err) {
      toastFailure(messageOf(err));
      await refreshMembers();
    } finally {
      setBusy(undefined);
    }
  };
  const renew = () => run('renew', async () => setRenewed(await invite({ email, role })));
  const remove = () =>
    run('remove', async () => {
      await call('removeInvitation', { path: { id } });
      toast(`Invitation for ${email} removed. Its link no longer works.`);
      await refreshMembers();
    });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-48">
        <div className="truncate font-medium" title={email}>
          {email}
        </div>
        <div className="truncate text-ink-3 text-xs">
          Invited by {invitedBy.name} · expires {formatDate(expiresAt)}
        </div>
      </div>
      <div className="flex items-center gap-2">
        <Badge>{role}</Badge>
        <Button busy={busy === 'renew'} onClick={renew} aria-label={`New link for ${email}`}>
          New link
        </Button>
        <Button busy={busy === 'remove'} onClick={remove} aria-label={`Remove the invitation for ${email}`}>
          Remove
        </Button>
      </div>
      {renewed && <InvitationLinkDialog invitation={renewed} onClose={() => setRenewed(undefined)} />}
    </li>
  );
}
