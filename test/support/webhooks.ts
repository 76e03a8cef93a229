import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '../../src/contract/webhooks.ts';
import type { DispatcherOptions } from '../../src/domain/webhooks/dispatcher.ts';
import type { Client, ListBody } from './prompts.ts';

/** Options that avoid waiting: nine retries follow each other within a moment. */
export const fast: DispatcherOptions = {
  pollIntervalMs: 20,
  idleIntervalMs: 20,
  delaysMs: Array.from({ length: 9 }, () => 10),
  // The timeout is long, because a receiver may be slow on a busy machine. Tests of timeouts set a separate timeout.
  timeoutMs: 600_000,
  stopTimeoutMs: 0,
};

export async function createHook(client: Client, url: string, fields: object = {}): Promise<WebhookWithSecret> {
  const response = await client.call('POST', '/api/webhooks', { url, ...fields });
  assert.equal(response.status, 201, response.text);
  return response.body as WebhookWithSecret;
}

export function getHook(client: Client, { id }: { id: string }): Promise<Webhook> {
  return client.get(`/api/webhooks/${id}`);
}

export async function listDeliveries(client: Client, { id }: { id: string }): Promise<WebhookDelivery[]> {
  return (await client.get<ListBody<WebhookDelivery>>(`/api/webhooks/${id}/deliveries?limit=100`)).data;
}

/** Resolves with the deliveries when none is pending. */
export async function settled(client: Client, webhook: { id: string }): Promise<WebhookDelivery[]> {
  for (;;) {
    const deliveries = await listDeliveries(client, webhook);
    if (deliveries.every(({ state }) => state !== 'pending')) return deliveries;
    await delay(10);
  }
}
