import type { Page, PageQuery } from '../../contract/lists.ts';
import type { NewWebhook, Webhook, WebhookChange, WebhookWithSecret } from '../../contract/webhooks.ts';
import { AppError } from '../../errors.ts';
import type { PreemptiveQueue } from '../../platform/scheduling/preemptive-queue.ts';
import type { Store, WithStore } from '../../store/store.ts';
import type { WebhookRecord } from '../../store/webhooks/webhooks.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { Actor, Client } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { newId, toStorable } from '../ids.ts';
import type { WithOutbound } from '../outbound/outbound.ts';
import { parseUrl } from '../outbound/parse-url.ts';
import { assertPlainText } from '../prompts/versions/version-content.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { secretOwners } from '../secrets/stored-secrets.ts';
import { changeWorkspace, recordInWorkspace } from '../workspaces/change-workspace.ts';
import { findChanges } from '../workspaces/find-changes.ts';
import { newWebhookSecret } from './signature.ts';

export interface WithWebhookTests {
  /** A test waits for a server that may be slow, so each workspace runs one test at a time. */
  webhookTests: PreemptiveQueue;
}

/** The time for which the old secret still signs deliveries after a rotation. */
const rotationMs = 24 * 60 * 60 * 1000;
const urlField = { path: '/url', example: 'https://example.com/hooks' };

export async function listWebhooks(ctx: WithStore, { workspaceId }: Actor, query: PageQuery): Promise<Page<Webhook>> {
  const list = (afterId = '', limit: number) => ctx.store.webhooks.list(workspaceId, { afterId, limit });
  return readPage('webhooks', query, list, toWebhook);
}

export async function getWebhook(ctx: WithStore, { workspaceId }: Actor, id: string): Promise<Webhook> {
  return toWebhook(await getWebhookRecord(ctx.store, workspaceId, id));
}

/** Creates a webhook. Only this response contains its secret. */
export async function createWebhook(
  ctx: WithKeyring & WithOutbound & WithAudit,
  actor: Actor,
  { client, ...input }: NewWebhook & { client: Client },
): Promise<WebhookWithSecret> {
  const { workspaceId } = actor;
  const { description = '', format = 'json', enabled = true } = input;
  assertPlainText('/description', description);
  // The quota is also checked before the host name is looked up, so that the quota limits the lookups too.
  await ctx.store.assertWebhookQuota(workspaceId);
  const { href: url } = await parseUrl(ctx, actor, input.url, urlField);
  const secret = newWebhookSecret();
  const id = newId('w');
  const now = new Date().toISOString();
  const record: WebhookRecord = {
    id,
    url,
    events: toStoredEvents(input.events ?? 'all'),
    description,
    format,
    secretCipher: ctx.keyring.seal(secret, secretOwners.webhook(workspaceId, id)),
    previousSecret: null,
    disabled: enabled ? null : { at: now, reason: null },
    createdAt: now,
    updatedAt: now,
  };
  await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    await stores.assertWebhookQuota();
    await stores.webhooks.insert(workspaceId, record);
  });
  recordChange(ctx, actor, record, { type: 'webhook_created', client });
  return { ...toWebhook(record), secret };
}

export async function changeWebhook(
  ctx: WithOutbound & WithAudit,
  actor: Actor,
  { id, client, ...change }: WebhookChange & { id: string; client: Client },
): Promise<Webhook> {
  const { description, format, enabled } = change;
  assertPlainText('/description', description);
  const url = change.url === undefined ? undefined : (await parseUrl(ctx, actor, change.url, urlField)).href;
  const { before, after } = await changeRecord(ctx, actor, id, (webhook, now) => ({
    ...(url !== undefined && { url }),
    ...(change.events !== undefined && { events: toStoredEvents(change.events) }),
    ...(description !== undefined && { description }),
    ...(format !== undefined && { format }),
    ...(enabled === true && { disabled: null }),
    // If the webhook was disabled because of failures, it now counts as disabled by a person.
    ...(enabled === false && { disabled: { at: webhook.disabled?.at ?? now, reason: null } }),
  }));
  recordChange(ctx, actor, after, { type: 'webhook_changed', client, before });
  return toWebhook(after);
}

/**
 * Creates a new secret. For 24 hours, deliveries are also signed with the old secret, so that the receiver can be updated in the meantime.
 */
export async function rotateWebhookSecret(
  ctx: WithKeyring & WithAudit,
  actor: Actor,
  { id, client }: { id: string; client: Client },
): Promise<WebhookWithSecret> {
  const secret = newWebhookSecret();
  const { after } = await changeRecord(ctx, actor, id, (webhook, now) => ({
    secretCipher: ctx.keyring.seal(secret, secretOwners.webhook(actor.workspaceId, id)),
    previousSecret: { cipher: webhook.secretCipher, until: new Date(Date.parse(now) + rotationMs).toISOString() },
  }));
  recordChange(ctx, actor, after, { type: 'webhook_secret_rotated', client });
  return { ...toWebhook(after), secret };
}

export async function deleteWebhook(ctx: WithAudit, actor: Actor, { id, client }: { id: string; client: Client }): Promise<void> {
  const { workspaceId } = actor;
  const deleted = await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    const webhook = await getWebhookRecord(stores, workspaceId, id);
    await stores.webhooks.delete(workspaceId, id);
    return webhook;
  });
  recordChange(ctx, actor, deleted, { type: 'webhook_deleted', client });
}

/** Returns the webhook with this id, or throws a 404. Webhooks of other workspaces are not found. */
export async function getWebhookRecord({ webhooks }: Pick<Store, 'webhooks'>, workspaceId: string, id: string): Promise<WebhookRecord> {
  const webhook = await webhooks.find(workspaceId, toStorable(id));
  if (!webhook) throw new AppError('webhook_not_found');
  return webhook;
}

type Update = Partial<Omit<WebhookRecord, 'id' | 'createdAt' | 'updatedAt'>>;

async function changeRecord(
  ctx: WithStore,
  actor: Actor,
  id: string,
  change: (webhook: WebhookRecord, now: string) => Update,
): Promise<{ before: WebhookRecord; after: WebhookRecord }> {
  const { workspaceId } = actor;
  return changeWorkspace(ctx, actor, 'admin', async (stores) => {
    const webhook = await getWebhookRecord(stores, workspaceId, id);
    const now = new Date().toISOString();
    const update = { ...change(webhook, now), updatedAt: now };
    await stores.webhooks.update(workspaceId, id, update);
    return { before: webhook, after: { ...webhook, ...update } };
  });
}

/** Records a change. Only the host of the URL is recorded, because the URL may contain a token. */
function recordChange(
  ctx: WithAudit,
  actor: Actor,
  webhook: WebhookRecord,
  {
    type,
    client,
    before,
  }: { type: `webhook_${'created' | 'changed' | 'deleted' | 'secret_rotated'}`; client: Client; before?: WebhookRecord },
): void {
  const named = { id: webhook.id, host: new URL(webhook.url).host };
  if (!before) {
    recordInWorkspace(ctx, actor, { type, detail: { webhook: named }, client });
    return;
  }
  const { changed } = findChanges(toSettings(before), toSettings(webhook));
  const { previous, next } = findChanges(toRecorded(before), toRecorded(webhook));
  if (changed.length === 0) return;
  recordInWorkspace(ctx, actor, { type, detail: { webhook: { ...named, ...next }, changed, previous: { webhook: previous } }, client });
}

function toSettings(record: WebhookRecord) {
  const { url, events, description, format, enabled } = toWebhook(record);
  return { url, events, description, format, enabled };
}

/** Returns the settings whose values are recorded. */
function toRecorded(record: WebhookRecord) {
  const { url, description: _description, ...settings } = toSettings(record);
  return { host: new URL(url).host, ...settings };
}

function toStoredEvents(events: Webhook['events']): string[] | null {
  return events === 'all' ? null : events;
}

function toWebhook({ id, url, events, description, format, disabled, previousSecret, createdAt, updatedAt }: WebhookRecord): Webhook {
  return {
    id,
    url,
    // The stored events have the contract's type.
    events: (events as Exclude<Webhook['events'], 'all'> | null) ?? 'all',
    description,
    format,
    enabled: disabled === null,
    disabledAt: disabled?.at ?? null,
    disabledReason: disabled?.reason ?? null,
    previousSecretUntil: previousSecret && previousSecret.until > new Date().toISOString() ? previousSecret.until : null,
    createdAt,
    updatedAt,
  };
}
