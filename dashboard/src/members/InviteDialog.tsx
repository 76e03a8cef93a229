import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import type { MemberRole } from '../../../src/contract/roles.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import { formatDate } from '../lib/format.ts';
import type { CreatedInvitation } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { refreshMembers } from './queries.ts';
import { RoleChoice } from './RoleChoice.tsx';
import { withArticle } from './roles.ts';

/** Asks for the email and the role of an invitation, then shows the link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('editor');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [created, setCreated] = useState<CreatedInvitation>();
  const fields = fieldErrors(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      setCreated(await invite({ email: email.trim(), role }));
    } catch (err) {
      setError(err);
    } finally {
      setBusy(false);
    }
  };

  if (created) return <InvitationLinkDialog invitation={created} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title="Invite someone">
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && !fields.email ? messageOf(error) : undefined}</FormError>
        <Field
          label="Email"
          type="email"
          required
          autoFocus
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={fields.email}
          hint="Only the account with this address can accept."
        />
        <RoleChoice value={role} onChange={setRole} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Invite
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Shows the link of a new invitation. The link is not shown anywhere else. */
export function InvitationLinkDialog({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  const { email, role, url, mailed, expiresAt } = invitation;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Invitation created"
      description={
        mailed ? (
          <>
            We sent the link to <b className="font-medium text-ink break-words">{email}</b>. You can also send it yourself.
          </>
        ) : (
          <>
            No email was sent yet. Copy the link and send it to <b className="font-medium text-ink break-words">{email}</b>.
          </>
        )
      }
      footer={
        <>
          <CopyButton text={url} label="Copy link" />
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <code data-testid="invitation-link" className="block rounded-md border border-line bg-sunken p-3 font-mono text-xs break-all">
        {url}
      </code>
      <p className="mt-2 text-ink-3 text-xs">
        They join as {withArticle(role)}. The link works once, expires on {formatDate(expiresAt)}, and is not shown again.
      </p>
    </Dialog>
  );
}

/** Invites an email address. The link of an earlier invitation for the same address stops working. */
export async function invite(invitation: { email: string; role: MemberRole }): Promise<CreatedInvitation> {
  const created = await call('inviteMember', { body: invitation });
  void refreshMembers();
  return created;
}

function fieldErrors(error: unknown): Record<string, string> {
  if (error instanceof ApiError && error.code === 'already_member') return { email: error.message };
  return errorsByField(error);
}
