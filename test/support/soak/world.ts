import assert from 'node:assert/strict';
import { call, register, signIn, type TestAccount } from '../client.ts';
import { type RawServer, startRawServer } from '../models.ts';

/** An account with prompts, a webhook and a model. */
export interface Tenant extends TestAccount {
  url: string;
  cookie: string;
  connection: string;
  /** The ETag of a prompt that a poller has received. */
  etag: string;
}

/** The accounts that the requests of a soak test use. */
export interface World {
  url: string;
  tenants: Tenant[];
  /** The prompts of this account never change, so that its export is as large at the end as at the beginning. */
  archive: Tenant;
  /** The key of this account is reset, so no other requests may use the key. */
  resetting: { key: string };
  close(): Promise<void>;
}

export const promptCount = 20;
const archivedVersions = 10;
const completion = {
  choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1 },
};

/** Creates the accounts on a service that may connect to this machine. */
export async function createWorld(url: string, tenantCount: number): Promise<World> {
  const outside = await startRawServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
  });
  const tenants: Tenant[] = [];
  while (tenants.length < tenantCount) tenants.push(await createTenant(url, outside));
  const archive = await createTenant(url, outside);
  for (let version = 0; version < archivedVersions; version += 1) {
    const items = Array.from({ length: promptCount }, (_each, index) => ({ name: `p${index}`, template: `Version ${version}` }));
    const response = await call({ url }, 'POST', '/api/prompts/batch', { key: archive.token, body: { items } });
    assert.equal(response.status, 200, response.text);
  }
  const { token } = await register({ url });
  return { url, tenants, archive, resetting: { key: token }, close: outside.close };
}

async function createTenant(url: string, outside: RawServer): Promise<Tenant> {
  const account = await register({ url });
  const send = async (path: string, body: object) => {
    const response = await call({ url }, 'POST', path, { key: account.token, body });
    assert.equal(response.status, 201, response.text);
    return response.body as { id: string };
  };
  for (let index = 0; index < promptCount; index += 1) {
    await send('/api/prompts', { name: `p${index}`, template: 'Write to {{ customer }} about {{ topic }}.', tags: ['soak'] });
    await send(`/api/prompts/p${index}/versions`, { template: 'Dear {{ customer }}, about {{ topic }}.', labels: ['staging'] });
  }
  await send('/api/prompts/p0/cases', { name: 'Greets', variables: { customer: 'Ada' }, checks: [{ kind: 'contains', value: 'Hello' }] });
  await send('/api/webhooks', { url: outside.url });
  const { id: connection } = await send('/api/models', { name: 'Model', baseUrl: outside.url, models: ['a'] });
  return { ...account, url, cookie: await signIn({ url }, account), connection, etag: '' };
}
