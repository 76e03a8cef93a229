import type { ModelMessage } from '../../../contract/model-messages.ts';
import { AppError } from '../../../errors.ts';
import { findJsonExcess } from '../../../platform/json-bounds.ts';
import { tryTo } from '../../../platform/try-to.ts';
import { jsonBounds, toObject } from '../chat-parts.ts';

// Reads messages in OpenAI's shape, for protocols that use another shape. The client also uses this file, so it must not import code that
// runs only on a server.

/** A message whose parts and tool calls have been validated. */
export interface PlainMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  parts: PlainPart[];
  toolCalls: PlainToolCall[];
  /** The id of the tool call that a message with the role "tool" answers. */
  answeredId: string;
  /** Creates the error for a message that has no equivalent in the protocol. */
  refuse: Refuse;
}

export type PlainPart =
  | { type: 'text'; text: string; source: Record<string, unknown> }
  | { type: 'image' | 'file' | 'audio'; content: Attachment; name?: string | undefined; detail?: unknown; refuse: Refuse };

/** An attachment. It is either contained in the request as base64, or loaded by the model server. */
export type Attachment = { mediaType: string; data: string } | { url: string };

export interface PlainToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  source: Record<string, unknown>;
}

/** Creates an error about a part of the request. The text continues a sentence that begins with the place of the part. */
type Refuse = (reason: string) => AppError;

/** Reads messages. Throws an `unsupported_by_model` error if a message has an invalid or unknown part. */
export function readMessages(messages: ModelMessage[], protocol: string): PlainMessage[] {
  return messages.map((message, index) => readMessage(message, `Message ${index + 1}`, protocol));
}

export function unsupported(text: string): AppError {
  return new AppError('unsupported_by_model', { text });
}

const plainRoles = new Map<string, PlainMessage['role']>([
  ['system', 'system'],
  ['developer', 'system'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

function readMessage({ role, content, tool_calls, tool_call_id }: ModelMessage, place: string, protocol: string): PlainMessage {
  const refuse: Refuse = (reason) => unsupported(`${place}: ${reason}`);
  const calls: unknown[] = Array.isArray(tool_calls) ? tool_calls : [];
  return {
    role: plainRoles.get(role) ?? 'user',
    parts: readContent(content, place, protocol),
    toolCalls: calls.map((call) => readToolCall(call, refuse)),
    answeredId: typeof tool_call_id === 'string' ? tool_call_id : '',
    refuse,
  };
}

function readContent(content: unknown, place: string, protocol: string): PlainPart[] {
  if (typeof content === 'string') return toText(content, {});
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown, index) => readPart(toObject(part), `${place}, part ${index + 1}`, protocol));
}

/** Leaves out empty texts, because some protocols refuse them. */
function toText(text: string, source: Record<string, unknown>): PlainPart[] {
  return text === '' ? [] : [{ type: 'text', text, source }];
}

function readPart(part: Record<string, unknown>, place: string, protocol: string): PlainPart[] {
  const refuse: Refuse = (reason) => unsupported(`${place}: ${reason}`);
  const { type, text, refusal } = part;
  if (type === 'text' && typeof text === 'string') return toText(text, part);
  if (type === 'refusal' && typeof refusal === 'string') return toText(refusal, part);
  if (type === 'image_url') {
    const image = part.image_url;
    const { url, detail } = toObject(image);
    return [{ type: 'image', content: readAttachment(typeof image === 'string' ? image : url, refuse), detail, refuse }];
  }
  if (type === 'input_audio') {
    const { data, format } = toObject(part.input_audio);
    if (typeof data !== 'string' || typeof format !== 'string') throw refuse('The audio must have data and a format.');
    return [{ type: 'audio', content: { mediaType: `audio/${format}`, data }, refuse }];
  }
  if (type === 'file') return [readFile(toObject(part.file), refuse)];
  throw refuse(`${protocol} does not accept parts of the type “${String(type).slice(0, 100)}”.`);
}

function readFile({ file_data: data, file_id: id, filename }: Record<string, unknown>, refuse: Refuse): PlainPart {
  if (data === undefined && id !== undefined) {
    throw refuse('The file was uploaded to another server, so only its id is known. Send its content in file_data instead.');
  }
  const name = typeof filename === 'string' ? filename : undefined;
  return { type: 'file', content: readAttachment(data, refuse), name, refuse };
}

const maxHeaderLength = 200;

function readAttachment(url: unknown, refuse: Refuse): Attachment {
  if (typeof url !== 'string') throw refuse('The URL is missing.');
  if (/^https?:\/\//i.test(url)) return { url };
  const comma = url.slice(0, maxHeaderLength).indexOf(',');
  const [, mediaType] = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,]*)?;base64,$/i.exec(url.slice(0, comma + 1)) ?? [];
  if (mediaType === undefined) throw refuse('Use an https:// URL, or a data URL with a media type and base64.');
  return { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) };
}

function readToolCall(value: unknown, refuse: Refuse): PlainToolCall {
  const source = toObject(value);
  const { name, arguments: text } = toObject(source.function);
  if (typeof name !== 'string' || typeof source.id !== 'string') throw refuse('A tool call must have an id and the name of a function.');
  const json = typeof text === 'string' && text.trim() !== '' ? text : '{}';
  const parsed = findJsonExcess(json, jsonBounds) === undefined ? tryTo((): unknown => JSON.parse(json)) : undefined;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw refuse(`The arguments of the tool call “${name.slice(0, 100)}” are not a JSON object.`);
  }
  return { id: source.id, name, arguments: toObject(parsed), source };
}

/** Returns the texts of a message's parts. Throws if the message has other parts. */
export function textsOf({ role, parts }: PlainMessage, protocol: string): { text: string; source: Record<string, unknown> }[] {
  return parts.map((part) => {
    if (part.type !== 'text') throw part.refuse(`${protocol} accepts only text in messages with the role ${role}.`);
    return part;
  });
}

/** Merges consecutive messages with the same role, because Anthropic's and Google's protocols expect the roles to alternate. */
export function mergeByRole<T>(messages: { role: string; content: T[] }[]): { role: string; content: T[] }[] {
  const merged: { role: string; content: T[] }[] = [];
  for (const { role, content } of messages) {
    const last = merged.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else merged.push({ role, content: [...content] });
  }
  return merged;
}

/** Returns a tool in OpenAI's shape. Returns undefined for a tool in the protocol's own shape, which is passed on unchanged. */
export function readFunctionTool(tool: unknown): Record<string, unknown> | undefined {
  const { type, function: described } = toObject(tool);
  return type === 'function' && typeof toObject(described).name === 'string' ? toObject(described) : undefined;
}

/** Returns the schema in a response format, or undefined for plain text. */
export function readResponseFormat(format: unknown): { type: 'json_object' } | { type: 'json_schema'; schema: unknown } | undefined {
  const { type, json_schema } = toObject(format);
  if (format === undefined || type === 'text') return undefined;
  if (type === 'json_object') return { type };
  const { schema } = toObject(json_schema);
  if (type === 'json_schema' && schema !== undefined) return { type, schema };
  throw unsupported(
    'The response_format must have the type text, json_object or json_schema. The type json_schema requires json_schema.schema.',
  );
}

/** Returns the parameters that have a value. In OpenAI's API, null means that a parameter is not set. */
export function withoutNulls(parameters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));
}
