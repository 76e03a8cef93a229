import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { call } from '../../test/support/client.ts';

/** What other accounts notice during an attack: durations in milliseconds, and responses that were no success. */
export interface Observation {
  health: number[];
  save: number[];
  render: number[];
  failures: string[];
}

interface ObserverData {
  url: string;
  key: string;
  /** Between two requests of a kind. Without it, they follow each other at once. */
  pauseMs?: number;
}

/** Observes the service from a thread of its own, so that the attack's own work is not measured. */
export interface Observer {
  /** Starts anew, and returns what was observed since the last time. */
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
  // startObserver gave it.
  const { url, key, pauseMs } = workerData as ObserverData;
  let observed: Observation = { health: [], save: [], render: [], failures: [] };
  parentPort?.on('message', () => {
    parentPort?.postMessage(observed);
    observed = { health: [], save: [], render: [], failures: [] };
  });
  const measure = async (kind: 'health' | 'save' | 'render', method: string, path: string, body?: unknown) => {
    const started = performance.now();
    // What was refused is a failure, and not repeated.
    const options = { retries: 0, ...(kind !== 'health' && { key, body }) };
    const { status, text } = await call({ url }, method, path, options).catch((err: unknown) => ({ status: 0, text: String(err) }));
    observed[kind].push(performance.now() - started);
    if (status !== 200 && status !== 201) observed.failures.push(`${kind}: ${status} ${text.slice(0, 100)}`);
  };
  const repeat = async (...parameters: Parameters<typeof measure>) => {
    for (;;) {
      await measure(...parameters);
      if (pauseMs !== undefined) await delay(pauseMs);
    }
  };
  void repeat('health', 'GET', '/healthz');
  void repeat('save', 'POST', '/api/prompts/a/versions', { template: 'Hello {{ name }}' });
  void repeat('render', 'POST', '/api/prompts/a/render', { variables: { name: 'Ada' } });
}
