import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { call } from '../../test/support/client.ts';

/** What an account that harms nobody notices: the longest duration of each thing that it does, and what failed. */
export interface BystanderObservation {
  slowestMs: Record<string, number>;
  failures: string[];
}

interface BystanderData {
  url: string;
  key: string;
  friendlyUrl: string;
}

export interface Bystander {
  /** Starts anew, and returns what was noticed since the last time. */
  take(): Promise<BystanderObservation>;
  stop(): Promise<void>;
}

/** Uses everything that others share with hostile accounts, over and over, from a thread of its own. */
export async function startBystander(data: BystanderData): Promise<Bystander> {
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  await once(worker, 'message');
  return {
    async take() {
      const reply = once(worker, 'message');
      worker.postMessage('take');
      const [observation] = (await reply) as [BystanderObservation];
      return observation;
    },
    stop: async () => void (await worker.terminate()),
  };
}

if (!isMainThread) await observe(workerData as BystanderData);

async function observe({ url, key, friendlyUrl }: BystanderData): Promise<void> {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call({ url }, method, path, { key, retries: 0, headers, ...(body !== undefined && { body }) });
  let observed: BystanderObservation = { slowestMs: {}, failures: [] };
  const idOf = async (method: string, path: string, body: unknown) => ((await send(method, path, body)).body as { id: string }).id;
  await send('POST', '/api/prompts', { name: 'a', template: 'Hello' });
  const connection = await idOf('POST', '/api/models', { name: 'Friendly', baseUrl: friendlyUrl, models: ['m'] });
  const webhook = await idOf('POST', '/api/webhooks', { url: friendlyUrl, events: ['label.moved'] });

  const uses: Record<string, () => Promise<{ status: number; text: string }>> = {
    health: () => call({ url }, 'GET', '/healthz', { retries: 0 }),
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
    export: () => send('GET', '/api/export'),
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
      await delay(20);
    }
  };
  parentPort?.on('message', () => {
    parentPort?.postMessage(observed);
    observed = { slowestMs: {}, failures: [] };
  });
  parentPort?.postMessage('ready');
  for (const [name, use] of Object.entries(uses)) void repeat(name, use);
}
