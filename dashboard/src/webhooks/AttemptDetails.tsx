import { formatDateTime, formatMs } from '../lib/format.ts';
import type { WebhookDelivery } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';

type Attempt = WebhookDelivery['attempts'][number];

/** Shows one request: when it was sent, how long it took, and the start of the response. */
export function AttemptDetails({ attempt }: { attempt: Attempt }) {
  const { at, status, durationMs, error, response } = attempt;
  return (
    <div className="space-y-1.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-3 text-xs tabular">
        <Badge tone={error === null ? 'accent' : 'danger'}>{status ?? 'no response'}</Badge>
        <span>{formatMs(durationMs)}</span>
        <span>·</span>
        <time dateTime={at}>{formatDateTime(at)}</time>
      </p>
      {error !== null && <p className="wrap-anywhere">{error}.</p>}
      {response && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
        <section aria-label="Response" tabIndex={0} className="max-h-40 overflow-auto rounded-md border border-line bg-sunken">
          <pre className="whitespace-pre-wrap p-3 font-mono text-xs leading-5 wrap-anywhere">{response}</pre>
        </section>
      )}
      {response === '' && <p className="text-ink-3 text-xs">The response had no body.</p>}
    </div>
  );
}
