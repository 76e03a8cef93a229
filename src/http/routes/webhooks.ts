import { PageQuery } from '../../contract/lists.ts';
import {
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookWithSecret,
} from '../../contract/webhooks.ts';
import { listDeliveries, replayDelivery, testWebhook } from '../../domain/webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
} from '../../domain/webhooks/webhooks.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** Webhooks, to which the service sends the events of a workspace. */
export const webhookRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Webhooks' });

  route('GET', '/api/webhooks', {
    operationId: 'listWebhooks',
    summary: 'List the webhooks',
    querystring: PageQuery,
    response: { 200: WebhookList },
    handler: (req) => listWebhooks(ctx, actorOf(req), req.query),
  });

  route('POST', '/api/webhooks', {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'From then on, events are sent to the URL as Standard Webhooks (https://www.standardwebhooks.com). They are signed, delivered at least ' +
      'once, and delivered in order for each prompt. The secret is shown only in this response.',
    body: NewWebhook,
    response: { 201: WebhookWithSecret },
    handler: (req) => createWebhook(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('GET', '/api/webhooks/:id', {
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    response: { 200: Webhook },
    handler: (req) => getWebhook(ctx, actorOf(req), req.params.id),
  });

  route('PATCH', '/api/webhooks/:id', {
    operationId: 'changeWebhook',
    summary: 'Change, enable or disable a webhook',
    description: 'Disabling a webhook cancels its queued deliveries.',
    body: WebhookChange,
    response: { 200: Webhook },
    handler: (req) => changeWebhook(ctx, actorOf(req), { ...req.body, ...req.params, client: clientOf(req) }),
  });

  route('DELETE', '/api/webhooks/:id', {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    response: noContent,
    handler: (req) => deleteWebhook(ctx, actorOf(req), { ...req.params, client: clientOf(req) }),
  });

  route('POST', '/api/webhooks/:id/rotate-secret', {
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description:
      'The new secret is shown only in this response. For 24 hours, deliveries are also signed with the old secret. If you rotate again within ' +
      'that time, the oldest secret stops working.',
    response: { 200: WebhookWithSecret },
    handler: (req) => rotateWebhookSecret(ctx, actorOf(req), { ...req.params, client: clientOf(req) }),
  });

  route('POST', '/api/webhooks/:id/test', {
    operationId: 'testWebhook',
    summary: 'Send a `test` event and return the result',
    description: 'The event is sent only once, without retries, and even to a disabled webhook. The request takes up to 15 seconds.',
    response: { 200: WebhookDelivery },
    handler: (req) => testWebhook(ctx, actorOf(req), req.params.id),
  });

  route('GET', '/api/webhooks/:id/deliveries', {
    operationId: 'listDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Deliveries are kept as long as their events, each with its last 10 attempts.',
    querystring: PageQuery,
    response: { 200: WebhookDeliveryList },
    handler: (req) => listDeliveries(ctx, actorOf(req), { ...req.query, ...req.params }),
  });

  route('POST', '/api/webhooks/:id/deliveries/:deliveryId/replay', {
    operationId: 'replayDelivery',
    summary: 'Replay a delivery',
    description:
      'Sends the event again with the same `webhook-id`, and retries it after failures like any other delivery. Later events do not wait ' +
      'for the replay. If the delivery is still pending, it is attempted now.',
    response: { 202: WebhookDelivery },
    errors: [409],
    handler: (req) => replayDelivery(ctx, actorOf(req), req.params),
  });
};
