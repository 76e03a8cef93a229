import { maxRunOutputCharacters } from '../../contract/limits.ts';
import type { Holding } from '../../platform/scheduling/byte-budget.ts';
import { ModelError, quote } from '../connections/model-errors.ts';
import type { ModelServer } from '../connections/model-server.ts';
import { type ChatPart, maxToolCalls } from './chat-parts.ts';

/** A part of a completion that has just arrived. */
export interface ChatEvent {
  type: (typeof chatEventTypes)[number];
  text: string;
}
const chatEventTypes = ['reasoning', 'delta'] as const;

export type ToolCall = Record<string, unknown>;

const maxFinishReasonLength = 100;

/** A tool call that arrives in fragments. The values of its fields are JSON. */
interface PartialToolCall {
  fields: Map<string, string>;
  functionFields: Map<string, string>;
  arguments: string[];
}

/** Assembles a completion from its parts. */
export function createChatAssembler(
  { host, redact, redactOutput, openRedaction }: Pick<ModelServer, 'host' | 'redact' | 'redactOutput' | 'openRedaction'>,
  memory: Holding,
) {
  const texts: string[] = [];
  const toolCalls = new Map<number, PartialToolCall>();
  const lengths = { text: 0, fields: 0 };
  let finishReason: string | null = null;
  let usage: { inputTokens: number; outputTokens: number } | undefined;
  const redacted = { delta: openRedaction(), reasoning: openRedaction() };

  /** Returns the event for text from which the key was removed. */
  function pass(type: ChatEvent['type'], text: string): ChatEvent[] {
    if (text === '') return [];
    if (type === 'delta') texts.push(text);
    return [{ type, text }];
  }

  function grow(kind: keyof typeof lengths, added: number): void {
    lengths[kind] += added;
    if (lengths[kind] > limits[kind]) {
      throw new ModelError('too_long', `The response from ${host} ${excess[kind]}`);
    }
    memory.set((lengths.text + lengths.fields) * bytesPerCharacter);
  }

  function addToolCall({ index, fields, functionFields, arguments: text }: Extract<ChatPart, { type: 'tool_call' }>): void {
    grow('text', text.length);
    for (const [name, json] of [...fields, ...functionFields]) grow('fields', name.length + json.length);
    if (!toolCalls.has(index) && toolCalls.size === maxToolCalls) {
      throw new ModelError('too_long', `The response from ${host} calls more than ${maxToolCalls} tools`);
    }
    const call: PartialToolCall = toolCalls.get(index) ?? { fields: new Map(), functionFields: new Map(), arguments: [] };
    toolCalls.set(index, call);
    for (const [name, json] of fields) call.fields.set(name, json);
    for (const [name, json] of functionFields) call.functionFields.set(name, json);
    call.arguments.push(text);
  }

  return {
    /** Adds a part, and returns the new events. Throws a ModelError if the part is an error, or if the completion is too long. */
    add(part: ChatPart): ChatEvent[] {
      if (part.type === 'error') throw new ModelError('rejected', `${host} aborted the response: ${quote(part.message, redact)}`);
      if (part.type === 'usage') usage = part;
      else if (part.type === 'finish') finishReason = redactOutput(part.reason).slice(0, maxFinishReasonLength).toWellFormed();
      else if (part.type === 'tool_call') addToolCall(part);
      else if (part.type === 'reasoning') return pass('reasoning', redacted.reasoning.push(part.text));
      else {
        grow('text', part.text.length);
        return pass('delta', redacted.delta.push(part.text));
      }
      return [];
    },

    /** Returns the events that were held back. Call this after the last part. */
    flush(): ChatEvent[] {
      return chatEventTypes.flatMap((type) => pass(type, redacted[type].end()));
    },

    /** Throws if the server stopped before the completion ended. */
    assertComplete(): void {
      if (finishReason === null) throw new ModelError('incomplete', `${host} ended the response before it was complete`);
    },

    /** The text of all events so far. It is complete after `flush`. */
    get text() {
      return texts.join('');
    },
    get hasToolCalls() {
      return toolCalls.size > 0;
    },
    get toolCalls(): ToolCall[] {
      return [...toolCalls].sort(([a], [b]) => a - b).map(([, call]) => toToolCall(call, redactOutput));
    },
    get finishReason() {
      return finishReason;
    },
    get usage() {
      return usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
    },
  };
}

/**
 * The maximum lengths of an output and of its tool calls. Tool calls have few fields, and their limit is low because parsed nested fields
 * take many times the memory of their text.
 */
const limits = { text: maxRunOutputCharacters, fields: 64 * 1024 };
const excess = {
  text: `is longer than ${limits.text} characters`,
  fields: `has tool calls with more than ${limits.fields} characters besides their arguments`,
};
/** The memory per character, which covers the text itself and its copies in the response and in the stored run. */
const bytesPerCharacter = 4;

function toToolCall({ fields, functionFields, arguments: texts }: PartialToolCall, redactOutput: (text: string) => string): ToolCall {
  const called = { ...parseFields(functionFields), arguments: texts.join('') };
  return mapStrings({ ...parseFields(fields), function: called }, redactOutput) as ToolCall;
}

function parseFields(fields: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries([...fields].map(([name, json]) => [name, JSON.parse(json)]));
}

/** Maps all strings in a value, including the names of fields. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [map(name), mapStrings(field, map)]));
}
