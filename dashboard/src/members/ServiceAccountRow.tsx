import { Bot } from 'lucide-react';
import { useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import { formatAgo, formatDate } from '../lib/format.ts';
import type { Member } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { changeRole } from './change-role.ts';
import type { ShownKey } from './KeyDialog.tsx';
import { refreshMembers } from './queries.ts';
import { RoleMenu } from './RoleMenu.tsx';

interface ServiceAccountRowProps {
  account: Member;
  canManage: boolean;
  onKey: (key: ShownKey) => void;
}

export function ServiceAccountRow({ account, canManage, onKey }: ServiceAccountRowProps) {
  const { userId, name, role, keyCreatedAt, keyLastUsedAt } = account;
  const [confirming, setConfirming] = useState<'reset' | 'remove'>();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (err) {
      toastFailure(messageOf(err));
    }
    setBusy(false);
    setConfirming(undefined);
    await refreshMembers();
  };
  const reset = () =>
    run(async () => {
      const { token } = await call('resetServiceAccountKey', { path: { userId } });
      onKey({ name, token });
    });
  const remove = () =>
    run(async () => {
      await call('removeMember', { path: { userId } });
      toast(`${name} was removed. Its key no longer works.`);
    });

  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <span aria-hidden className="flex size-6 shrink-0 items-center justify-center rounded-full bg-hover text-ink-3">
        <Bot className="size-4" strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <div className="truncate font-medium" title={name}>
          {name}
        </div>
        <div className="text-ink-3 text-xs">
          {keyLastUsedAt ? `Used ${formatAgo(keyLastUsedAt)}` : 'Never used'}
          {keyCreatedAt && ` · key created ${formatDate(keyCreatedAt)}`}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {canManage && role !== 'owner' ? (
          <>
            <RoleMenu name={name} value={role} onChange={(next) => changeRole(account, next)} />
            <Button onClick={() => setConfirming('reset')} aria-label={`Reset key for ${name}`}>
              Reset key
            </Button>
            <Button onClick={() => setConfirming('remove')} aria-label={`Remove ${name}`}>
              Remove
            </Button>
          </>
        ) : (
          <Badge>{role}</Badge>
        )}
      </div>
      <ConfirmDialog
        open={confirming === 'reset'}
        onOpenChange={() => setConfirming(undefined)}
        title={`Reset the key for ${name}?`}
        confirm="Reset key"
        busy={busy}
        onConfirm={reset}
      >
        <p>The current key stops working immediately. The program gets 401 Unauthorized until it uses the new key.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={confirming === 'remove'}
        onOpenChange={() => setConfirming(undefined)}
        title={`Remove ${name}?`}
        confirm="Remove"
        busy={busy}
        onConfirm={remove}
      >
        <p>Its key stops working immediately. Its changes stay in the history under its name. This cannot be undone.</p>
      </ConfirmDialog>
    </li>
  );
}
