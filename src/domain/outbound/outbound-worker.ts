import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { BudgetError, createByteBudget } from '../../platform/scheduling/byte-budget.ts';
import { byteLimits } from '../../platform/scheduling/limits.ts';
import type { ChatPart } from '../runs/chat-parts.ts';
import type { AddressGuardOptions } from './address-guard.ts';
import { createHttpClient } from './http-client.ts';
import { OutboundError } from './outbound-error.ts';
import { runJob } from './outbound-jobs.ts';
import type { FromThread, ThreadError, ToThread } from './outbound-messages.ts';

// The thread that talks to servers that users name. It reads, limits and parses their responses, so that this work does not delay the main
// thread, which serves requests.

/** The priority of the thread, which is below normal. */
const priority = 5;

// The main thread passes these options.
const client = createHttpClient(workerData as AddressGuardOptions);
const memory = createByteBudget(byteLimits.otherServers);
/** The jobs in progress. `onTaken` continues a job after the main thread has processed its parts. */
const running = new Map<number, { controller: AbortController; onTaken: (() => void) | undefined }>();

// On Linux, this call lowers the priority of this thread only, so that requests are processed first when the machine is busy.
if (process.platform === 'linux') setPriority(priority);

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'start') void start(message);
  else if (message.kind === 'cancel') running.get(message.id)?.controller.abort();
  else running.get(message.id)?.onTaken?.();
});

async function start({ id, job }: Extract<ToThread, { kind: 'start' }>): Promise<void> {
  const controller = new AbortController();
  const state: { controller: AbortController; onTaken: (() => void) | undefined } = { controller, onTaken: undefined };
  running.set(id, state);
  const emit = async (parts: ChatPart[]) => {
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    state.onTaken = resolve;
    post({ kind: 'parts', id, parts });
    await taken;
  };
  controller.signal.addEventListener('abort', () => state.onTaken?.(), { once: true });
  try {
    post({ kind: 'done', id, response: await runJob(job, { client, memory, signal: controller.signal, emit }) });
  } catch (err) {
    post({ kind: 'failed', id, error: toError(err) });
  } finally {
    running.delete(id);
  }
}

function toError(err: unknown): ThreadError {
  if (err instanceof OutboundError) return { kind: err.kind, message: err.message, sample: err.sample, detail: detailOf(err) };
  if (err instanceof BudgetError) return { kind: 'too_long', message: err.message };
  return { kind: undefined, message: err instanceof Error ? (err.stack ?? err.message) : String(err) };
}

/** Only blocked addresses have a detail. All other causes are socket errors, which the message already describes. */
function detailOf({ kind, cause }: OutboundError): string | undefined {
  return kind === 'blocked' && cause instanceof Error ? cause.message : undefined;
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}
