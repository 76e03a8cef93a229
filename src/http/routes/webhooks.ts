import { PageQuery } from '../../contract/lists.ts';
import {
  DeliveryPath,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookPath,
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

/** Webhooks, which receive the events of a workspace. */
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
      'From now on, events are sent to the URL as Standard Webhooks (https://www.standardwebhooks.com): signed, at least once, and in ' +
      'order for each prompt. The secret is shown only in this response.',
    body: NewWebhook,
    response: { 201: WebhookWithSecret },
    handler: (req) => createWebhook(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('GET', '/api/webhooks/:id', {
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    params: WebhookPath,
    response: { 200: Webhook },
    handler: (req) => getWebhook(ctx, actorOf(req), req.params.id),
  });

  route('PATCH', '/api/webhooks/:id', {
    operationId: 'changeWebhook',
    summary: 'Change, enable or disable a webhook',
    description: 'Disabling it cancels what still waits to be sent.',
    params: WebhookPath,
    body: WebhookChange,
    response: { 200: Webhook },
    handler: (req) => changeWebhook(ctx, actorOf(req), { ...req.body, ...req.params, client: clientOf(req) }),
  });

  route('DELETE', '/api/webhooks/:id', {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    params: WebhookPath,
    response: noContent,
    handler: (req) => deleteWebhook(ctx, actorOf(req), { ...req.params, client: clientOf(req) }),
  });

  route('POST', '/api/webhooks/:id/rotate-secret', {
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new secret',
    description:
      'It is shown only in this response. For 24 hours, deliveries are signed with the old secret too. A second rotation within that ' +
      'time ends the oldest one.',
    params: WebhookPath,
    response: { 200: WebhookWithSecret },
    handler: (req) => rotateWebhookSecret(ctx, actorOf(req), { ...req.params, client: clientOf(req) }),
  });

  route('POST', '/api/webhooks/:id/test', {
    operationId: 'testWebhook',
    summary: 'Send a `test` event and return the result',
    description: 'It is sent once and not retried, also if the webhook is disabled. Takes up to 15 seconds.',
    params: WebhookPath,
    response: { 200: WebhookDelivery },
    handler: (req) => testWebhook(ctx, actorOf(req), req.params.id),
  });

  route('GET', '/api/webhooks/:id/deliveries', {
    operationId: 'listDeliveries',
    summary: 'List what was sent, newest first',
    description: 'Deliveries are kept as long as their events, each with its last 10 attempts.',
    params: WebhookPath,
    querystring: PageQuery,
    response: { 200: WebhookDeliveryList },
    handler: (req) => listDeliveries(ctx, actorOf(req), { ...req.query, ...req.params }),
  });

  route('POST', '/api/webhooks/:id/deliveries/:deliveryId/replay', {
    operationId: 'replayDelivery',
    summary: 'Send an event once more',
    description:
      'With the same `webhook-id`, and retried like the first time. Events that happened later do not wait for it. A delivery that is ' +
      'still pending is attempted now.',
    params: DeliveryPath,
    response: { 202: WebhookDelivery },
    errors: [409],
    handler: (req) => replayDelivery(ctx, actorOf(req), req.params),
  });
};
