import type { Worker } from 'node:worker_threads';
import { startThread } from '../../platform/programs.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../platform/scheduling/limits.ts';
import { traceHeaders } from '../../platform/trace-context.ts';
import type { ChatPart } from '../runs/chat-parts.ts';
import type { AddressGuardOptions } from './address-guard.ts';
import { OutboundError } from './outbound-error.ts';
import type { FromThread, JobResponse, OutboundJob, ThreadError, ToThread } from './outbound-messages.ts';

export interface WithOutbound {
  outbound: Outbound;
}

type JobOf<K extends OutboundJob['kind']> = Omit<Extract<OutboundJob, { kind: K }>, 'kind'>;

export type Outbound = ReturnType<typeof createOutbound>;

interface Pending {
  /** The workspace of the request. The messages of one workspace are processed one at a time. */
  tenant: string;
  resolve(response: JobResponse | undefined): void;
  reject(err: unknown): void;
  onParts(parts: ChatPart[]): Promise<void>;
}

/**
 * The maximum heap of the thread. It is far more than the thread needs within its own limits. If these limits fail, only the thread runs
 * out of memory and ends, and the service continues.
 */
const maxHeapMib = 256;
/** The maximum young heap of the thread. It is small, because most of what the thread reads soon becomes garbage. */
const maxYoungHeapMib = 16;

interface OutboundOptions extends Pick<AddressGuardOptions, 'allow' | 'nameServers'> {
  /** Reports refused addresses to the operator. Users must not learn what a name resolves to. */
  onBlocked?(detail: string): void;
  /** Called when the thread has ended with an error. The next request starts a new thread. */
  onFailure?(err: unknown): void;
}

/**
 * Sends requests to servers that users name: webhooks and model servers. A separate thread, which starts with the first request, sends
 * them. No matter what a server sends and how fast, the main thread receives only messages of limited size, one at a time for each request.
 */
export function createOutbound({ onBlocked, onFailure, ...options }: OutboundOptions) {
  const pending = new Map<number, Pending>();
  const lookups = createFairQueue(queueLimits.nameLookups);
  const messages = createFairQueue(queueLimits.messagesOfServers);
  let worker: Worker | undefined;
  let nextId = 0;

  function start(): Worker {
    const started = startThread('outbound-worker', {
      workerData: options,
      // The thread does not get the service's environment, because it contains secrets.
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

  /** Fails the pending requests. The next request starts a new thread. */
  function forget(cause: unknown): void {
    worker = undefined;
    for (const { reject } of pending.values()) reject(new OutboundError('network', 'The request was interrupted', { cause }));
    pending.clear();
  }

  /** Messages are processed in a fair queue, because many runs may end at once, and storing each run takes time. */
  function onMessage(message: FromThread): void {
    const { tenant } = pending.get(message.id) ?? {};
    if (tenant !== undefined) messages.run(tenant, async () => handle(message)).catch((err: unknown) => fail(message.id, err));
  }

  function handle(message: FromThread): void {
    const { id } = message;
    const job = pending.get(id);
    if (!job) return;
    if (message.kind === 'parts') {
      job.onParts(message.parts).then(
        () => post({ kind: 'taken', id }),
        (err: unknown) => fail(id, err),
      );
      return;
    }
    pending.delete(id);
    if (message.kind === 'done') job.resolve(message.response);
    else {
      if (message.error.detail !== undefined) onBlocked?.(message.error.detail);
      job.reject(toError(message.error));
    }
  }

  function fail(id: number, err: unknown): void {
    post({ kind: 'cancel', id });
    pending.get(id)?.reject(err);
    pending.delete(id);
  }

  function post(message: ToThread): void {
    worker?.postMessage(message);
  }

  function run(
    job: OutboundJob,
    { signal, onParts = async () => {} }: { signal?: AbortSignal | undefined; onParts?: Pending['onParts'] } = {},
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<JobResponse | undefined>();
    worker ??= start();
    nextId += 1;
    const id = nextId;
    const cancel = () => post({ kind: 'cancel', id });
    pending.set(id, { tenant: 'workspaceId' in job ? job.workspaceId : '', resolve, reject, onParts });
    worker.ref();
    post({ kind: 'start', id, job: inTrace(job) });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    return promise.finally(() => {
      signal?.removeEventListener('abort', cancel);
      // An idle thread must not keep the process from ending.
      if (pending.size === 0) worker?.unref();
    });
  }

  async function runRequest(...parameters: Parameters<typeof run>): Promise<JobResponse> {
    const response = await run(...parameters);
    if (!response) throw new Error('The request ended without a response');
    return response;
  }

  return {
    request: (request: JobOf<'request'>, signal?: AbortSignal) => runRequest({ ...request, kind: 'request' }, { signal }),
    readJson: (request: JobOf<'read-json'>, signal: AbortSignal) => runRequest({ ...request, kind: 'read-json' }, { signal }),
    listModels: (request: JobOf<'list-models'>) => runRequest({ ...request, kind: 'list-models' }),
    /** Requests a completion. Each call of `onParts` must resolve before the next parts are read. */
    chat: (request: JobOf<'chat'>, { signal, onParts }: { signal: AbortSignal; onParts: Pending['onParts'] }) =>
      runRequest({ ...request, kind: 'chat' }, { signal, onParts }),

    /** Throws an OutboundError if a request to this URL would be refused now. A host that cannot be resolved is not refused. */
    async assertAllowed(workspaceId: string, url: URL): Promise<void> {
      await lookups.run(workspaceId, () => run({ kind: 'check', url: url.href }));
    },

    async close(): Promise<void> {
      const ending = worker;
      forget(new Error('The service is stopping'));
      await ending?.terminate();
    },
  };
}

/** Adds the header of the caller's trace to a request. */
function inTrace(job: OutboundJob): OutboundJob {
  return 'headers' in job ? { ...job, headers: { ...traceHeaders(), ...job.headers } } : job;
}

function toError({ kind, message, sample }: ThreadError): Error {
  if (kind) return new OutboundError(kind, message, { sample });
  return new Error('The thread for requests to other servers failed', { cause: message });
}
