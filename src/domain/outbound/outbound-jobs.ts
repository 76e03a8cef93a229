import { findJsonExcess } from '../../platform/json-bounds.ts';
import type { ByteBudget, Holding } from '../../platform/scheduling/byte-budget.ts';
import { parseModelIds } from '../connections/model-ids.ts';
import { type ChatPart, jsonBounds } from '../runs/chat-parts.ts';
import { readEvents, readWhole } from '../runs/chat-reader.ts';
import { describeUnknownProtocol } from '../runs/protocols/protocol.ts';
import { protocols } from '../runs/protocols/protocols.ts';
import type { HttpClient, HttpResponse } from './http-client.ts';
import { OutboundError } from './outbound-error.ts';
import type { JobResponse, OutboundJob } from './outbound-messages.ts';
import { readBytes } from './read-bytes.ts';

interface JobTools {
  client: HttpClient;
  memory: ByteBudget;
  signal: AbortSignal;
  /** Resolves when the main thread has processed the parts. */
  emit(parts: ChatPart[]): Promise<void>;
}

const maxErrorBytes = 16 * 1024;
const maxListBytes = 2 * 1024 * 1024;
const maxJsonBytes = 2 * 1024 * 1024;

/** Runs a job, in the thread that talks to other servers. */
export async function runJob(job: OutboundJob, tools: JobTools): Promise<JobResponse | undefined> {
  const url = new URL(job.url);
  if (job.kind === 'check') {
    await tools.client.assertAllowed(url);
    return undefined;
  }
  const memory = tools.memory.open(job.workspaceId);
  try {
    if (job.kind === 'chat') return await readChat(job, { ...tools, memory });
    const signal = AbortSignal.any([tools.signal, memory.evicted]);
    const response = await tools.client.send({ ...job, url, signal });
    if (job.kind === 'list-models' && response.status === 200) {
      const list = await readBytes(response.body, { maxBytes: maxListBytes, memory });
      return { ...describe(response, ''), modelIds: parseModelIds(list.toString('utf8'), protocols[job.modelKind]) };
    }
    if (job.kind === 'read-json' && response.status === 200)
      return { ...describe(response, ''), json: await readJson(response, url, memory) };
    return describe(response, await readErrorText(response, tools.signal));
  } catch (err) {
    throw memory.evicted.aborted ? memory.evicted.reason : err;
  } finally {
    memory.close();
  }
}

/** Reads the body and parses it to verify that it is JSON. The main thread receives the body as text. */
async function readJson({ body }: HttpResponse, { host }: URL, memory: Holding): Promise<string> {
  const bytes = await readBytes(body, { maxBytes: maxJsonBytes, memory });
  if (bytes.length >= maxJsonBytes) {
    throw new OutboundError('too_long', `${host} sent more than ${maxJsonBytes / 1024 / 1024} MiB. Use the command line for this import`);
  }
  try {
    // Bytes that are not valid UTF-8 are refused, because their replacement characters would take three times the space.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (findJsonExcess(text, jsonBounds) === undefined) JSON.parse(text);
    else throw new SyntaxError('It is nested too deeply');
    return text;
  } catch {
    throw new OutboundError('invalid', `${host} did not send JSON`);
  }
}

async function readChat(
  { url: address, idleTimeoutMs, modelKind, ...request }: Extract<OutboundJob, { kind: 'chat' }>,
  { client, memory, emit, ...tools }: Omit<JobTools, 'memory'> & { memory: Holding },
): Promise<JobResponse> {
  const url = new URL(address);
  const protocol = protocols[modelKind];
  const idle = createIdleTimer(idleTimeoutMs);
  const signal = AbortSignal.any([tools.signal, memory.evicted, idle.signal]);
  let response: HttpResponse | undefined;
  try {
    idle.restart();
    response = await client.send({ ...request, url, signal });
    if (isError(response)) return describe(response, await readErrorText(response, tools.signal));
    const type = String(response.headers['content-type'] ?? '');
    if (type.startsWith('text/html')) throw new OutboundError('invalid', describeUnknownProtocol(url, protocol));
    const body = watch(response.body, idle.restart);
    // The content type decides how the body is read, because some servers do not stream at all, or do not stream every model.
    const readBody = type.includes('json') ? readWhole : readEvents;
    for await (const parts of readBody({ host: url.host, body, memory, read: protocol.openReader(url.host) })) {
      // The idle timer stops while the caller processes the parts, because the server is not silent during this time.
      idle.stop();
      if (parts.length > 0) await emit(parts);
      idle.restart();
    }
    return describe(response, '');
  } catch (err) {
    if (idle.signal.aborted && !tools.signal.aborted) {
      throw new OutboundError('timeout', `${url.host} sent nothing for ${idleTimeoutMs / 1000} seconds`);
    }
    throw err;
  } finally {
    idle.stop();
    response?.close();
  }
}

/** Reads the text of an error response. Returns an empty string if reading fails, because the status is enough for an error message. */
async function readErrorText(response: HttpResponse, signal: AbortSignal): Promise<string> {
  if (!isError(response)) {
    response.close();
    return '';
  }
  const bytes = await readBytes(response.body, { maxBytes: maxErrorBytes }).catch(() => Buffer.alloc(0));
  signal.throwIfAborted();
  return bytes.toString('utf8');
}

function isError({ status }: HttpResponse): boolean {
  return status < 200 || status >= 300;
}

function describe({ status, headers }: HttpResponse, text: string): JobResponse {
  return { status, retryAfter: headers['retry-after'], date: headers.date, text };
}

async function* watch(body: AsyncIterable<Buffer>, onBytes: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    onBytes();
    yield chunk;
  }
}

function createIdleTimer(timeoutMs: number) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    restart() {
      stop();
      timer = setTimeout(() => controller.abort(), timeoutMs);
    },
    stop,
  };
}
