import {
  assertToolCallCount,
  type ChatPart,
  isCount,
  parseChatJson,
  toErrorPart,
  toFinishPart,
  toObject,
  toTextParts,
  toUsageParts,
} from '../chat-parts.ts';
import {
  mergeByRole,
  type PlainMessage,
  type PlainPart,
  readFunctionTool,
  readMessages,
  readResponseFormat,
  textsOf,
  unsupported,
  withoutNulls,
} from './messages.ts';
import { toIds } from './openai.ts';
import type { ChatReader, ChatRequest, Protocol } from './protocol.ts';

type Block = Record<string, unknown>;

const name = 'Anthropic';
const version = '2023-06-01';
/** The default limit of output tokens, because the API requires one. All models that are still offered accept this value. */
const defaultMaxTokens = 8192;
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Anthropic's Messages API. */
export const anthropic: Protocol = {
  name,
  baseEnding: '/v1',
  // By default, a page would have only 20 models.
  modelsPath: '/models?limit=1000',
  toHeaders: (key) => ({ 'anthropic-version': version, ...(key !== undefined && { 'x-api-key': key }) }),
  toModelIds: ({ data }) => toIds(data),
  toCall: (request) => ({ path: '/messages', body: toBody(request) }),
  openReader,
};

/** Converts a request. Parameters that OpenAI does not have are passed on unchanged, so that callers can use the API's own parameters. */
function toBody({ model, messages, parameters }: ChatRequest): Record<string, unknown> {
  const { max_tokens, max_completion_tokens, stop, tools, tool_choice, parallel_tool_calls, response_format, user, ...rest } =
    withoutNulls(parameters);
  const plain = readMessages(messages, name);
  const system = plain.filter(({ role }) => role === 'system').flatMap((message) => textsOf(message, name).map(toTextBlock));
  const turns = mergeByRole(plain.filter(({ role }) => role !== 'system').map(toTurn));
  if (turns.length === 0) throw unsupported(`${name} requires a non-empty message with the role user.`);
  const choice = toToolChoice(tool_choice, parallel_tool_calls);
  return {
    ...rest,
    model,
    max_tokens: max_completion_tokens ?? max_tokens ?? defaultMaxTokens,
    ...(system.length > 0 && { system }),
    messages: turns,
    ...(stop !== undefined && { stop_sequences: Array.isArray(stop) ? stop : [stop] }),
    ...(Array.isArray(tools) && { tools: tools.map(toTool) }),
    ...(choice && { tool_choice: choice }),
    ...(user !== undefined && { metadata: { ...toObject(rest.metadata), user_id: user } }),
    ...toOutputConfig(response_format, rest.output_config),
    stream: true,
  };
}

function toTurn(message: PlainMessage): { role: string; content: Block[] } {
  const { role, parts, toolCalls, answeredId } = message;
  if (role === 'assistant') {
    const calls = toolCalls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.arguments }));
    return { role, content: [...textsOf(message, name).map(toTextBlock), ...calls] };
  }
  const content = parts.map(toBlock);
  return { role: 'user', content: role === 'tool' ? [{ type: 'tool_result', tool_use_id: answeredId, content }] : content };
}

function toBlock(part: PlainPart): Block {
  if (part.type === 'text') return toTextBlock(part);
  const { type, content, name: title, refuse } = part;
  if (type === 'audio') throw refuse(`${name} does not accept audio.`);
  if ('url' in content) return { type: type === 'image' ? 'image' : 'document', source: { type: 'url', url: content.url } };
  const { mediaType, data } = content;
  const source = { type: 'base64', media_type: mediaType, data };
  if (imageTypes.includes(mediaType)) return { type: 'image', source };
  if (type === 'image') throw refuse(`${name} accepts images as JPEG, PNG, GIF or WebP, not as ${mediaType}.`);
  const named = title !== undefined && { title };
  if (mediaType === 'application/pdf') return { type: 'document', source, ...named };
  if (!mediaType.startsWith('text/') && mediaType !== 'application/json') {
    throw refuse(`${name} accepts files as PDF, text or images, not as ${mediaType}.`);
  }
  const text = Buffer.from(data, 'base64').toString('utf8');
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...named };
}

/** Keeps `cache_control`, with which users mark the parts that the API should cache. */
function toTextBlock({ text, source }: { text: string; source: Record<string, unknown> }): Block {
  return { type: 'text', text, ...(source.cache_control !== undefined && { cache_control: source.cache_control }) };
}

function toTool(tool: unknown): unknown {
  const described = readFunctionTool(tool);
  if (!described) return tool;
  const { name: toolName, description, parameters, strict } = described;
  return {
    name: toolName,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' && { strict }),
  };
}

const toolChoices = new Map<unknown, string>([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'any'],
]);

function toToolChoice(choice: unknown, parallel: unknown): Block | undefined {
  const { type, function: chosen } = toObject(choice);
  const named = toolChoices.get(choice);
  const converted = named !== undefined ? { type: named } : type === 'function' ? { type: 'tool', name: toObject(chosen).name } : undefined;
  const given = converted ?? (typeof choice === 'object' ? toObject(choice) : undefined);
  return parallel === false ? { ...(given ?? { type: 'auto' }), disable_parallel_tool_use: true } : given;
}

function toOutputConfig(responseFormat: unknown, given: unknown): { output_config?: Block } {
  const format = readResponseFormat(responseFormat);
  if (!format) return {};
  if (format.type === 'json_object') {
    throw unsupported(`${name} does not support the response_format json_object. Use json_schema, which describes the JSON.`);
  }
  return { output_config: { ...toObject(given), format } };
}

/** Reads the events of a response. The index of a block becomes the index of its tool call. */
function openReader(host: string): ChatReader {
  let inputTokens: number | undefined;
  /** For each tool call whose arguments may still arrive, by index: the arguments to use if none arrive. */
  const open = new Map<number, string>();
  const calls = new Set<number>();

  function startBlock(index: unknown, block: Record<string, unknown>): ChatPart[] {
    if (block.type !== 'tool_use') return toContentParts(block, 0, host);
    if (!isCount(index)) return [];
    // Anthropic sends an empty object here, but servers that do not stream arguments send all of them.
    open.set(index, toArguments(block));
    calls.add(index);
    assertToolCallCount(calls.size, host);
    return [toToolCallPart(block, index, '')];
  }

  function continueBlock(index: unknown, { type, text, thinking, partial_json: json }: Record<string, unknown>): ChatPart[] {
    if (type === 'text_delta') return toTextParts('delta', text, host);
    if (type === 'thinking_delta') return toTextParts('reasoning', thinking, host);
    if (type !== 'input_json_delta' || !isCount(index) || !calls.has(index) || typeof json !== 'string' || json === '') return [];
    open.delete(index);
    return [toToolCallPart({}, index, json)];
  }

  /** Adds the arguments of tool calls whose blocks have ended without arguments. */
  function endBlocks(indexes: unknown[]): ChatPart[] {
    return indexes.flatMap((index) => {
      const text = isCount(index) ? open.get(index) : undefined;
      if (!isCount(index) || text === undefined) return [];
      open.delete(index);
      return [toToolCallPart({}, index, text)];
    });
  }

  return (data) => {
    const event = parseChatJson(data, host);
    switch (event.type) {
      case 'message_start':
        inputTokens = countInput(toObject(toObject(event.message).usage));
        return [];
      case 'content_block_start':
        return startBlock(event.index, toObject(event.content_block));
      case 'content_block_delta':
        return continueBlock(event.index, toObject(event.delta));
      case 'content_block_stop':
        return endBlocks([event.index]);
      case 'message_delta': {
        const usage = toObject(event.usage);
        return [...endBlocks([...open.keys()]), ...toEndParts(toObject(event.delta).stop_reason, countInput(usage) ?? inputTokens, usage)];
      }
      case 'message_stop':
        return undefined;
      case 'message':
        return readWholeMessage(event, host);
      default:
        return event.error === undefined || event.error === null ? [] : [toErrorPart(event.error)];
    }
  };
}

/** Reads a response that is not streamed. */
function readWholeMessage({ content, stop_reason: reason, usage }: Record<string, unknown>, host: string): ChatPart[] {
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  assertToolCallCount(blocks.length, host);
  const parts = blocks.flatMap((block, index) => toContentParts(toObject(block), index, host));
  return [...parts, ...toEndParts(reason, countInput(toObject(usage)), toObject(usage))];
}

function toContentParts(block: Record<string, unknown>, index: number, host: string): ChatPart[] {
  if (block.type === 'text') return toTextParts('delta', block.text, host);
  if (block.type === 'thinking') return toTextParts('reasoning', block.thinking, host);
  return block.type === 'tool_use' ? [toToolCallPart(block, index, toArguments(block))] : [];
}

/** A tool without arguments is called with an empty object. */
function toArguments({ input }: Record<string, unknown>): string {
  return JSON.stringify(input ?? {});
}

/** Creates a fragment of a tool call. Only the first fragment has an id and a name. */
function toToolCallPart({ id, name: toolName }: Record<string, unknown>, index: number, text: string): ChatPart {
  const isFirst = typeof id === 'string' && typeof toolName === 'string';
  return {
    type: 'tool_call',
    index,
    fields: isFirst ? [toField('id', id), toField('type', 'function')] : [],
    functionFields: isFirst ? [toField('name', toolName)] : [],
    arguments: text,
  };
}

function toField(field: string, value: string): [string, string] {
  return [field, JSON.stringify(value)];
}

function toEndParts(reason: unknown, inputTokens: number | undefined, { output_tokens: outputTokens }: Block): ChatPart[] {
  return [
    ...toUsageParts(inputTokens, outputTokens),
    ...(typeof reason === 'string' ? [toFinishPart(finishReasons.get(reason) ?? reason)] : []),
  ];
}

/** The finish reasons of the API, with OpenAI's names for them. Other reasons are passed on unchanged. */
const finishReasons = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** Counts all input tokens, including tokens that were written to the cache or read from it. */
function countInput(usage: Record<string, unknown>): number | undefined {
  const { input_tokens: input, cache_creation_input_tokens: written, cache_read_input_tokens: read } = usage;
  if (!isCount(input)) return undefined;
  return input + (isCount(written) ? written : 0) + (isCount(read) ? read : 0);
}
