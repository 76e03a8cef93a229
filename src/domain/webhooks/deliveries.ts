import { defaultPageLimit, type Page, type PageQuery } from '../../contract/lists.ts';
import type { WebhookDelivery } from '../../contract/webhooks.ts';
import { AppError } from '../../errors.ts';
import type { EventRecord } from '../../store/events/events.ts';
import type { WithStore } from '../../store/store.ts';
import type { DeliveryRecord } from '../../store/webhooks/deliveries.ts';
import { type Actor, toPerson } from '../actor.ts';
import { decodeCursor, encodeCursor, invalidCursor, splitPage } from '../cursors.ts';
import type { WithLinks } from '../links.ts';
import type { WithOutbound } from '../outbound/outbound.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { changeWorkspace } from '../workspaces/change-workspace.ts';
import { attemptDelivery } from './attempt.ts';
import { parseMessageId, toMessageId, toPayload } from './payload.ts';
import { getWebhookRecord, type WithWebhookTests } from './webhooks.ts';

/** Lists a page of a webhook's deliveries, newest first. */
export async function listDeliveries(
  ctx: WithStore,
  { workspaceId }: Actor,
  { id, ...query }: PageQuery & { id: string },
): Promise<Page<WebhookDelivery>> {
  const { limit = defaultPageLimit, cursor } = query;
  await getWebhookRecord(ctx.store, workspaceId, id);
  const [position] = cursor === undefined ? [] : decodeCursor('deliveries', 1, cursor);
  if (position !== undefined && !/^\d{1,15}$/.test(position)) throw invalidCursor();
  const before = position === undefined ? undefined : Number(position);
  const stores = ctx.store.read(workspaceId);
  const found = await stores.deliveries.list({ accountId: workspaceId, webhookId: id }, { before, limit: limit + 1 });
  const { shown, last } = splitPage(found, limit, bytesOf);
  const events = await stores.events.listByRevision(workspaceId, shown);
  return {
    data: shown.map((delivery) => toDelivery(workspaceId, delivery, events.get(delivery.revision))),
    nextCursor: last ? encodeCursor('deliveries', [String(last.revision)]) : null,
  };
}

/** Sends an event again. If its delivery is still pending, sends it now. */
export async function replayDelivery(
  ctx: WithStore,
  actor: Actor,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<WebhookDelivery> {
  const { workspaceId } = actor;
  const endpoint = { accountId: workspaceId, webhookId: id };
  const revision = parseMessageId(workspaceId, deliveryId);
  const event = revision === undefined ? undefined : (await ctx.store.events.listByRevision(workspaceId, [{ revision }])).get(revision);
  return changeWorkspace(ctx, actor, 'admin', async (stores) => {
    const webhook = await getWebhookRecord(stores, workspaceId, id);
    const delivery = event && (await stores.deliveries.find(endpoint, event.revision));
    if (!delivery) throw new AppError('delivery_not_found');
    if (webhook.disabled) throw new AppError('webhook_disabled');
    if (delivery.state === 'pending') await stores.deliveries.makeDue(endpoint, delivery.revision);
    else await stores.deliveries.requeue(endpoint, delivery.revision);
    const queued = await stores.deliveries.find(endpoint, delivery.revision);
    return toDelivery(workspaceId, queued ?? delivery, event);
  });
}

/** Sends a `test` event to one webhook, even if it is disabled. The event is sent only once. Returns the result of the attempt. */
export async function testWebhook(
  ctx: WithStore & WithKeyring & WithWebhookTests & WithOutbound & WithLinks,
  actor: Actor,
  id: string,
): Promise<WebhookDelivery> {
  const { workspaceId } = actor;
  return ctx.webhookTests.run(workspaceId, async (preemption) => {
    const fields = {
      type: 'test',
      at: new Date().toISOString(),
      by: toPerson(actor),
      prompt: null,
      detail: JSON.stringify({ webhook: { id } }),
    };
    const { webhook, event } = await changeWorkspace(ctx, actor, 'admin', async (stores) => {
      const webhook = await getWebhookRecord(stores, workspaceId, id);
      return { webhook, event: { ...fields, revision: stores.events.add(fields, { isTest: true }) } };
    });
    const { attempt, outcome } = await attemptDelivery(ctx, workspaceId, { webhook, event }, { preemption });
    const delivery: DeliveryRecord = {
      revision: event.revision,
      type: event.type,
      state: outcome === 'delivered' ? 'delivered' : 'failed',
      failures: outcome === 'delivered' ? 0 : 1,
      attempts: [attempt],
      nextAttemptAt: null,
      createdAt: event.at,
    };
    await ctx.store.deliveries.insertFinished({ accountId: workspaceId, webhookId: id }, delivery);
    return toDelivery(workspaceId, delivery, event);
  });
}

function toDelivery(workspaceId: string, delivery: DeliveryRecord, event: EventRecord | undefined): WebhookDelivery {
  const { revision, type, state, attempts, nextAttemptAt, createdAt } = delivery;
  const payload = event ? toPayload(workspaceId, event) : null;
  return { id: toMessageId(workspaceId, revision), type, state, payload, attempts, nextAttemptAt, createdAt };
}

function bytesOf({ attempts }: DeliveryRecord): number {
  return attempts.reduce((sum, { response, error }) => sum + (response?.length ?? 0) + (error?.length ?? 0), 0);
}
