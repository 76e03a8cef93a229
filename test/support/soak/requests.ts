import { type ApiResponse, call as callWithRetries, type RequestOptions, signIn } from '../client.ts';
import { openStream } from '../event-stream.ts';
import type { Random } from '../random.ts';
import { promptCount, type Tenant, type World } from './world.ts';

interface Kind {
  /** The share of this kind, relative to the other kinds. */
  weight: number;
  /** Resolves when the response is complete. Rejects if the response is not as expected. */
  send(tenant: Tenant, random: Random, world: World): Promise<unknown>;
}

const variables = { customer: 'Ada', topic: 'an order' };
const json = { accept: 'application/json' };
const anyPrompt = (random: Random) => `/api/prompts/p${random.below(promptCount)}`;

/** Sends a request without retries, so that a refused request counts as a failure. */
function call(target: { url: string }, method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
  return callWithRetries(target, method, path, { ...options, retries: 0 });
}

async function expect(status: number, response: Promise<ApiResponse>): Promise<ApiResponse> {
  const received = await response;
  if (received.status !== status) throw new Error(`${received.status} ${received.text.slice(0, 200)}`);
  return received;
}

function get(tenant: Tenant, path: string, options: RequestOptions = {}, status = 200): Promise<ApiResponse> {
  return expect(status, call(tenant, 'GET', path, { key: tenant.token, ...options }));
}

function post(tenant: Tenant, path: string, body: object, status = 200, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return expect(status, call(tenant, 'POST', path, { key: tenant.token, body, headers }));
}

function callMcp(tenant: Tenant, method: string, params: { name: string; arguments: object }): Promise<ApiResponse> {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  return post(tenant, '/mcp', { jsonrpc: '2.0', id: 1, method, params }, 200, headers);
}

/** Every kind of request. Most are reads, as in production. */
export const kinds: Record<string, Kind> = {
  verify: { weight: 300, send: (tenant) => get(tenant, '/api/auth/token') },
  read: { weight: 200, send: (tenant, random) => get(tenant, anyPrompt(random)) },
  poll: {
    weight: 50,
    async send(tenant) {
      const response = await call(tenant, 'GET', '/api/prompts/p0', { key: tenant.token, headers: { 'if-none-match': tenant.etag } });
      if (response.status !== 200 && response.status !== 304) throw new Error(`${response.status} ${response.text}`);
      tenant.etag = response.headers.get('etag') ?? '';
    },
  },
  render: { weight: 120, send: (tenant, random) => post(tenant, `${anyPrompt(random)}/render`, { variables }) },
  preview: { weight: 10, send: (tenant) => post(tenant, '/api/render', { template: 'Hello {{ customer }}', variables }) },
  list: { weight: 40, send: (tenant) => get(tenant, '/api/prompts?limit=20&tag=soak') },
  history: { weight: 10, send: (tenant, random) => get(tenant, `${anyPrompt(random)}/history?limit=20`) },
  save: {
    weight: 30,
    send: (tenant, random) =>
      post(tenant, `${anyPrompt(random)}/versions`, { template: `Dear {{ customer }}, about {{ topic }}. ${random.below(1e9)}` }, 201),
  },
  'move a label': {
    weight: 20,
    send: (tenant, random) =>
      expect(
        200,
        call(tenant, 'PUT', `${anyPrompt(random)}/labels/production`, { key: tenant.token, body: { version: 1 + random.below(2) } }),
      ),
  },
  langfuse: {
    weight: 80,
    send(tenant, random) {
      const authorization = `Basic ${Buffer.from(`${tenant.userId}:${tenant.token}`).toString('base64')}`;
      return expect(200, call(tenant, 'GET', `/api/public/v2/prompts/p${random.below(promptCount)}`, { headers: { authorization } }));
    },
  },
  'mcp, prompts/get': {
    weight: 50,
    send: (tenant, random) => callMcp(tenant, 'prompts/get', { name: `p${random.below(promptCount)}`, arguments: variables }),
  },
  'mcp, tools/call': { weight: 20, send: (tenant) => callMcp(tenant, 'tools/call', { name: 'list_prompts', arguments: {} }) },
  stream: {
    weight: 10,
    async send(tenant) {
      const { close } = await openStream(tenant, { key: tenant.token });
      close();
    },
  },
  statistics: { weight: 10, send: (tenant) => expect(200, call(tenant, 'GET', '/api/stats', { cookie: tenant.cookie })) },
  session: { weight: 10, send: (tenant) => expect(200, call(tenant, 'GET', '/api/session', { cookie: tenant.cookie })) },
  dashboard: { weight: 10, send: (tenant) => expect(200, call(tenant, 'GET', '/dashboard')) },
  run: { weight: 5, send: (tenant) => post(tenant, '/api/prompts/p1/run', { variables, connection: tenant.connection }, 200, json) },
  checks: { weight: 1, send: (tenant) => post(tenant, '/api/prompts/p0/checks', { connection: tenant.connection }, 200, json) },
  export: { weight: 1, send: (_tenant, _random, { archive }) => get(archive, '/api/export') },
  metrics: { weight: 2, send: (tenant) => expect(200, call(tenant, 'GET', '/metrics')) },
  'sign in and out': {
    weight: 2,
    async send(tenant) {
      const cookie = await signIn(tenant, tenant);
      await call(tenant, 'POST', '/api/session/sign-out', { cookie, headers: { origin: tenant.url } });
    },
  },
  reset: { weight: 5, send: (_tenant, _random, world) => resetKey(world) },
};

let resetting: Promise<unknown> = Promise.resolve();

/** Resets run one at a time, because each reset needs the key of the previous one. */
function resetKey({ url, resetting: account }: World): Promise<unknown> {
  resetting = resetting
    .catch(() => undefined)
    .then(async () => {
      const { body } = await expect(200, call({ url }, 'DELETE', '/api/auth/token', { key: account.key }));
      account.key = (body as { token: string }).token;
    });
  return resetting;
}

const names = Object.entries(kinds).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));

export function pickKind(random: Random): string {
  return random.pick(names);
}
