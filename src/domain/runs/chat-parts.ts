import { maxRunOutputCharacters } from '../../contract/limits.ts';
import { findJsonExcess } from '../../platform/json-bounds.ts';
import { OutboundError } from '../outbound/outbound-error.ts';

/** What a chunk adds to a completion. Only the data that the service uses is kept. */
export type ChatPart =
  | { type: 'delta' | 'reasoning'; text: string }
  /** A fragment of a tool call. The values of its fields are JSON text, which takes less memory than parsed values. */
  | { type: 'tool_call'; index: number; fields: [string, string][]; functionFields: [string, string][]; arguments: string }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'finish'; reason: string }
  /** The server ended the response with an error. */
  | { type: 'error'; message: string };

/**
 * The maximum length of texts that are later shortened further. It is generous, because a key that is cut off here could no longer be found
 * and removed.
 */
const maxTextLength = 4000;
const maxMessageDepth = 8;
/** The maximum number of tool calls in a response, and of fields in a tool call. */
export const maxToolCalls = 1000;
const maxFields = 100;
/** No tool call needs more than these limits. Arguments do not count toward them, because they are text. */
const fieldBounds = { maxDepth: 32, maxValues: 10_000 };
/**
 * These limits are high enough for the token probabilities of a long response, and low enough that other requests do not wait too long
 * while it is parsed.
 */
export const jsonBounds = { maxDepth: 128, maxValues: 200_000 };

/** Parses a chunk, or a response that is not streamed, into parts. */
export function parseChunk(text: string, host: string): ChatPart[] {
  const { error, choices, usage } = toObject(parseJson(text, host));
  if (error !== undefined && error !== null) {
    return [{ type: 'error', message: (readMessage(error) ?? 'an error without a message').slice(0, maxTextLength) }];
  }
  const counts = readUsage(usage);
  // The chunk that contains the usage has no choices.
  const choice = Array.isArray(choices) ? toObject(choices[0]) : {};
  const { content, reasoning_content, reasoning, tool_calls } = toObject(choice.delta ?? choice.message);
  const thought = reasoning_content ?? reasoning;
  for (const text of [thought, content]) {
    if (typeof text !== 'string' || text.length <= maxRunOutputCharacters) continue;
    throw new OutboundError('too_long', `${host} sent more than ${maxRunOutputCharacters} characters`);
  }
  // Everything is limited here, because the thread that serves requests has to process it.
  if (Array.isArray(tool_calls) && tool_calls.length > maxToolCalls) {
    throw new OutboundError('too_long', `${host} calls more than ${maxToolCalls} tools`);
  }
  return [
    ...(counts ? [counts] : []),
    ...(typeof choice.finish_reason === 'string'
      ? [{ type: 'finish' as const, reason: choice.finish_reason.slice(0, maxTextLength) }]
      : []),
    ...(typeof thought === 'string' && thought !== '' ? [{ type: 'reasoning' as const, text: thought }] : []),
    ...(typeof content === 'string' && content !== '' ? [{ type: 'delta' as const, text: content }] : []),
    ...(Array.isArray(tool_calls) ? tool_calls.map((call, position) => toToolCall(call, position, host)) : []),
  ];
}

/**
 * Reads the message of an error object, which may also appear in the middle of a stream. Servers nest error objects only a few levels deep.
 */
export function readMessage(body: unknown, depth = 0): string | undefined {
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null || depth > maxMessageDepth) return undefined;
  if (Array.isArray(body)) return readMessage(body[0], depth + 1);
  const { error, message, detail }: { error?: unknown; message?: unknown; detail?: unknown } = body;
  if (error !== undefined && error !== null) return readMessage(error, depth + 1);
  if (typeof message === 'string') return message;
  return detail === undefined ? undefined : typeof detail === 'string' ? detail : JSON.stringify(detail);
}

function parseJson(text: string, host: string): unknown {
  if (findJsonExcess(text, jsonBounds) !== undefined) {
    throw new OutboundError(
      'invalid',
      `${host} sent JSON that is nested more than ${jsonBounds.maxDepth} levels deep, or has more than ${jsonBounds.maxValues} values`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    const sample = text.slice(0, maxTextLength);
    throw new OutboundError('invalid', `${host} sent something that is not a chat completion`, { sample });
  }
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
    arguments: typeof text === 'string' ? text : '',
  };
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

function readUsage(value: unknown): ChatPart | undefined {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = toObject(value);
  return isCount(inputTokens) && isCount(outputTokens) ? { type: 'usage', inputTokens, outputTokens } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
}

/** Returns a value as an object. A value that is not an object has no fields. */
export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Describes a response that does not follow the protocol of model servers. */
export function describeUnknownProtocol({ host }: { host: string }): string {
  return `${host} ${protocolHint}`;
}

export const protocolHint = 'does not support the OpenAI protocol at this base address, which usually ends in /v1';
