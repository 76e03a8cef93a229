import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { call, type RequestOptions } from '../../test/support/client.ts';

/** The effect of an attack on other accounts: durations in milliseconds, and unsuccessful responses. */
export interface Observation extends Record<Kind, number[]> {
  failures: string[];
}

const kinds = ['health', 'verify', 'read', 'render', 'save'] as const;
type Kind = (typeof kinds)[number];

interface ObserverData {
  url: string;
  key: string;
  /** An account that changes nothing, so that its reads are cached. Default: the same account. */
  readingKey?: string;
  /** The pause between two requests of a kind. If absent, there is no pause. */
  pauseMs?: number;
}

/** Observes the service from a separate thread, so that the work of the attack is not measured. */
export interface Observer {
  /** Resets the observation, and returns what was observed since the last call. */
  take(): Promise<Observation>;
  stop(): Promise<void>;
}

export function startObserver(data: ObserverData): Observer {
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  return {
    async take() {
      const reply = once(worker, 'message');
      worker.postMessage('take');
      const [observation] = (await reply) as [Observation];
      return observation;
    },
    stop: async () => void (await worker.terminate()),
  };
}

if (!isMainThread) {
  // startObserver passed this data.
  const { url, key, readingKey = key, pauseMs } = workerData as ObserverData;
  let observed = startAnew();
  parentPort?.on('message', () => {
    parentPort?.postMessage(observed);
    observed = startAnew();
  });
  const measure = async (kind: Kind, method: string, path: string, options: RequestOptions) => {
    const started = performance.now();
    // A refused request counts as a failure and is not repeated.
    const sent = call({ url }, method, path, { retries: 0, ...options });
    const { status, text } = await sent.catch((err: unknown) => ({ status: 0, text: String(err) }));
    observed[kind].push(performance.now() - started);
    if (status !== 200 && status !== 201) observed.failures.push(`${kind}: ${status} ${text.slice(0, 100)}`);
  };
  const repeat = async (...parameters: Parameters<typeof measure>) => {
    for (;;) {
      await measure(...parameters);
      if (pauseMs !== undefined) await delay(pauseMs);
    }
  };
  void repeat('health', 'GET', '/healthz', {});
  void repeat('verify', 'GET', '/api/auth/token', { key: readingKey });
  void repeat('read', 'GET', '/api/prompts/a', { key: readingKey });
  void repeat('render', 'POST', '/api/prompts/a/render', { key: readingKey, body: { variables: { name: 'Ada' } } });
  void repeat('save', 'POST', '/api/prompts/a/versions', { key, body: { template: 'Hello {{ name }}' } });
}

function startAnew(): Observation {
  return { health: [], verify: [], read: [], render: [], save: [], failures: [] };
}
