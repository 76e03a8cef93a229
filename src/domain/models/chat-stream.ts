import { createParser } from 'eventsource-parser';
import { maxRunOutputCharacters } from '../../contract/limits.ts';
import { createTurnstile, yieldIfLong } from '../../event-loop.ts';
import { findJsonExcess } from '../../json-bounds.ts';
import { ModelError, quote, readMessage } from './model-errors.ts';
import type { ModelServer } from './model-server.ts';

/** What arrives of a completion, as it arrives. */
export interface ChatEvent {
  type: (typeof chatEventTypes)[number];
  text: string;
}
const chatEventTypes = ['reasoning', 'delta'] as const;

export type ToolCall = Record<string, unknown>;

const maxNesting = 32;
const maxFinishReasonLength = 100;
const maxToolCalls = 1000;

/** A tool call that comes in fragments. It is not copied for each of them: a server may send very many, each with fields of its own. */
interface PartialToolCall {
  fields: Map<string, unknown>;
  functionFields: Map<string, unknown>;
  arguments: string[];
}

/** Puts the chunks of a completion together. */
export interface ChatAssembler {
  /** Takes a chunk, and returns what is new. Throws a ModelError if the chunk is an error, or all is too long. */
  add(chunk: unknown): ChatEvent[];
  /** What was held back, once nothing more comes. */
  flush(): ChatEvent[];
  /** Throws if the server has stopped before the end. */
  assertComplete(): void;
  /** What was passed on. All of it after `flush`. */
  readonly text: string;
  readonly toolCalls: ToolCall[];
  readonly finishReason: string | null;
  readonly usage: { inputTokens: number; outputTokens: number } | undefined;
}

export function createChatAssembler({
  host,
  redact,
  redactOutput,
  openRedaction,
}: Omit<ModelServer, 'workspaceId' | 'hasKey' | 'send'>): ChatAssembler {
  const texts: string[] = [];
  const toolCalls = new Map<number, PartialToolCall>();
  let length = 0;
  let finishReason: string | null = null;
  let usage: ChatAssembler['usage'];
  const redacted = { delta: openRedaction(), reasoning: openRedaction() };

  /** The event for a text of which the key was removed. */
  function pass(type: ChatEvent['type'], text: string): ChatEvent[] {
    if (text === '') return [];
    if (type === 'delta') texts.push(text);
    return [{ type, text }];
  }

  function grow(text: string): void {
    length += text.length;
    if (length > maxRunOutputCharacters) {
      throw new ModelError('too_long', `The response of ${host} is longer than ${maxRunOutputCharacters} characters`);
    }
  }

  /** Only the first fragment of a call has its id and name; the arguments come in pieces, of which the key is removed in the end. */
  function addToolCall(value: unknown, position: number): void {
    const { index, function: called, ...rest } = toObject(mapStrings(value, String));
    const key = typeof index === 'number' ? index : position;
    const { arguments: piece, ...named } = toObject(called);
    const args = typeof piece === 'string' ? piece : '';
    grow(args + JSON.stringify(rest) + JSON.stringify(named));
    if (!toolCalls.has(key) && toolCalls.size === maxToolCalls) {
      throw new ModelError('too_long', `The response of ${host} calls more than ${maxToolCalls} tools`);
    }
    const call: PartialToolCall = toolCalls.get(key) ?? { fields: new Map(), functionFields: new Map(), arguments: [] };
    toolCalls.set(key, call);
    setFields(call.fields, rest);
    setFields(call.functionFields, named);
    call.arguments.push(args);
  }

  function read(chunk: unknown): ChatEvent[] {
    const { error, choices, usage: reported } = toObject(chunk);
    if (error !== undefined && error !== null) {
      throw new ModelError('rejected', `${host} ended the response: ${quote(readMessage(error) ?? 'an error without a message', redact)}`);
    }
    usage = readUsage(reported) ?? usage;
    // The chunk with the usage has no choice.
    const choice = Array.isArray(choices) ? toObject(choices[0]) : {};
    if (typeof choice.finish_reason === 'string') {
      finishReason = redactOutput(choice.finish_reason).slice(0, maxFinishReasonLength).toWellFormed();
    }
    const { content, reasoning_content, reasoning, tool_calls } = toObject(choice.delta ?? choice.message);
    const events: ChatEvent[] = [];
    const thought = reasoning_content ?? reasoning;
    if (typeof thought === 'string' && thought !== '') events.push(...pass('reasoning', redacted.reasoning.push(thought)));
    if (typeof content === 'string' && content !== '') {
      grow(content);
      events.push(...pass('delta', redacted.delta.push(content)));
    }
    if (Array.isArray(tool_calls)) tool_calls.forEach(addToolCall);
    return events;
  }

  return {
    add(chunk) {
      try {
        return read(chunk);
      } catch (err) {
        if (err instanceof ModelError) throw err;
        throw new ModelError('invalid_response', `${host} sent a response that cannot be read`);
      }
    },

    flush() {
      return chatEventTypes.flatMap((type) => pass(type, redacted[type].end()));
    },

    assertComplete() {
      if (finishReason === null) throw new ModelError('incomplete', `${host} ended the response before it was complete`);
    },

    get text() {
      return texts.join('');
    },
    get toolCalls() {
      return [...toolCalls].sort(([a], [b]) => a - b).map(([, call]) => toObject(mapStrings(toToolCall(call), redactOutput)));
    },
    get finishReason() {
      return finishReason;
    },
    get usage() {
      return usage;
    },
  };
}

type Sender = Pick<ModelServer, 'workspaceId' | 'host' | 'redact'>;

/** The events of a stream, parsed. Ends at its end marker. */
export async function* readChunks(body: AsyncIterable<Buffer>, server: Sender): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let received: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void received.push(data),
    onError: (err) => {
      if (err.type === 'max-buffer-size-exceeded') throw new ModelError('too_long', `${server.host} sent an event that is too long`);
    },
    maxBufferSize: maxEventCharacters,
  });
  let size = 0;
  const grow = (bytes: number) => {
    size += Math.max(bytes, minPieceBytes);
    if (size > maxResponseBytes)
      throw new ModelError('too_long', `The response of ${server.host} is longer than ${maxResponseBytes} bytes`);
  };
  for await (const piece of slicesOf(body, server)) {
    grow(piece.length);
    parser.feed(decoder.decode(piece, { stream: true }));
    const events = received;
    received = [];
    for (const data of events) {
      if (data.trim() === endMarker) return;
      grow(0);
      yield parseChunk(data, server);
    }
  }
}

/** Pieces of about a millisecond's work, because a server may send a hundred thousand events at once, and do so in many runs. */
async function* slicesOf(body: AsyncIterable<Buffer>, { workspaceId }: Sender): AsyncGenerator<Buffer> {
  for await (const piece of body) {
    for (let start = 0; start < piece.length; start += sliceBytes) {
      await nextTurn(workspaceId);
      yield piece.subarray(start, start + sliceBytes);
    }
  }
}

/** Of all model servers together, one is read in a turn of the event loop, those of each workspace in turn. */
const nextTurn = createTurnstile();
const sliceBytes = 2 * 1024;
const endMarker = '[DONE]';
const maxEventCharacters = 2 * 1024 * 1024;
const maxResponseBytes = 16 * 1024 * 1024;
/** What a piece or an event counts at least, because it costs time however small it is. One with a token is larger. */
const minPieceBytes = 128;
/** Of a response that is not streamed: all characters that a run may have, each of them escaped. */
export const maxJsonBytes = 8 * 1024 * 1024;
/** Enough for the probabilities of a long response, and little enough to be parsed while others wait. */
export const chunkBounds = { maxDepth: 128, maxValues: 200_000 };

/** A response that is not streamed, parsed. */
export async function parseWhole(text: string, server: Sender): Promise<unknown> {
  await nextTurn(server.workspaceId);
  const parsed = parseChunk(text, server);
  await yieldIfLong();
  return parsed;
}

function parseChunk(text: string, { host, redact }: Sender): unknown {
  if (findJsonExcess(text, chunkBounds) !== undefined) {
    throw new ModelError(
      'invalid_response',
      `${host} sent JSON that is nested more than ${chunkBounds.maxDepth} levels deep, or has more than ${chunkBounds.maxValues} values`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelError(
      'invalid_response',
      `${host} sent something else than a chat completion: ${JSON.stringify(quote(text, redact).slice(0, 100))}`,
    );
  }
}

function readUsage(value: unknown): ChatAssembler['usage'] {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = toObject(value);
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
}

/** Maps all strings in a value, also the names of fields. Throws if it is nested deeper than a tool call would be. */
function mapStrings(value: unknown, map: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxNesting) throw new RangeError('A tool call is nested too deeply');
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [map(name), mapStrings(field, map, depth + 1)]));
}

/** Servers send what they want: whatever is not an object has no fields. */
function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Servers send null for what a fragment does not have. */
function setFields(fields: Map<string, unknown>, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value !== null) fields.set(name, value);
  }
}

function toToolCall({ fields, functionFields, arguments: pieces }: PartialToolCall): ToolCall {
  return { ...Object.fromEntries(fields), function: { ...Object.fromEntries(functionFields), arguments: pieces.join('') } };
}
