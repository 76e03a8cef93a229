import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime } from '../lib/format.ts';
import type { Webhook } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { setEnabled } from './set-enabled.ts';

/** Says why and since when the webhook is disabled, and offers to enable it. */
export function DisabledNotice({ webhook }: { webhook: Webhook }) {
  const { disabledAt, disabledReason } = webhook;
  const [busy, setBusy] = useState(false);
  const run = async (enabled: boolean) => {
    setBusy(true);
    await setEnabled(webhook, enabled);
    setBusy(false);
  };
  const since = disabledAt === null ? '' : ` on ${formatDateTime(disabledAt)}`;
  if (disabledReason === null) {
    return (
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken px-3 py-2 text-ink-2">
        <p className="min-w-0 flex-1 basis-60">Disabled{since}. Events that occur while it is disabled are never sent.</p>
        <Button busy={busy} onClick={() => run(true)}>
          Enable
        </Button>
      </div>
    );
  }
  return (
    <div role="status" className="mt-4 flex flex-wrap items-start justify-between gap-3 rounded-md bg-warn-soft px-3 py-2 text-warn">
      <div className="flex min-w-0 flex-1 basis-72 gap-2">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0 space-y-1">
          <p className="font-medium">Disabled{since}</p>
          <p className="wrap-anywhere">{disabledReason}.</p>
          <p>Send a test. Once it reaches the receiver, enable the webhook and replay the missing deliveries below.</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={() => run(true)}>
          Enable
        </Button>
        <Button busy={busy} onClick={() => run(false)}>
          Keep disabled
        </Button>
      </div>
    </div>
  );
}
