import { Type } from 'typebox';
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
import { actorOf, clientOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Where the events of a workspace are sent to. */
export const webhookRoutes: Routes = (app, { ctx, authentication }) => {
  const common = { tags: ['Webhooks'], security: [{ key: [] }] };

  app.get(
    '/api/webhooks',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'listWebhooks',
        summary: 'List the webhooks',
        querystring: PageQuery,
        response: { 200: WebhookList, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => listWebhooks(ctx, actorOf(req), req.query),
  );

  app.post(
    '/api/webhooks',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'From now on, events are sent to the URL as Standard Webhooks (https://www.standardwebhooks.com): signed, at least once, and in ' +
          'order for each prompt. The secret is shown only in this response.',
        body: NewWebhook,
        response: { 201: WebhookWithSecret, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      const created = await createWebhook(ctx, actorOf(req), { ...req.body, client: clientOf(req) });
      return reply.status(201).header('cache-control', 'no-store').send(created);
    },
  );

  app.get(
    '/api/webhooks/:id',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'getWebhook',
        summary: 'Get a webhook',
        params: WebhookPath,
        response: { 200: Webhook, ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    (req) => getWebhook(ctx, actorOf(req), req.params.id),
  );

  app.patch(
    '/api/webhooks/:id',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'changeWebhook',
        summary: 'Change, enable or disable a webhook',
        description: 'Disabling it cancels what still waits to be sent.',
        params: WebhookPath,
        body: WebhookChange,
        response: { 200: Webhook, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => changeWebhook(ctx, actorOf(req), { ...req.body, ...req.params, client: clientOf(req) }),
  );

  app.delete(
    '/api/webhooks/:id',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        params: WebhookPath,
        response: { 204: Type.Null(), ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      await deleteWebhook(ctx, actorOf(req), { ...req.params, client: clientOf(req) });
      return reply.status(204).send();
    },
  );

  app.post(
    '/api/webhooks/:id/rotate-secret',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'rotateWebhookSecret',
        summary: 'Make a new secret',
        description:
          'It is shown only in this response. For 24 hours, deliveries are signed with the old secret too. A second rotation within that ' +
          'time ends the oldest one.',
        params: WebhookPath,
        response: { 200: WebhookWithSecret, ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      const rotated = await rotateWebhookSecret(ctx, actorOf(req), { ...req.params, client: clientOf(req) });
      return reply.header('cache-control', 'no-store').send(rotated);
    },
  );

  app.post(
    '/api/webhooks/:id/test',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'testWebhook',
        summary: 'Send a `test` event and return the result',
        description: 'It is sent once and not retried, also if the webhook is disabled. Takes up to 15 seconds.',
        params: WebhookPath,
        response: { 200: WebhookDelivery, ...errorResponses('401 key', 403, 404, 429, 503) },
      },
    },
    (req) => testWebhook(ctx, actorOf(req), req.params.id),
  );

  app.get(
    '/api/webhooks/:id/deliveries',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'listDeliveries',
        summary: 'List what was sent, newest first',
        description: 'Deliveries are kept as long as their events, each with its last 10 attempts.',
        params: WebhookPath,
        querystring: PageQuery,
        response: { 200: WebhookDeliveryList, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => listDeliveries(ctx, actorOf(req), { ...req.query, ...req.params }),
  );

  app.post(
    '/api/webhooks/:id/deliveries/:deliveryId/replay',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'replayDelivery',
        summary: 'Send an event once more',
        description:
          'With the same `webhook-id`, and retried like the first time. Events that happened later do not wait for it. A delivery that is ' +
          'still pending is attempted now.',
        params: DeliveryPath,
        response: { 202: WebhookDelivery, ...errorResponses('401 key', 403, 404, 409, 503) },
      },
    },
    async (req, reply) => reply.status(202).send(await replayDelivery(ctx, actorOf(req), req.params)),
  );
};
