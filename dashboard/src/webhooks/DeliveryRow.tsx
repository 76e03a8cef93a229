import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import { formatAgo, formatDateTime, formatMs, plural } from '../lib/format.ts';
import type { Webhook, WebhookDelivery } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { AttemptDetails } from './AttemptDetails.tsx';
import { refreshDeliveries } from './queries.ts';

interface DeliveryRowProps {
  webhook: Webhook;
  delivery: WebhookDelivery;
}

/** A delivery, which expands to show its attempts and its body. */
export function DeliveryRow({ webhook, delivery }: DeliveryRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { type, state, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
  const subject = subjectOf(delivery);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full items-center gap-3 px-4 py-2.5 text-left -outline-offset-2 hover:bg-hover sm:px-6"
      >
        <ChevronRight aria-hidden className={cx('size-4 shrink-0 text-ink-3 transition-transform duration-100', isOpen && 'rotate-90')} />
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            <span className="font-medium">{type}</span> {subject !== '' && <span className="text-ink-2">{subject}</span>}
          </span>
          <span className="block truncate text-ink-3 text-xs tabular">
            <time dateTime={createdAt} title={formatDateTime(createdAt)}>
              {formatAgo(createdAt)}
            </time>
            {last && ` · ${last.status ?? 'no response'} in ${formatMs(last.durationMs)}`}
            {attempts.length > 1 && ` · ${plural(attempts.length, 'attempt')}`}
          </span>
        </span>
        <Badge tone={tones[state]}>{state}</Badge>
      </button>
      {isOpen && <DeliveryDetails webhook={webhook} delivery={delivery} />}
    </li>
  );
}

function DeliveryDetails({ webhook, delivery }: DeliveryRowProps) {
  const { id, state, payload, attempts, nextAttemptAt } = delivery;
  const [busy, setBusy] = useState(false);
  const isPending = state === 'pending';
  const replay = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await call('replayDelivery', { path: { id: webhook.id, deliveryId: id } });
      toast(isPending ? 'Sending now.' : 'Sending again with the same webhook-id.');
    } catch (err) {
      toastFailure(messageOf(err));
    }
    setBusy(false);
    await refreshDeliveries();
  };
  return (
    <div className="space-y-4 bg-sunken/50 px-4 pt-1 pb-4 sm:pr-6 sm:pl-13">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 text-ink-2">{describe(delivery)}</p>
        {webhook.enabled ? (
          // The button is not disabled while busy, so that it keeps the focus.
          <Button size="sm" aria-busy={busy || undefined} onClick={replay}>
            {isPending ? 'Send now' : 'Replay'}
          </Button>
        ) : (
          <span className="text-ink-3 text-xs">Enable the webhook to replay this delivery.</span>
        )}
      </div>
      {nextAttemptAt !== null && isPending && <p className="text-ink-3 text-xs">Next attempt: {formatDateTime(nextAttemptAt)}</p>}
      {attempts.length > 0 && (
        <div>
          <h3 className="mb-2 font-medium text-xs">{attempts.length === 1 ? 'Attempt' : 'Attempts, newest first'}</h3>
          <ol className="space-y-3">
            {attempts.toReversed().map((attempt) => (
              <li key={attempt.at}>
                <AttemptDetails attempt={attempt} />
              </li>
            ))}
          </ol>
        </div>
      )}
      <div>
        <h3 className="mb-2 font-medium text-xs">Body</h3>
        {payload === null ? (
          <p className="text-ink-3 text-xs">The event is no longer stored.</p>
        ) : (
          <CodeBlock label="body" code={JSON.stringify(payload, undefined, 2)} />
        )}
        <p className="mt-2 font-mono text-2xs text-ink-3 break-all">webhook-id: {id}</p>
      </div>
    </div>
  );
}

const tones: Record<WebhookDelivery['state'], 'neutral' | 'accent' | 'danger' | 'warn'> = {
  delivered: 'accent',
  pending: 'warn',
  failed: 'danger',
  canceled: 'neutral',
};

function describe({ state, attempts }: WebhookDelivery): string {
  if (state === 'delivered') return 'The receiver accepted the event.';
  if (state === 'canceled') return 'The delivery was still queued when the webhook was disabled, so it was not sent.';
  if (state === 'failed') return 'All attempts failed.';
  return attempts.length === 0 ? 'The delivery is queued.' : 'The last attempt failed. The delivery will be retried.';
}

/** Returns the prompt or the person that the event is about. The payload follows the contract, but its fields depend on the type. */
function subjectOf({ payload }: WebhookDelivery): string {
  const { prompt, member, label, to } = (payload?.data ?? {}) as {
    prompt?: { name: string };
    member?: { name: string };
    label?: string;
    to?: unknown;
  };
  if (prompt && label !== undefined && typeof to === 'number') return `${prompt.name}, ${label} → v${to}`;
  return prompt?.name ?? member?.name ?? '';
}
