import { useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import { formatDate } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Member } from '../lib/types.ts';
import { mayManage, titleOf, useWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { useEnterWorkspace } from '../shell/use-switch-workspace.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { changeRole } from './change-role.ts';
import { refreshMembers } from './queries.ts';
import { RoleMenu } from './RoleMenu.tsx';

/** A person with their role. Admins can change the role of everyone except the owner and themselves. */
export function MemberRow({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { userId, name, email, role, joinedAt } = member;
  const canManage = mayManage(useWorkspace());
  const [removing, setRemoving] = useState(false);
  const isOwner = role === 'owner';
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Avatar userId={userId} name={name} />
      <div className="min-w-0 flex-1 basis-48">
        <div className="flex items-center gap-2 font-medium">
          <span className="truncate" title={name}>
            {name}
          </span>
          {isSelf && <Badge>You</Badge>}
        </div>
        <div className="flex text-ink-3 text-xs">
          <span className="truncate" title={email ?? undefined}>
            {email}
          </span>
          <span className="shrink-0 whitespace-pre">
            {' '}
            · {isOwner ? 'since' : 'joined'} {formatDate(joinedAt)}
          </span>
        </div>
      </div>
      <div className="flex items-center gap-2">
        {canManage && !isOwner && !isSelf ? (
          <RoleMenu name={name} value={role} onChange={(next) => changeRole(member, next)} />
        ) : (
          <Badge tone={isOwner ? 'accent' : 'neutral'}>{role}</Badge>
        )}
        {isSelf && !isOwner && (
          <Button kind="danger-quiet" onClick={() => setRemoving(true)}>
            Leave workspace…
          </Button>
        )}
        {canManage && !isSelf && !isOwner && (
          <Button onClick={() => setRemoving(true)} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        )}
      </div>
      {removing && isSelf && <LeaveDialog member={member} onClose={() => setRemoving(false)} />}
      {removing && !isSelf && <RemoveDialog member={member} onClose={() => setRemoving(false)} />}
    </li>
  );
}

interface DialogProps {
  member: Member;
  onClose: () => void;
}

function RemoveDialog({ member: { userId, name }, onClose }: DialogProps) {
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await call('removeMember', { path: { userId } });
      toast(`${name} was removed.`);
    } catch (err) {
      toastFailure(messageOf(err));
    }
    onClose();
    await refreshMembers();
  };
  return (
    <ConfirmDialog open onOpenChange={onClose} title={`Remove ${name}?`} confirm="Remove" busy={busy} onConfirm={remove}>
      <p>
        {name} loses access to this workspace immediately, in the browser and with their API key. The open invitations that they sent stop
        working.
      </p>
      <p>Their changes stay in the history under their name. If they have seen service account keys, reset those keys.</p>
    </ConfirmDialog>
  );
}

function LeaveDialog({ member: { userId }, onClose }: DialogProps) {
  const { listed } = useWorkspace();
  const enter = useEnterWorkspace();
  const title = listed ? titleOf(listed) : 'this workspace';
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      await call('removeMember', { path: { userId } });
      await enter(userId, '.');
      toast(`You left ${title}.`);
      await queryClient.invalidateQueries(workspacesQuery);
    } catch (err) {
      toastFailure(messageOf(err));
      onClose();
    }
  };
  return (
    <ConfirmDialog open onOpenChange={onClose} title={`Leave ${title}?`} confirm="Leave workspace" busy={busy} onConfirm={leave}>
      <p>You lose access immediately, in the browser and with your API key. To come back, you need a new invitation.</p>
    </ConfirmDialog>
  );
}
