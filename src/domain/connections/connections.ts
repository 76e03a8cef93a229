import type { Page, PageQuery } from '../../contract/lists.ts';
import type { ModelConnection, ModelConnectionChange, NewModelConnection } from '../../contract/models.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { WithStore } from '../../store/store.ts';
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

type ConnectionStores = Pick<WorkspaceStores, 'connections'>;

const hintLength = 4;

export async function listConnections(ctx: WithStore, { workspaceId }: Actor, query: PageQuery): Promise<Page<ModelConnection>> {
  const list = (afterId = '', limit: number) => ctx.store.connections.list(workspaceId, { afterId, limit });
  return readPage('models', query, list, toConnection);
}

export async function createConnection(
  ctx: WithKeyring & WithOutbound & WithAudit,
  actor: Actor,
  { client, ...input }: NewModelConnection & { client: Client },
): Promise<ModelConnection> {
  const { workspaceId } = actor;
  const { kind = 'openai', models = [], prices = {}, apiKey } = input;
  assertTexts(input);
  const name = parseName(input.name);
  // The quota is also checked before the host name is looked up, so that the quota limits the lookups too.
  await assertConnectionQuota(ctx.store, workspaceId);
  const baseUrl = await parseBaseUrl(ctx, actor, input.baseUrl);
  const id = newId('m');
  const now = new Date().toISOString();
  const key = apiKey === undefined ? null : sealKey(ctx, workspaceId, { id, baseUrl }, apiKey);
  const record: ConnectionRecord = { id, name, kind, baseUrl, models, prices, key, createdAt: now, updatedAt: now };
  await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    await assertConnectionQuota(stores, workspaceId);
    await assertNameFree(stores, workspaceId, record);
    await stores.connections.insert(workspaceId, record);
  });
  recordChange(ctx, actor, record, { type: 'model_created', client });
  return toConnection(record);
}

/** Changes a connection. A new base URL removes the key: otherwise, someone could send the key to their own server and read it. */
export async function changeConnection(
  ctx: WithKeyring & WithOutbound & WithAudit,
  actor: Actor,
  { id, client, ...change }: ModelConnectionChange & { id: string; client: Client },
): Promise<ModelConnection> {
  const { workspaceId } = actor;
  const { kind, models, prices, apiKey } = change;
  assertTexts(change);
  const name = change.name === undefined ? undefined : parseName(change.name);
  const newBaseUrl = change.baseUrl === undefined ? undefined : await parseBaseUrl(ctx, actor, change.baseUrl);
  const { before, after } = await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    const connection = await getConnectionRecord(stores, workspaceId, id);
    const baseUrl = newBaseUrl ?? connection.baseUrl;
    const keptKey = baseUrl === connection.baseUrl ? connection.key : null;
    const newKey = apiKey ? sealKey(ctx, workspaceId, { id, baseUrl }, apiKey) : null;
    const update = {
      ...(name !== undefined && { name }),
      ...(kind !== undefined && { kind }),
      ...(models !== undefined && { models }),
      ...(prices !== undefined && { prices }),
      baseUrl,
      key: apiKey === undefined ? keptKey : newKey,
      updatedAt: new Date().toISOString(),
    };
    const next = { ...connection, ...update };
    await assertNameFree(stores, workspaceId, next);
    await stores.connections.update(workspaceId, id, update);
    return { before: connection, after: next };
  });
  recordChange(ctx, actor, after, { type: 'model_changed', client, before });
  return toConnection(after);
}

export async function deleteConnection(ctx: WithAudit, actor: Actor, { id, client }: { id: string; client: Client }): Promise<void> {
  const { workspaceId } = actor;
  const deleted = await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    const connection = await getConnectionRecord(stores, workspaceId, id);
    await stores.connections.delete(workspaceId, id);
    return connection;
  });
  recordChange(ctx, actor, deleted, { type: 'model_deleted', client });
}

/** Returns the connection with this id, or throws a 404. Connections of other workspaces are not found. */
export async function getConnectionRecord({ connections }: ConnectionStores, workspaceId: string, id: string): Promise<ConnectionRecord> {
  const connection = await connections.find(workspaceId, toStorable(id));
  if (!connection) throw new AppError('connection_not_found');
  return connection;
}

/** Returns the connection that a request body names by its id or its name. */
export async function resolveConnection(
  { connections }: ConnectionStores,
  workspaceId: string,
  idOrName: string,
): Promise<ConnectionRecord> {
  const text = toStorable(idOrName);
  const found = (await connections.find(workspaceId, text)) ?? (await connections.findByName(workspaceId, text));
  if (!found) throw invalidField('/connection', 'The workspace has no model connection with this id or name');
  return found;
}

async function assertConnectionQuota(
  { connections, quotas: { models: quota } }: ConnectionStores & Pick<WorkspaceStores, 'quotas'>,
  workspaceId: string,
): Promise<void> {
  if ((await connections.count(workspaceId)) < quota) return;
  throw new AppError('quota_exceeded', { text: `A workspace can have at most ${quota} model connections (setting QUOTA_MODELS).` });
}

async function assertNameFree({ connections }: ConnectionStores, workspaceId: string, { id, name }: ConnectionRecord): Promise<void> {
  const found = await connections.findByName(workspaceId, name);
  if (found && found.id !== id) throw new AppError('connection_name_taken');
}

function parseName(text: string): string {
  const name = text.trim();
  if (name === '') throw invalidField('/name', 'Enter a name');
  // A name that looks like an id could be mistaken for the id of another connection.
  if (name.startsWith('m_')) throw invalidField('/name', 'A name cannot start with m_. This prefix is reserved for ids.');
  return name;
}

function assertTexts({ name, models, prices }: Pick<ModelConnectionChange, 'name' | 'models' | 'prices'>): void {
  assertPlainText('/name', name);
  for (const [index, model] of models?.entries() ?? []) assertPlainText(`/models/${index}`, model);
  for (const model of Object.keys(prices ?? {})) assertPlainText('/prices', model);
}

/**
 * Validates a key. A key is sent in a header, which cannot contain all characters. An invalid character is usually a line break that was
 * copied with the key.
 */
function parseKey(text: string): string {
  const key = text.trim();
  if (!/^[\x21-\x7e]+$/.test(key)) throw invalidField('/apiKey', 'A key cannot contain spaces, line breaks or non-ASCII characters');
  return key;
}

function sealKey(
  ctx: WithKeyring,
  accountId: string,
  { id, baseUrl }: Pick<ConnectionRecord, 'id' | 'baseUrl'>,
  text: string,
): ConnectionRecord['key'] {
  const key = parseKey(text);
  // A short key has no hint, because the hint would reveal most of the key.
  const hint = key.length >= 4 * hintLength ? key.slice(-hintLength) : '';
  return { cipher: ctx.keyring.seal(key, secretOwners.connection(accountId, id, baseUrl)), hint };
}

async function parseBaseUrl(ctx: WithOutbound, actor: Actor, text: string): Promise<string> {
  const url = await parseUrl(ctx, actor, text, { path: '/baseUrl', example: 'https://api.openai.com/v1' });
  if (url.search) throw invalidField('/baseUrl', 'Use an address without a query');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Records a change. If the key changed, this fact is recorded, but never the key itself. */
function recordChange(
  ctx: WithAudit,
  actor: Actor,
  connection: ConnectionRecord,
  { type, client, before }: { type: `model_${'created' | 'changed' | 'deleted'}`; client: Client; before?: ConnectionRecord },
): void {
  const model = { id: connection.id, ...toRecorded(connection) };
  if (!before) {
    recordInWorkspace(ctx, actor, { type, detail: { model }, client });
    return;
  }
  const { changed } = findChanges(toSettings(before), toSettings(connection));
  if (changed.length === 0) return;
  const { previous } = findChanges(toRecorded(before), toRecorded(connection));
  recordInWorkspace(ctx, actor, { type, detail: { model, changed, previous: { model: previous } }, client });
}

function toSettings({ name, kind, baseUrl, models, prices, key }: ConnectionRecord) {
  return { name, kind, baseUrl, models, prices, apiKey: key?.cipher };
}

/** Returns the settings whose values are recorded. */
function toRecorded({ name, baseUrl }: ConnectionRecord) {
  return { name, host: new URL(baseUrl).host };
}

function toConnection({ id, name, kind, baseUrl, models, prices, key, createdAt, updatedAt }: ConnectionRecord): ModelConnection {
  return { id, name, kind, baseUrl, models, prices, keyHint: key?.hint ?? null, createdAt, updatedAt };
}
