import { type Static, Type } from 'typebox';
import { subscribableEventTypes, webhookFormats } from './event-types.ts';
import { exampleEvent } from './events.ts';
import { maxDescriptionLength, maxWebhookUrlLength } from './limits.ts';
import { listOf } from './lists.ts';
import { bodyOf, changeOf, objectOf, orNull } from './shapes.ts';

const textOrNull = (description: string) => orNull(Type.String(), description);

const exampleId = 'w_mi4w7x2c_000a1d4b8365f0c9a7e';
const exampleWebhook = {
  id: exampleId,
  url: 'https://example.com/hooks/prompts',
  events: ['label.moved', 'dependency.changed'],
  description: 'Reload prompts in the checkout',
  format: 'json',
  enabled: true,
  disabledAt: null,
  disabledReason: null,
  previousSecretUntil: null,
  createdAt: '2026-11-15T08:00:00.000Z',
  updatedAt: '2026-11-15T08:00:00.000Z',
};
const exampleSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfO+w4FH2Q=';

const url = Type.String({
  minLength: 1,
  maxLength: maxWebhookUrlLength,
  description: 'The URL to which events are sent with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW.',
});
const eventsDescription = 'The types of events to send, or `all` for all events, including future ones.';
const events = Type.Union([Type.Literal('all'), Type.Array(Type.Enum([...subscribableEventTypes]), { minItems: 1, uniqueItems: true })], {
  description: eventsDescription,
});
const description = Type.String({ maxLength: maxDescriptionLength });
const format = Type.Enum([...webhookFormats], {
  description: '`json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default: `json`.',
});
const enabled = Type.Boolean({ description: 'Events that happen while the webhook is disabled are not sent later.' });

const webhookFields = {
  id: Type.String({ description: 'Starts with `w_`.' }),
  url,
  events,
  description,
  format,
  enabled,
  disabledAt: textOrNull('When it was disabled.'),
  disabledReason: textOrNull('Why the service disabled the webhook. Null if a person disabled the webhook.'),
  previousSecretUntil: textOrNull('After a rotation: the time until which deliveries are also signed with the old secret.'),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

export const Webhook = objectOf('Webhook', exampleWebhook, webhookFields);
export type Webhook = Static<typeof Webhook>;

const exampleWebhookWithSecret = { ...exampleWebhook, secret: exampleSecret };
export const WebhookWithSecret = objectOf('WebhookWithSecret', exampleWebhookWithSecret, {
  ...webhookFields,
  secret: Type.String({ description: 'The secret for verifying signatures. It is shown only in this response.' }),
});
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const WebhookList = listOf('WebhookList', Webhook);

const exampleNewWebhook = { url: exampleWebhook.url, events: exampleWebhook.events, description: exampleWebhook.description };
export const NewWebhook = bodyOf('NewWebhook', exampleNewWebhook, {
  url,
  events: Type.Optional(Type.Union(events.anyOf, { description: `${eventsDescription} Default: \`all\`.` })),
  description: Type.Optional(description),
  format: Type.Optional(format),
  enabled: Type.Optional(enabled),
});
export type NewWebhook = Static<typeof NewWebhook>;

const exampleWebhookChange = { enabled: true };
export const WebhookChange = changeOf('WebhookChange', exampleWebhookChange, { url, events, description, format, enabled });
export type WebhookChange = Static<typeof WebhookChange>;

const Attempt = Type.Object({
  at: Type.String(),
  status: orNull(Type.Integer(), 'Null if there was no response.'),
  durationMs: Type.Integer(),
  error: textOrNull('Why the attempt failed.'),
  response: textOrNull(
    'The first 1 KB of the response. Stored only for the last attempt, and only if that attempt failed. Otherwise null.',
  ),
});

const exampleDelivery = {
  id: 'evt_mhz1k3p0_0005f0c9a7e21d4b836_176342912',
  type: 'label.moved',
  state: 'delivered',
  payload: { type: exampleEvent.type, timestamp: exampleEvent.at, data: { workspaceId: 'u_mhz1k3p0_0005f0c9a7e21d4b836' } },
  attempts: [{ at: '2026-11-15T08:30:00.120Z', status: 204, durationMs: 48, error: null, response: null }],
  nextAttemptAt: null,
  createdAt: exampleEvent.at,
};
export const WebhookDelivery = objectOf('WebhookDelivery', exampleDelivery, {
  id: Type.String({ description: 'The `webhook-id` header of every attempt.' }),
  type: Type.String({ description: 'The type of the event.' }),
  state: Type.Enum(['pending', 'delivered', 'failed', 'canceled'], {
    description: '`canceled`: the delivery was still queued when the webhook was disabled.',
  }),
  payload: orNull(
    Type.Object({ type: Type.String(), timestamp: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) }),
    'The event. It is the body of the request or, with the format `slack`, the source of the message. Null if the event is no longer ' +
      'kept.',
  ),
  attempts: Type.Array(Attempt, { description: 'The last attempts, oldest first.' }),
  nextAttemptAt: textOrNull('When the next attempt is due. The attempt waits until earlier events of the same prompt are delivered.'),
  createdAt: Type.String({ description: 'When the event happened.' }),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryList = listOf('WebhookDeliveryList', WebhookDelivery);
