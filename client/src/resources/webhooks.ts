import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type { ListDeliveriesQuery, ListWebhooksQuery, NewWebhook, WebhookChange } from '../types.ts';

/** `ph.webhooks`: webhooks and their deliveries. */
export function createWebhooks({ call, list }: Caller) {
  return {
    list: (query: ListWebhooksQuery = {}, options?: RequestOptions) => list('listWebhooks', { query }, options),
    get: (id: string, options?: RequestOptions) => call('getWebhook', { path: { id } }, options),
    /** Creates a webhook. The secret is shown only in this response. */
    create: (body: NewWebhook, options?: RequestOptions) => call('createWebhook', { body }, options),
    update: (id: string, body: WebhookChange, options?: RequestOptions) => call('changeWebhook', { path: { id }, body }, options),
    delete: (id: string, options?: RequestOptions) => call('deleteWebhook', { path: { id } }, options),
    /** Creates a new secret. The old secret stays valid for 24 hours. */
    rotateSecret: (id: string, options?: RequestOptions) => call('rotateWebhookSecret', { path: { id } }, options),
    /** Sends a test event now and returns the result. */
    test: (id: string, options?: RequestOptions) => call('testWebhook', { path: { id } }, options),
    deliveries: (id: string, query: ListDeliveriesQuery = {}, options?: RequestOptions) =>
      list('listDeliveries', { path: { id }, query }, options),
    /** Sends a delivery again. */
    replay: (id: string, { deliveryId }: { deliveryId: string }, options?: RequestOptions) =>
      call('replayDelivery', { path: { id, deliveryId } }, options),
  };
}
