import type { EventRecord } from '../../store/events/events.ts';
import type { AttemptRecord } from '../../store/webhooks/deliveries.ts';
import type { WebhookRecord } from '../../store/webhooks/webhooks.ts';
import type { Context } from '../context.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { toMessageId, toPayload } from './payload.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import { openSigningSecrets, signDelivery } from './signature.ts';

const defaultTimeoutMs = 15_000;
const keptResponseLength = 1024;

export interface AttemptResult {
  attempt: AttemptRecord;
  /** `gone`: the receiver wants nothing more. */
  outcome: 'delivered' | 'failed' | 'gone';
  /** How long the receiver asks to wait. */
  retryAfterMs: number | undefined;
}

export interface AttemptOptions {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends an event to a webhook once. Throws only if it was aborted, or for an error on our side. */
export async function attemptDelivery(
  ctx: Context,
  accountId: string,
  { webhook, event }: { webhook: WebhookRecord; event: EventRecord },
  { timeoutMs = defaultTimeoutMs, signal }: AttemptOptions = {},
): Promise<AttemptResult> {
  const now = new Date();
  const body = JSON.stringify(toPayload(accountId, event));
  const secrets = openSigningSecrets(ctx, { accountId, webhookId: webhook.id }, webhook, now);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'PromptHarbor-Webhooks',
    ...signDelivery(secrets, { id: toMessageId(accountId, event.revision), body, now }),
  };
  const started = performance.now();
  const finish = (result: Pick<AttemptRecord, 'status' | 'error' | 'response'>): AttemptRecord => ({
    at: now.toISOString(),
    durationMs: Math.round(performance.now() - started),
    ...result,
  });
  try {
    const request = { workspaceId: accountId, url: webhook.url, method: 'POST' as const, headers, body, timeoutMs };
    const response = await ctx.outbound.request(request, signal);
    const { status } = response;
    const text = response.text.slice(0, keptResponseLength);
    const outcome = outcomeOf(status);
    const error =
      outcome === 'delivered'
        ? null
        : `The receiver responded with ${status}${isRedirect(status) ? ', and redirects are not followed' : ''}`;
    return {
      attempt: finish({ status, error, response: text }),
      outcome,
      retryAfterMs: parseRetryAfter(response.retryAfter, now),
    };
  } catch (err) {
    if (!(err instanceof OutboundError) || signal?.aborted) throw err;
    return { attempt: finish({ status: null, error: err.message, response: null }), outcome: 'failed', retryAfterMs: undefined };
  }
}

function outcomeOf(status: number): AttemptResult['outcome'] {
  if (status === 410) return 'gone';
  return status >= 200 && status < 300 ? 'delivered' : 'failed';
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
