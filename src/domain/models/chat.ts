import type { RunError, TokenUsage } from '../../contract/runs.ts';
import type { OutboundResponse } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { type ChatEvent, createChatAssembler, maxJsonBytes, parseWhole, readChunks, type ToolCall } from './chat-stream.ts';
import { fromOutboundError, fromStatus, ModelError, unknownProtocol } from './model-errors.ts';
import type { ModelServer } from './model-server.ts';

export interface ChatRequest {
  model: string;
  messages: unknown[];
  /** Everything else of the request, as the prompt's config has it. */
  parameters: Record<string, unknown>;
}

export interface ChatOptions {
  signal: AbortSignal;
  limits: ChatLimits;
  onEvent(event: ChatEvent): Promise<void> | void;
}

export interface ChatLimits {
  /** For the whole completion. */
  timeoutMs: number;
  /** Without a byte from the server. */
  idleTimeoutMs: number;
  /** Before a server that is busy is asked again. Twice as long the second time. */
  retryMs: number;
}

/** What a model responded with. After an error: what had arrived until then. */
export interface Completion {
  output: string;
  toolCalls: ToolCall[];
  finishReason: string | null;
  usage: TokenUsage;
  firstTokenMs: number | null;
  durationMs: number;
  error: RunError | null;
}

const maxErrorBytes = 64 * 1024;
const charactersPerToken = 4;

/** Requests a completion as a stream. Whatever goes wrong at the server is returned as an error in words. */
export async function completeChat(server: ModelServer, request: ChatRequest, options: ChatOptions): Promise<Completion> {
  const started = performance.now();
  const elapsedMs = () => Math.round(performance.now() - started);
  const assembler = createChatAssembler(server);
  const idle = createIdleTimer(options.limits.idleTimeoutMs);
  const signal = AbortSignal.any([options.signal, idle.signal]);
  let firstTokenMs: number | null = null;
  let error: RunError | null = null;
  try {
    for await (const chunk of requestChunks(server, request, { signal, timeoutMs: options.limits.timeoutMs, onBytes: idle.restart })) {
      const events = assembler.add(chunk);
      if (firstTokenMs === null && (events.length > 0 || assembler.toolCalls.length > 0)) firstTokenMs = elapsedMs();
      // What the caller takes for itself is not the server's silence.
      idle.stop();
      for (const event of events) await options.onEvent(event);
      idle.restart();
    }
    assembler.assertComplete();
  } catch (err) {
    error = toRunError(err, server, { canceled: options.signal.aborted, idle });
  } finally {
    idle.stop();
  }
  for (const event of assembler.flush()) {
    firstTokenMs ??= elapsedMs();
    await options.onEvent(event);
  }
  const { text: output, toolCalls, finishReason } = assembler;
  const usage = assembler.usage ? { ...assembler.usage, estimated: false } : estimateUsage(request.messages, output, toolCalls, error);
  return { output, toolCalls, finishReason, usage, firstTokenMs, durationMs: elapsedMs(), error };
}

interface SendOptions {
  signal: AbortSignal;
  timeoutMs: number;
  onBytes(): void;
}

async function* requestChunks(server: ModelServer, request: ChatRequest, options: SendOptions): AsyncGenerator<unknown> {
  const { headers, body, text } = await send(server, request, options);
  const type = String(headers['content-type'] ?? '');
  // Some servers do not stream, at least not every model.
  if (type.includes('json')) yield await parseWhole(await readWhole(text, server), server);
  else if (type.startsWith('text/html')) throw unknownProtocol(server);
  else yield* readChunks(watch(body, options.onBytes), server);
}

async function readWhole(text: OutboundResponse['text'], { host }: ModelServer): Promise<string> {
  const whole = await text(maxJsonBytes + 1);
  if (Buffer.byteLength(whole) <= maxJsonBytes) return whole;
  throw new ModelError('too_long', `The response of ${host} is longer than ${maxJsonBytes} bytes`);
}

async function send(server: ModelServer, { model, messages, parameters }: ChatRequest, options: SendOptions): Promise<OutboundResponse> {
  const body = { ...parameters, model, messages, stream: true };
  const withUsage = JSON.stringify({ ...body, stream_options: { include_usage: true } });
  let response = await sendBody(server, withUsage, options);
  let refusal = await readRefusal(response);
  // Some servers know no stream_options, and report the usage anyway.
  if (refusal?.includes('stream_options')) {
    response = await sendBody(server, JSON.stringify(body), options);
    refusal = await readRefusal(response);
  }
  if (refusal === undefined) return response;
  throw fromStatus(server, { status: response.status, text: refusal, retryAfter: response.headers['retry-after'], model });
}

function sendBody(server: ModelServer, body: string, { signal, timeoutMs, onBytes }: SendOptions): Promise<OutboundResponse> {
  onBytes();
  return server.send({ path: '/chat/completions', body, timeoutMs, signal });
}

/** The text of an error, or undefined if it is none. */
async function readRefusal(response: OutboundResponse): Promise<string | undefined> {
  return response.status >= 200 && response.status < 300 ? undefined : response.text(maxErrorBytes);
}

async function* watch(body: AsyncIterable<Buffer>, onBytes: () => void): AsyncGenerator<Buffer> {
  for await (const piece of body) {
    onBytes();
    yield piece;
  }
}

function toRunError(err: unknown, server: ModelServer, { canceled, idle }: { canceled: boolean; idle: IdleTimer }): RunError {
  if (err instanceof ModelError) return err.error;
  if (!(err instanceof OutboundError)) throw err;
  if (canceled) return new ModelError('canceled', 'The run was canceled').error;
  if (idle.signal.aborted) return new ModelError('timeout', `${server.host} was silent for ${idle.timeoutMs / 1000} seconds`).error;
  return fromOutboundError(err, server).error;
}

/** For servers that do not say, and for runs that ended early: what was sent and received has likely been counted. */
function estimateUsage(messages: unknown[], output: string, toolCalls: ToolCall[], error: RunError | null): TokenUsage {
  const isRefused = error !== null && output === '' && toolCalls.length === 0 && error.code !== 'canceled' && error.code !== 'timeout';
  if (isRefused) return { inputTokens: 0, outputTokens: 0, estimated: true };
  const called = toolCalls.length === 0 ? '' : JSON.stringify(toolCalls);
  return { inputTokens: estimateTokens(JSON.stringify(messages)), outputTokens: estimateTokens(output + called), estimated: true };
}

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

interface IdleTimer {
  signal: AbortSignal;
  timeoutMs: number;
  restart(): void;
  stop(): void;
}

function createIdleTimer(timeoutMs: number): IdleTimer {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    timeoutMs,
    restart() {
      stop();
      timer = setTimeout(() => controller.abort(), timeoutMs);
    },
    stop,
  };
}
