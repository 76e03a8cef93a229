import { useNavigate } from '@tanstack/react-router';
import { CirclePause, CirclePlay, Ellipsis, PenLine, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import { formatDate, formatDateTime } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Webhook, WebhookWithSecret } from '../lib/types.ts';
import { IconButton } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { DisabledNotice } from './DisabledNotice.tsx';
import { describeEvents } from './events.ts';
import { refreshWebhooks, webhookQuery, webhooksQuery } from './queries.ts';
import { SecretDialog } from './SecretDialog.tsx';
import { setEnabled } from './set-enabled.ts';
import { TestButton } from './TestButton.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookState } from './WebhookState.tsx';

/** A webhook with its state and actions. */
export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { id, url, events, description, enabled, previousSecretUntil, createdAt } = webhook;
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>();
  const [rotated, setRotated] = useState<WebhookWithSecret>();
  const [busy, setBusy] = useState(false);
  const close = () => setDialog(undefined);

  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (err) {
      toastFailure(messageOf(err));
    }
    setBusy(false);
    close();
  };
  const rotate = () =>
    run(async () => {
      setRotated(await call('rotateWebhookSecret', { path: { id } }));
      void refreshWebhooks();
    });
  const remove = () =>
    run(async () => {
      await call('deleteWebhook', { path: { id } });
      toast('The webhook was deleted.');
      await navigate({ to: '/dashboard/settings/webhooks' });
      queryClient.removeQueries(webhookQuery(id));
      await queryClient.invalidateQueries({ ...webhooksQuery, exact: true });
    });

  return (
    <Card className="p-4 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex items-start gap-1">
            <h2 className="font-semibold text-base wrap-anywhere">{url}</h2>
            <span className="-my-1.5">
              <CopyButton iconOnly text={url} label="Copy URL" />
            </span>
          </div>
          {description !== '' && <p className="mt-1 text-ink-2 wrap-anywhere">{description}</p>}
        </div>
        <div className="flex items-center gap-2">
          <TestButton webhook={webhook} />
          <Menu
            trigger={
              <IconButton label="More actions">
                <Ellipsis aria-hidden className="size-4" />
              </IconButton>
            }
          >
            <MenuItem icon={PenLine} onSelect={() => setDialog('edit')}>
              Edit
            </MenuItem>
            <MenuItem icon={enabled ? CirclePause : CirclePlay} onSelect={() => void setEnabled(webhook, !enabled)}>
              {enabled ? 'Disable' : 'Enable'}
            </MenuItem>
            <MenuItem icon={RefreshCw} onSelect={() => setDialog('rotate')}>
              Rotate secret
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={Trash2} danger onSelect={() => setDialog('delete')}>
              Delete
            </MenuItem>
          </Menu>
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-3 text-xs">
        <WebhookState webhook={webhook} />
        <span title={events === 'all' ? undefined : events.join(', ')}>
          {describeEvents(events)} · created {formatDate(createdAt)}
          {previousSecretUntil !== null && ` · also signed with the old secret until ${formatDateTime(previousSecretUntil)}`}
        </span>
      </div>
      {!enabled && <DisabledNotice webhook={webhook} />}

      {dialog === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      <ConfirmDialog
        open={dialog === 'rotate'}
        onOpenChange={close}
        title="Rotate the secret?"
        confirm="Rotate secret"
        busy={busy}
        onConfirm={rotate}
      >
        <p>You get a new secret. For 24 hours, requests are signed with both secrets, so that you have time to update the receiver.</p>
        {previousSecretUntil !== null && <p>The old secret, which the last rotation replaced, stops working immediately.</p>}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title="Delete this webhook?"
        confirm="Delete"
        busy={busy}
        onConfirm={remove}
      >
        <p className="wrap-anywhere">Events are no longer sent to {url}. Queued deliveries are canceled. This cannot be undone.</p>
      </ConfirmDialog>
      {rotated && <SecretDialog webhook={rotated} onClose={() => setRotated(undefined)} />}
    </Card>
  );
}
