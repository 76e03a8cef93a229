import { EventEmitter, once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { linesMediaType } from '../../src/contract/transfer-format.ts';
import { call } from '../../test/support/client.ts';
import { startMailServer } from '../../test/support/mail-server.ts';

/** The effect of an attack on a harmless account: the longest duration of each of its actions, and its failures. */
export interface BystanderObservation {
  slowestMs: Record<string, number>;
  failures: string[];
}

/** The pause between two actions of the same kind. */
const pauseMs = 200;

interface BystanderData {
  url: string;
  key: string;
  friendlyUrl: string;
}

export interface Bystander {
  /** The mail server that receives the bystander's emails. */
  mailUrl: string;
  /** Starts the actions. */
  observe(data: BystanderData): Promise<void>;
  /** Resets the measurement, and returns the observations since the last call. */
  take(): Promise<BystanderObservation>;
  stop(): Promise<void>;
}

/** Starts a thread that repeatedly uses everything that harmless accounts share with hostile ones. */
export async function startBystander(): Promise<Bystander> {
  const worker = new Worker(new URL(import.meta.url));
  const [mailUrl] = (await once(worker, 'message')) as [string];
  const ask = async <T>(message: unknown): Promise<T> => {
    const reply = once(worker, 'message');
    worker.postMessage(message);
    return (await reply)[0] as T;
  };
  return { mailUrl, observe: ask<void>, take: () => ask<BystanderObservation>('take'), stop: async () => void (await worker.terminate()) };
}

if (!isMainThread && parentPort) {
  const arrivals = new EventEmitter();
  const mailServer = await startMailServer(async ({ to }) => void arrivals.emit(to[0] ?? ''));
  parentPort.postMessage(mailServer.url);
  const [data] = (await once(parentPort, 'message')) as [BystanderData];
  await observe(data, arrivals);
}

async function observe({ url, key, friendlyUrl }: BystanderData, arrivals: EventEmitter): Promise<void> {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call({ url }, method, path, { key, retries: 0, headers, ...(body !== undefined && { body }) });
  let observed: BystanderObservation = { slowestMs: {}, failures: [] };
  const idOf = async (method: string, path: string, body: unknown) => ((await send(method, path, body)).body as { id: string }).id;
  await send('POST', '/api/prompts', { name: 'a', template: 'Hello' });
  const connection = await idOf('POST', '/api/models', { name: 'Friendly', baseUrl: friendlyUrl, models: ['m'] });
  const webhook = await idOf('POST', '/api/webhooks', { url: friendlyUrl, events: ['label.moved'] });

  await send('POST', '/api/prompts/a/cases', { name: 'Says hi', checks: [{ kind: 'contains', value: 'Hi' }] });
  const exported = await send('GET', '/api/export');
  let resets = 0;
  // `fetch` may send a request after another one on the same connection, and the duration would then include the other request.
  const agent = new Agent({ keepAlive: true });

  const uses: Record<string, () => Promise<{ status: number; text: string }>> = {
    health: () => checkHealth(url, agent),
    run: () => send('POST', '/api/prompts/a/run', { connection }, { accept: 'application/json' }),
    'model test': () => send('POST', `/api/models/${connection}/test`),
    webhook: async () => {
      const moved = await send('PUT', '/api/prompts/a/labels/seen', { version: 1 });
      await send('DELETE', '/api/prompts/a/labels/seen');
      for (;;) {
        const { status, body, text } = await send('GET', `/api/webhooks/${webhook}/deliveries?limit=1`);
        const [newest] = (body as { data?: { state: string }[] }).data ?? [];
        if (status !== 200 || newest?.state === 'delivered') return status === 200 ? moved : { status, text };
        await delay(50);
      }
    },
    check: async () => {
      const { status, text, body } = await send('POST', '/api/prompts/a/checks', { connection }, { accept: 'application/json' });
      return { status: (body as { passed?: number } | undefined)?.passed === 1 ? status : 0, text };
    },
    export: () => send('GET', '/api/export'),
    import: () =>
      call({ url }, 'POST', '/api/import', { key, retries: 0, text: exported.text, headers: { 'content-type': linesMediaType } }),
    'reset mail': async () => {
      resets += 1;
      const email = `reset${resets}@example.com`;
      const headers = { 'x-forwarded-for': `10.0.${resets >> 8}.${resets & 255}` };
      const body = { email, password: 'a long enough password' };
      const registered = await call({ url }, 'POST', '/api/auth/register', { body, headers, retries: 0 });
      if (registered.status !== 201) return registered;
      const arrived = once(arrivals, email);
      const requested = await call({ url }, 'POST', '/api/session/forgot-password', {
        body: { email },
        headers: { ...headers, origin: url },
        retries: 0,
      });
      if (requested.status < 300) await arrived;
      return requested;
    },
    stream: async () => {
      const response = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${key}` } });
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return { status: response.status, text: '' };
    },
  };
  const repeat = async (name: string, use: () => Promise<{ status: number; text: string }>) => {
    for (;;) {
      const started = performance.now();
      const { status, text } = await use().catch((err: unknown) => ({ status: 0, text: String(err) }));
      observed.slowestMs[name] = Math.max(observed.slowestMs[name] ?? 0, performance.now() - started);
      if (status < 200 || status > 299) observed.failures.push(`${name}: ${status} ${text.slice(0, 100)}`);
      await delay(name === 'health' ? 20 : pauseMs);
    }
  };
  parentPort?.on('message', () => {
    parentPort?.postMessage(observed);
    observed = { slowestMs: {}, failures: [] };
  });
  parentPort?.postMessage('ready');
  for (const [name, use] of Object.entries(uses)) void repeat(name, use);
}

async function checkHealth(url: string, agent: Agent): Promise<{ status: number; text: string }> {
  const [response] = (await once(get(`${url}/healthz`, { agent }), 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return { status: response.statusCode ?? 0, text: '' };
}
