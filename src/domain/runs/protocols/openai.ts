import { findJsonExcess } from '../../../platform/json-bounds.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import {
  assertToolCallCount,
  type ChatPart,
  parseChatJson,
  toErrorPart,
  toFinishPart,
  toObject,
  toTextParts,
  toUsageParts,
} from '../chat-parts.ts';
import type { Protocol } from './protocol.ts';

const endMarker = '[DONE]';
/** The maximum number of fields in a tool call. */
const maxFields = 100;
/** No tool call needs more than these limits. Arguments do not count toward them, because they are text. */
const fieldBounds = { maxDepth: 32, maxValues: 10_000 };

/** OpenAI's chat completions, which most servers support. Parameters are passed on unchanged. */
export const openai: Protocol = {
  name: 'OpenAI',
  baseEnding: '/v1',
  modelsPath: '/models',
  toHeaders: (key) => ({ ...(key !== undefined && { authorization: `Bearer ${key}` }) }),
  toModelIds: ({ data }) => toIds(data),
  toCall: ({ model, messages, parameters }) => ({
    path: '/chat/completions',
    body: { ...parameters, model, messages, stream: true, stream_options: { include_usage: true } },
  }),
  toRetry({ path, body: { stream_options: _, ...body } }, refusal) {
    // The request is retried without `stream_options`, because some servers reject this field but report the usage anyway.
    return refusal.includes('stream_options') ? { path, body } : undefined;
  },
  openReader: (host) => (data) => (data.trim() === endMarker ? undefined : readChunk(data, host)),
};

/** Returns the ids in an array of models. */
export function toIds(data: unknown): string[] | undefined {
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((model: unknown) => {
    const { id } = toObject(model);
    return typeof id === 'string' ? [id] : [];
  });
}

function readChunk(data: string, host: string): ChatPart[] {
  const { error, choices, usage } = parseChatJson(data, host);
  if (error !== undefined && error !== null) return [toErrorPart(error)];
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = toObject(usage);
  // The chunk that contains the usage has no choices.
  const { delta, message, finish_reason: reason } = Array.isArray(choices) ? toObject(choices[0]) : {};
  const { content, refusal, reasoning_content, reasoning, tool_calls } = toObject(delta ?? message);
  const toolCalls: unknown[] = Array.isArray(tool_calls) ? tool_calls : [];
  assertToolCallCount(toolCalls.length, host);
  return [
    ...toUsageParts(inputTokens, outputTokens),
    ...(typeof reason === 'string' ? [toFinishPart(reason)] : []),
    ...toTextParts('reasoning', reasoning_content ?? reasoning, host),
    ...toContentParts(content, host),
    // A model that refuses to follow an output schema says so here instead of in the content.
    ...toTextParts('delta', refusal, host),
    ...toolCalls.map((call, position) => toToolCall(call, position, host)),
  ];
}

/** Parses content. Some servers send it in parts, some of which are the reasoning of the model. */
function toContentParts(content: unknown, host: string): ChatPart[] {
  if (!Array.isArray(content)) return toTextParts('delta', content, host);
  const parts = content.map(toObject);
  const reasoning = parts.flatMap(({ type, thinking }) => (type === 'thinking' && Array.isArray(thinking) ? thinking.map(toObject) : []));
  return [...toTextParts('reasoning', joinTexts(reasoning), host), ...toTextParts('delta', joinTexts(parts), host)];
}

function joinTexts(parts: Record<string, unknown>[]): string {
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

/** Parses a fragment of a tool call. Only the first fragment has the id and the name. */
function toToolCall(value: unknown, position: number, host: string): ChatPart {
  const call = toObject(value);
  const called = toObject(call.function);
  for (const object of [call, called]) {
    if (Object.keys(object).length > maxFields) {
      throw new OutboundError('invalid', `${host} sent a tool call with more than ${maxFields} fields`);
    }
  }
  const { index, function: _, ...rest } = call;
  const { arguments: text, ...named } = called;
  return {
    type: 'tool_call',
    index: typeof index === 'number' ? index : position,
    fields: toFields(rest, host),
    functionFields: toFields(named, host),
    // The arguments are JSON text, but some servers send the object itself.
    arguments: typeof text === 'string' ? text : isObject(text) ? JSON.stringify(text) : '',
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Parses fields. Servers send null for fields that a fragment does not have. */
function toFields(values: Record<string, unknown>, host: string): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === null) return [];
    const json = JSON.stringify(value);
    if (findJsonExcess(json, fieldBounds)) throw new OutboundError('invalid', `${host} sent a tool call that is nested too deeply`);
    return [[name, json]];
  });
}
