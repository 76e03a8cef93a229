import { randomUUID } from 'node:crypto';
import { findJsonExcess } from '../../../platform/json-bounds.ts';
import { tryTo } from '../../../platform/try-to.ts';
import {
  assertToolCallCount,
  type ChatPart,
  isCount,
  jsonBounds,
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
  type PlainToolCall,
  readFunctionTool,
  readMessages,
  readResponseFormat,
  textsOf,
  unsupported,
  withoutNulls,
} from './messages.ts';
import type { ChatReader, ChatRequest, Protocol } from './protocol.ts';

type Fields = Record<string, unknown>;

const name = 'Gemini';
const modelPrefix = /^models\//;

/** Google's Gemini API. */
export const gemini: Protocol = {
  name,
  baseEnding: '/v1beta',
  // By default, a page would have only 50 models.
  modelsPath: '/models?pageSize=1000',
  toHeaders: (key) => ({ ...(key !== undefined && { 'x-goog-api-key': key }) }),
  toModelIds,
  toCall: (request) => ({ path: toPath(request.model), body: toBody(request) }),
  openReader,
};

/**
 * The name of a model is escaped, so that it can never lead to another path. It may be any text, because it can come from a config, and a
 * surrogate without its other half cannot be escaped.
 */
function toPath(model: string): string {
  return `/models/${encodeURIComponent(model.replace(modelPrefix, '').toWellFormed())}:streamGenerateContent?alt=sse`;
}

/** Returns the models that generate content. The list also contains other models, such as those for embeddings. */
function toModelIds({ models }: Fields): string[] | undefined {
  if (!Array.isArray(models)) return undefined;
  return models.flatMap((model: unknown) => {
    const { name: id, supportedGenerationMethods: methods } = toObject(model);
    const isChat = !Array.isArray(methods) || methods.includes('generateContent');
    return typeof id === 'string' && isChat ? [id.replace(modelPrefix, '')] : [];
  });
}

/** OpenAI's parameters that are fields of `generationConfig`. */
const generationFields = new Map([
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['seed', 'seed'],
  ['presence_penalty', 'presencePenalty'],
  ['frequency_penalty', 'frequencyPenalty'],
  ['max_tokens', 'maxOutputTokens'],
  ['max_completion_tokens', 'maxOutputTokens'],
]);

/** Converts a request. Parameters that OpenAI does not have are passed on unchanged, so that callers can use the API's own parameters. */
function toBody({ model, messages, parameters }: ChatRequest): Fields {
  const { stop, tools, tool_choice, response_format, generationConfig, ...others } = withoutNulls(parameters);
  const entries = Object.entries(others);
  const generated = entries.flatMap(([key, value]) => {
    const field = generationFields.get(key);
    return field === undefined ? [] : [[field, value]];
  });
  const plain = readMessages(messages, name);
  const system = plain.filter(({ role }) => role === 'system').flatMap((message) => textsOf(message, name).map(({ text }) => ({ text })));
  const turns = toTurns(
    plain.filter(({ role }) => role !== 'system'),
    model,
  );
  if (turns.length === 0) throw unsupported(`${name} requires a non-empty message with the role user.`);
  const config = {
    ...Object.fromEntries(generated),
    ...(stop !== undefined && { stopSequences: Array.isArray(stop) ? stop : [stop] }),
    ...toResponseFields(response_format),
    ...toObject(generationConfig),
  };
  return {
    ...Object.fromEntries(entries.filter(([key]) => !generationFields.has(key))),
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    contents: turns,
    ...(Array.isArray(tools) && { tools: toTools(tools) }),
    ...(tool_choice !== undefined && {
      toolConfig: { ...toObject(others.toolConfig), functionCallingConfig: toCallingConfig(tool_choice) },
    }),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}

function toTurns(messages: PlainMessage[], model: string): { role: string; parts: Fields[] }[] {
  /** The names of the tools, by tool call id. They are needed because a result has to name its tool. */
  const names = new Map<string, string>();
  const turns = messages.map((message) => {
    const { role, parts, toolCalls } = message;
    for (const { id, name: toolName } of toolCalls) names.set(id, toolName);
    if (role === 'tool') return { role: 'user', content: [toToolResult(message, names)] };
    if (role === 'user') return { role, content: parts.map(toPart) };
    return { role: 'model', content: [...textsOf(message, name).map(({ text }) => ({ text })), ...toFunctionCalls(toolCalls, model)] };
  });
  return mergeByRole<Fields>(turns).map(({ role, content }) => ({ role, parts: content }));
}

function toPart(part: PlainPart): Fields {
  if (part.type === 'text') return { text: part.text };
  const { content } = part;
  if (!('url' in content)) return { inlineData: { mimeType: content.mediaType, data: content.data } };
  const mimeType = findMediaType(content.url);
  return { fileData: { fileUri: content.url, ...(mimeType !== undefined && { mimeType }) } };
}

const mediaTypes = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['heic', 'image/heic'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['mp3', 'audio/mp3'],
  ['wav', 'audio/wav'],
]);

/** Returns the media type for the file extension in a URL. */
function findMediaType(url: string): string | undefined {
  const ending = URL.parse(url)?.pathname.split('.').at(-1)?.toLowerCase();
  return ending === undefined ? undefined : mediaTypes.get(ending);
}

/**
 * Gemini 3 and later models refuse a tool call without the signature with which they sent it. If the signature is unknown, this text
 * replaces it.
 */
const noSignature = 'skip_thought_signature_validator';

/** Converts the tool calls of a message. Only the first call needs a signature. */
function toFunctionCalls(calls: PlainToolCall[], model: string): Fields[] {
  const needsSignature = /gemini-([3-9]|\d\d)/.test(model);
  return calls.map(({ id, name: toolName, arguments: args, source }, index) => {
    const known = toObject(toObject(source.extra_content).google).thought_signature;
    const thoughtSignature = known ?? (needsSignature && index === 0 ? noSignature : undefined);
    return { functionCall: { id, name: toolName, args }, ...(thoughtSignature !== undefined && { thoughtSignature }) };
  });
}

function toToolResult(message: PlainMessage, names: Map<string, string>): Fields {
  const { answeredId, refuse } = message;
  const toolName = names.get(answeredId);
  if (toolName === undefined) throw refuse('No earlier tool call has the tool_call_id of this result.');
  const text = textsOf(message, name)
    .map((part) => part.text)
    .join('');
  return { functionResponse: { id: answeredId, name: toolName, response: toResult(text) } };
}

/** The API accepts only an object as the result of a tool. */
function toResult(text: string): Fields {
  const parsed = findJsonExcess(text, jsonBounds) === undefined ? tryTo((): unknown => JSON.parse(text)) : undefined;
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? toObject(parsed) : { result: text };
}

/** Puts all functions into one tool, as the API expects. */
function toTools(tools: unknown[]): unknown[] {
  const functions = tools.flatMap((tool) => {
    const described = readFunctionTool(tool);
    if (!described) return [];
    const { name: toolName, description, parameters } = described;
    return [
      {
        name: toolName,
        ...(description !== undefined && { description }),
        ...(parameters !== undefined && { parametersJsonSchema: parameters }),
      },
    ];
  });
  const others = tools.filter((tool) => !readFunctionTool(tool));
  return functions.length === 0 ? others : [{ functionDeclarations: functions }, ...others];
}

const callingModes = new Map<unknown, string>([
  ['auto', 'AUTO'],
  ['none', 'NONE'],
  ['required', 'ANY'],
]);

function toCallingConfig(choice: unknown): Fields {
  const mode = callingModes.get(choice);
  if (mode !== undefined) return { mode };
  const toolName = toObject(toObject(choice).function).name;
  if (typeof toolName !== 'string') throw unsupported('The tool_choice must be auto, none, required, or name a function.');
  return { mode: 'ANY', allowedFunctionNames: [toolName] };
}

function toResponseFields(responseFormat: unknown): Fields {
  const format = readResponseFormat(responseFormat);
  if (!format) return {};
  return { responseMimeType: 'application/json', ...(format.type === 'json_schema' && { responseJsonSchema: format.schema }) };
}

/** Reads the chunks of a response. A tool call arrives in one piece. */
function openReader(host: string): ChatReader {
  let toolCalls = 0;
  let isFinished = false;

  function readPart(part: Fields): ChatPart[] {
    const { text, thought, functionCall, thoughtSignature } = part;
    if (functionCall === undefined) return toTextParts(thought === true ? 'reasoning' : 'delta', text, host);
    toolCalls += 1;
    return [toToolCall(toObject(functionCall), toolCalls - 1, thoughtSignature)];
  }

  return (data) => {
    const { error, candidates, usageMetadata, promptFeedback } = parseChatJson(data, host);
    if (error !== undefined && error !== null) return [toErrorPart(error)];
    const { blockReason } = toObject(promptFeedback);
    if (typeof blockReason === 'string') return [...toUsage(usageMetadata), toErrorPart(`the prompt was blocked (${blockReason})`)];
    const { content, finishReason } = Array.isArray(candidates) ? toObject(candidates[0]) : {};
    const { parts } = toObject(content);
    const received: unknown[] = Array.isArray(parts) ? parts : [];
    assertToolCallCount(received.length, host);
    const converted = received.flatMap((part) => readPart(toObject(part)));
    isFinished ||= typeof finishReason === 'string';
    return [
      ...converted,
      // Only the counts of the last chunk are used, because the counts of earlier chunks do not include all of their text.
      ...(isFinished ? toUsage(usageMetadata) : []),
      ...(typeof finishReason === 'string' ? [toFinishPart(toFinishReason(finishReason, toolCalls > 0))] : []),
    ];
  };
}

/** Converts a tool call. The signature is stored where Google stores it in OpenAI's shape, so that callers can send it back. */
function toToolCall({ id, name: toolName, args }: Fields, index: number, signature: unknown): ChatPart {
  const extra = typeof signature === 'string' ? { google: { thought_signature: signature } } : undefined;
  const fields: [string, unknown][] = [
    ['id', typeof id === 'string' ? id : `call_${randomUUID()}`],
    ['type', 'function'],
    ...(extra ? [['extra_content', extra] as [string, unknown]] : []),
  ];
  return {
    type: 'tool_call',
    index,
    fields: fields.map(([field, value]) => [field, JSON.stringify(value)]),
    functionFields: [['name', JSON.stringify(typeof toolName === 'string' ? toolName : '')]],
    arguments: JSON.stringify(args ?? {}),
  };
}

/** Thoughts count as output, because they are charged as output. */
function toUsage(usage: unknown): ChatPart[] {
  const { promptTokenCount, toolUsePromptTokenCount, candidatesTokenCount, thoughtsTokenCount } = toObject(usage);
  if (!isCount(promptTokenCount)) return [];
  const [tools, written, thoughts] = [toolUsePromptTokenCount, candidatesTokenCount, thoughtsTokenCount].map((count) =>
    isCount(count) ? count : 0,
  );
  return toUsageParts(promptTokenCount + (tools ?? 0), (written ?? 0) + (thoughts ?? 0));
}

/** The finish reasons of the API, with OpenAI's names for them. Other reasons are passed on unchanged. */
const finishReasons = new Map([
  ['STOP', 'stop'],
  ['FUNCTION_CALL', 'tool_calls'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
]);

function toFinishReason(reason: string, hasToolCalls: boolean): string {
  return reason === 'STOP' && hasToolCalls ? 'tool_calls' : (finishReasons.get(reason) ?? reason);
}
