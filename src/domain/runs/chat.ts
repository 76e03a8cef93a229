import type { Run, RunError, TokenUsage } from '../../contract/runs.ts';
import { AppError } from '../../errors.ts';
import { BudgetError, type Holding } from '../../platform/scheduling/byte-budget.ts';
import { fromOutboundError, fromStatus, ModelError } from '../connections/model-errors.ts';
import type { ChatLimits, ModelServer } from '../connections/model-server.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { JobResponse } from '../outbound/outbound-messages.ts';
import type { ModelMessage } from '../prompts/render/placeholder-messages.ts';
import { type ChatEvent, createChatAssembler, type ToolCall } from './chat-assembler.ts';
import type { ChatPart } from './chat-parts.ts';

export interface ChatRequest {
  model: string;
  messages: ModelMessage[];
  /** All other fields of the request, from the prompt's config. */
  parameters: Record<string, unknown>;
}

export interface ChatOptions {
  signal: AbortSignal;
  limits: ChatLimits;
  /** The memory that the completion holds. */
  memory: Holding;
  onEvent(event: ChatEvent): Promise<void> | void;
}

/** The response of a model. After an error, it contains the data that had arrived before the error. */
export type Completion = Pick<Run, 'output' | 'toolCalls' | 'finishReason' | 'usage' | 'firstTokenMs' | 'durationMs' | 'error'>;

const charactersPerToken = 4;

/** Requests a completion as a stream. A problem with the server does not throw. It is returned as an error with a message. */
export async function completeChat(server: ModelServer, request: ChatRequest, options: ChatOptions): Promise<Completion> {
  const started = performance.now();
  const elapsedMs = () => Math.round(performance.now() - started);
  const assembler = createChatAssembler(server, options.memory);
  let firstTokenMs: number | null = null;
  let error: RunError | null = null;
  const onParts = async (parts: ChatPart[]) => {
    for (const part of parts) {
      const events = assembler.add(part);
      if (firstTokenMs === null && (events.length > 0 || assembler.hasToolCalls)) firstTokenMs = elapsedMs();
      for (const event of events) await options.onEvent(event);
    }
  };
  try {
    await send(server, request, { ...options, onParts });
    assembler.assertComplete();
  } catch (err) {
    error = toRunError(err, server, options.signal);
  }
  for (const event of assembler.flush()) {
    firstTokenMs ??= elapsedMs();
    await options.onEvent(event);
  }
  const { text: output, toolCalls, finishReason } = assembler;
  const usage = assembler.usage ? { ...assembler.usage, estimated: false } : estimateUsage(request.messages, output, toolCalls, error);
  return { output, toolCalls, finishReason, usage, firstTokenMs, durationMs: elapsedMs(), error };
}

type SendOptions = Pick<ChatOptions, 'signal' | 'limits'> & { onParts(parts: ChatPart[]): Promise<void> };

async function send(server: ModelServer, { model, messages, parameters }: ChatRequest, options: SendOptions): Promise<void> {
  const body = { ...parameters, model, messages, stream: true };
  let response = await server.chat(JSON.stringify({ ...body, stream_options: { include_usage: true } }), options);
  // Some servers reject `stream_options`, but report the usage anyway.
  if (isRefusal(response) && response.text.includes('stream_options')) response = await server.chat(JSON.stringify(body), options);
  if (isRefusal(response)) throw fromStatus(server, { ...response, model });
}

function isRefusal({ status }: JobResponse): boolean {
  return status < 200 || status >= 300;
}

function toRunError(err: unknown, server: ModelServer, signal: AbortSignal): RunError {
  // A run that holds too much memory is aborted through the signal, or gets the error itself.
  const cause = signal.aborted ? signal.reason : err;
  if (cause instanceof BudgetError) return new ModelError('too_long', `${cause.message}.`).error;
  if (signal.aborted) return new ModelError('canceled', isStopping(cause) ? stoppedText : 'The run was canceled').error;
  if (err instanceof ModelError) return err.error;
  if (!(err instanceof OutboundError)) throw err;
  return fromOutboundError(err, server).error;
}

const stoppedText = 'The service stopped before the run was complete. Run it again when the service is back.';

function isStopping(reason: unknown): boolean {
  return reason instanceof AppError && reason.code === 'service_stopping';
}

/**
 * Estimates the usage, for servers that do not report it and for runs that ended early. Providers probably charge for everything that was
 * sent and received.
 */
function estimateUsage(messages: unknown[], output: string, toolCalls: ToolCall[], error: RunError | null): TokenUsage {
  const isRefused = error !== null && output === '' && toolCalls.length === 0 && error.code !== 'canceled' && error.code !== 'timeout';
  if (isRefused) return { inputTokens: 0, outputTokens: 0, estimated: true };
  const called = toolCalls.length === 0 ? '' : JSON.stringify(toolCalls);
  return { inputTokens: estimateTokens(JSON.stringify(messages)), outputTokens: estimateTokens(output + called), estimated: true };
}

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
