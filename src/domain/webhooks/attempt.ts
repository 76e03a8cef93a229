import type { Preemption } from '../../platform/scheduling/preemptive-queue.ts';
import type { EventRecord } from '../../store/events/events.ts';
import type { WithStore } from '../../store/store.ts';
import type { AttemptRecord } from '../../store/webhooks/deliveries.ts';
import type { WebhookRecord } from '../../store/webhooks/webhooks.ts';
import type { WithLinks } from '../links.ts';
import type { WithOutbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { describeWorkspace } from '../workspaces/change-workspace.ts';
import { toMessageId, toPayload } from './payload.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import { openSigningSecrets, signDelivery } from './signature.ts';
import { toSlackMessage } from './slack.ts';

const defaultTimeoutMs = 15_000;
/** The maximum stored sizes of a response and of an error. */
const maxKeptBytes = 1024;
const maxErrorBytes = 500;

export interface AttemptResult {
  attempt: AttemptRecord;
  /**
   * The result. `gone` means that the receiver wants no more deliveries. `rejected` means that the receiver will never accept this
   * delivery, so a retry would be useless.
   */
  outcome: 'delivered' | 'failed' | 'gone' | 'rejected';
  /** The time that the receiver asked us to wait. */
  retryAfterMs: number | undefined;
  /** Whether the receiver took too long. */
  isTimeout: boolean;
}

interface AttemptOptions {
  /** Ends the attempt before its timeout if other workspaces wait for a slot. */
  preemption: Preemption;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends an event to a webhook once. Throws only if the attempt was aborted, or if the service itself failed. */
export async function attemptDelivery(
  ctx: WithStore & WithKeyring & WithOutbound & WithLinks,
  accountId: string,
  { webhook, event }: { webhook: WebhookRecord; event: EventRecord },
  { preemption, timeoutMs = defaultTimeoutMs, signal }: AttemptOptions,
): Promise<AttemptResult> {
  const now = new Date();
  const body = JSON.stringify(webhook.format === 'slack' ? await toSlack(ctx, accountId, event) : toPayload(accountId, event));
  const secrets = openSigningSecrets(ctx, accountId, webhook, now);
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
  const signals = AbortSignal.any([preemption.signal, ...(signal ? [signal] : [])]);
  try {
    const request = { workspaceId: accountId, url: webhook.url, method: 'POST' as const, headers, body, timeoutMs };
    const { status, text, retryAfter } = await ctx.outbound.request(request, signals);
    const outcome = webhook.format === 'slack' ? slackOutcomeOf(status) : outcomeOf(status);
    return {
      attempt: finish(outcome === 'delivered' ? { status, error: null, response: null } : describeFailure(status, text)),
      outcome,
      retryAfterMs: parseRetryAfter(retryAfter, now),
      isTimeout: false,
    };
  } catch (err) {
    if (!(err instanceof OutboundError) || signal?.aborted) throw err;
    const isCut = preemption.signal.aborted;
    const error = isCut
      ? `${new URL(webhook.url).host} did not respond in time. Timeouts are shorter while many deliveries are queued.`
      : err.message;
    return {
      attempt: finish({ status: null, error: cutText(error, maxErrorBytes), response: null }),
      outcome: 'failed',
      retryAfterMs: undefined,
      isTimeout: isCut || err.kind === 'timeout',
    };
  }
}

function describeFailure(status: number, text: string): Pick<AttemptRecord, 'status' | 'error' | 'response'> {
  const isRedirect = status >= 300 && status < 400;
  const advice = isRedirect ? ', a redirect, which is not followed' : '';
  return { status, error: `The receiver responded with ${status}${advice}`, response: cutText(text, maxKeptBytes) };
}

/** Truncates text so that its JSON form has at most `maxBytes`. In JSON, a control character takes six bytes. */
function cutText(text: string, maxBytes: number): string {
  let length = Math.min(text.length, maxBytes);
  while (Buffer.byteLength(JSON.stringify(text.slice(0, length))) - 2 > maxBytes) length = Math.floor(length * 0.9);
  return text.slice(0, length);
}

async function toSlack(ctx: WithStore & WithLinks, workspaceId: string, event: EventRecord) {
  const workspace = await describeWorkspace(ctx.store, workspaceId);
  return toSlackMessage(event, { workspace, origin: ctx.publicOrigin });
}

/**
 * Slack responds with 403, 404 or 410 if the channel or the webhook no longer exists or may not be used, and with 400 if it does not accept
 * the message. It responds with 429 to too many messages, and with 5xx if Slack itself fails. After 429 and 5xx, the delivery is retried.
 */
function slackOutcomeOf(status: number): AttemptResult['outcome'] {
  if (status === 403 || status === 404 || status === 410) return 'gone';
  if (status === 408 || status === 429) return 'failed';
  return status >= 400 && status < 500 ? 'rejected' : outcomeOf(status);
}

function outcomeOf(status: number): AttemptResult['outcome'] {
  if (status === 410) return 'gone';
  return status >= 200 && status < 300 ? 'delivered' : 'failed';
}
