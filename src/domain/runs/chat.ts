import type { Run, RunError, TokenUsage } from '../../contract/runs.ts';
import { estimateMessageTokens, estimateTokens } from '../../contract/token-estimate.ts';
import { AppError } from '../../errors.ts';
import { BudgetError, type Holding } from '../../platform/scheduling/byte-budget.ts';
import { fromOutboundError, fromStatus, ModelError } from '../connections/model-errors.ts';
import type { ChatLimits, ModelServer } from '../connections/model-server.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { JobResponse } from '../outbound/outbound-messages.ts';
import { type ChatEvent, createChatAssembler, type ToolCall } from './chat-assembler.ts';
import type { ChatPart } from './chat-parts.ts';
import type { ChatCall, ChatRequest } from './protocols/protocol.ts';

/** A request that has been converted to the protocol of its server. */
type ConvertedRequest = Pick<ChatRequest, 'model' | 'messages'> & { call: ChatCall };

export interface ChatOptions {
  signal: AbortSignal;
  limits: ChatLimits;
  /** The memory that the completion holds. */
  memory: Holding;
  onEvent(event: ChatEvent): Promise<void> | void;
}

/** The response of a model. After an error, it contains the data that had arrived before the error. */
export type Completion = Pick<Run, 'output' | 'toolCalls' | 'finishReason' | 'usage' | 'firstTokenMs' | 'durationMs' | 'error'>;

/** Requests a completion as a stream. If there is a problem with the server, does not throw, but returns an error with a message. */
export async function completeChat(server: ModelServer, request: ConvertedRequest, options: ChatOptions): Promise<Completion> {
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

async function send(server: ModelServer, { model, call }: ConvertedRequest, options: SendOptions): Promise<void> {
  let response = await server.chat(call, options);
  const retry = isRefusal(response) ? server.protocol.toRetry?.(call, response.text) : undefined;
  if (retry) response = await server.chat(retry, options);
  if (isRefusal(response)) throw fromStatus(server, { ...response, model });
}

function isRefusal({ status }: JobResponse): boolean {
  return status < 200 || status >= 300;
}

function toRunError(err: unknown, server: ModelServer, signal: AbortSignal): RunError {
  // If the run holds too much memory, a BudgetError aborts the signal or is thrown.
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
function estimateUsage(messages: ChatRequest['messages'], output: string, toolCalls: ToolCall[], error: RunError | null): TokenUsage {
  const isRefused = error !== null && output === '' && toolCalls.length === 0 && error.code !== 'canceled' && error.code !== 'timeout';
  if (isRefused) return { inputTokens: 0, outputTokens: 0, estimated: true };
  const called = toolCalls.length === 0 ? '' : JSON.stringify(toolCalls);
  return { inputTokens: estimateMessageTokens(messages), outputTokens: estimateTokens(output + called), estimated: true };
}
