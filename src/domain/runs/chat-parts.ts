import { maxRunOutputCharacters } from '../../contract/limits.ts';
import { findJsonExcess } from '../../platform/json-bounds.ts';
import { OutboundError } from '../outbound/outbound-error.ts';

/** The part that a chunk adds to a completion. Only the data that the service uses is kept. */
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
/** The maximum number of tool calls in a response. */
export const maxToolCalls = 1000;
/**
 * These limits are high enough for the token probabilities of a long response, and low enough that other requests do not wait too long
 * while it is parsed.
 */
export const jsonBounds = { maxDepth: 128, maxValues: 200_000 };

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

/** Returns the part for an error object. */
export function toErrorPart(error: unknown): ChatPart {
  return { type: 'error', message: (readMessage(error) ?? 'an error without a message').slice(0, maxTextLength) };
}

/** Returns the part for the reason why the model stopped. */
export function toFinishPart(reason: string): ChatPart {
  return { type: 'finish', reason: reason.slice(0, maxTextLength) };
}

/** Returns the part for text, or no part if the text is empty. */
export function toTextParts(type: 'delta' | 'reasoning', text: unknown, host: string): ChatPart[] {
  if (typeof text !== 'string' || text === '') return [];
  if (text.length > maxRunOutputCharacters)
    throw new OutboundError('too_long', `${host} sent more than ${maxRunOutputCharacters} characters`);
  return [{ type, text }];
}

/** Returns the part for the numbers of tokens, or no part if one of the numbers is missing. */
export function toUsageParts(inputTokens: unknown, outputTokens: unknown): ChatPart[] {
  return isCount(inputTokens) && isCount(outputTokens) ? [{ type: 'usage', inputTokens, outputTokens }] : [];
}

/** Throws if there are too many tool calls. Their number is limited here, because the thread that serves requests has to process them. */
export function assertToolCallCount(count: number, host: string): void {
  if (count > maxToolCalls) throw new OutboundError('too_long', `${host} calls more than ${maxToolCalls} tools`);
}

/** Parses JSON from a server. Throws if it exceeds the limits. */
export function parseChatJson(text: string, host: string): Record<string, unknown> {
  return toObject(parseJson(text, host));
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

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
}

/** Returns a value as an object. A value that is not an object has no fields. */
export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
