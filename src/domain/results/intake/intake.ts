import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import { startThread } from '../../../platform/programs.ts';
import { createFairQueue } from '../../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../../platform/scheduling/limits.ts';
import type { FromThread, Reading, Refusal, ToThread, Upload } from './intake-messages.ts';

export interface WithIntake {
  intake: Intake;
}

export type Intake = ReturnType<typeof createIntake>;

/** The maximum heap of the thread, which is several times what a request of the maximum size requires. */
const maxHeapMib = 256;
const maxYoungHeapMib = 32;

/**
 * Reads the requests of OpenTelemetry exporters and of Langfuse's SDKs in a separate thread, which starts with the first request. The main
 * thread neither decompresses nor decodes bodies, so a large body does not delay other requests. The main thread gets back only numbers,
 * names and ids, so the contents of calls cannot be stored or logged. `onFailure` is called when the thread has ended with an error. The
 * next request starts a new thread.
 */
export function createIntake({ onFailure }: { onFailure?(err: unknown): void } = {}) {
  const queue = createFairQueue(queueLimits.intake);
  const pending = new Map<number, PromiseWithResolvers<Reading>>();
  let worker: Worker | undefined;
  let nextId = 0;

  function start(): Worker {
    // The thread does not get the service's environment, because it contains secrets.
    const started = startThread('intake-worker', {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib, maxYoungGenerationSizeMb: maxYoungHeapMib },
    });
    started.on('message', onMessage);
    started.on('error', onEnd).on('exit', () => onEnd(new Error('The thread ended')));
    return started;

    function onEnd(cause: unknown): void {
      if (worker !== started) return;
      onFailure?.(cause);
      forget(cause);
    }
  }

  /** Fails the pending requests with an error after which exporters retry. */
  function forget(cause: unknown): void {
    worker = undefined;
    for (const { reject } of pending.values()) reject(new AppError('overloaded', { cause }));
    pending.clear();
  }

  function onMessage(text: string): void {
    const message = JSON.parse(text) as FromThread;
    const job = pending.get(message.id);
    pending.delete(message.id);
    if ('reading' in message) job?.resolve(message.reading);
    else job?.reject(toAppError(message.refusal));
  }

  function post({ body, ...upload }: Upload): Promise<Reading> {
    const job = Promise.withResolvers<Reading>();
    worker ??= start();
    nextId += 1;
    pending.set(nextId, job);
    worker.ref();
    // A small body is a view of memory that Node shares with other requests, so it is copied before it is transferred.
    const copy = new Uint8Array(body);
    const message: ToThread = { id: nextId, upload: { ...upload, body: copy } };
    worker.postMessage(message, [copy.buffer]);
    return job.promise.finally(() => {
      // An idle thread must not keep the process from ending.
      if (pending.size === 0) worker?.unref();
    });
  }

  return {
    /** Reads an upload when it is the workspace's turn. */
    read: (workspaceId: string, upload: Upload): Promise<Reading> => queue.run(workspaceId, () => post(upload)),

    async close(): Promise<void> {
      const ending = worker;
      forget(new Error('The service is stopping'));
      await ending?.terminate();
    },
  };
}

function toAppError({ kind, text }: Refusal): AppError {
  return new AppError(kind === 'too_large' ? 'body_too_large' : 'bad_request', { text });
}
