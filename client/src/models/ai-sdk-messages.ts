import type { FilePart, ModelMessage, SystemModelMessage, TextPart, ToolCallPart, ToolModelMessage } from 'ai';
import { type PlainMessage, type PlainPart, readMessages, textsOf } from '../../../src/domain/runs/protocols/messages.ts';
import { assertExpressible, type ModelMessage as GivenMessage } from './model-request.ts';

const target = 'The AI SDK';

/** Messages for the AI SDK, in which the instructions of a prompt are separate from the conversation. */
export interface Conversation {
  instructions?: SystemModelMessage[];
  messages: ModelMessage[];
  /** Set if the conversation contains a system message. Without this setting, the AI SDK refuses such a message. */
  allowSystemInMessages?: true;
}

/** Converts messages. Throws if the AI SDK cannot express a part of them. */
export function toConversation(given: GivenMessage[]): Conversation {
  assertExpressible(given, target);
  const toolNames = new Map<string, string>();
  const all = readMessages(given, target).flatMap((message) => toModelMessages(message, toolNames));
  const firstOther = all.findIndex(({ role }) => role !== 'system');
  // The AI SDK requires a message besides the instructions.
  const messages = firstOther < 0 ? all : all.slice(firstOther);
  const instructions = all.slice(0, all.length - messages.length).flatMap((message) => (message.role === 'system' ? [message] : []));
  return {
    ...(instructions.length > 0 && { instructions }),
    messages,
    ...(messages.some(({ role }) => role === 'system') && { allowSystemInMessages: true }),
  };
}

/** Returns one message, or one for each text of a system message, because the content of a system message is a single text. */
function toModelMessages(message: PlainMessage, toolNames: Map<string, string>): ModelMessage[] {
  const { role, parts, refuse } = message;
  switch (role) {
    case 'system': {
      const texts = textsOf(message, target).map(({ text }) => text);
      return (texts.length > 0 ? texts : ['']).map((content) => ({ role, content }));
    }
    case 'user':
      return [{ role, content: toText(parts) ?? parts.map(toPart) }];
    case 'assistant':
      return [toAssistantMessage(message, toolNames)];
    case 'tool': {
      const toolName = toolNames.get(message.answeredId);
      if (toolName === undefined) throw refuse('No earlier message has the tool call that this message answers.');
      const output = toToolOutput(message);
      return [{ role, content: [{ type: 'tool-result', toolCallId: message.answeredId, toolName, output }] }];
    }
  }
}

function toAssistantMessage(message: PlainMessage, toolNames: Map<string, string>): ModelMessage {
  const { parts, toolCalls } = message;
  const texts = textsOf(message, target).map(({ text }): TextPart => ({ type: 'text', text }));
  for (const { id, name } of toolCalls) toolNames.set(id, name);
  const calls = toolCalls.map(
    ({ id, name, arguments: input }): ToolCallPart => ({ type: 'tool-call', toolCallId: id, toolName: name, input }),
  );
  return { role: 'assistant', content: calls.length === 0 ? (toText(parts) ?? texts) : [...texts, ...calls] };
}

type ToolOutput = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>['output'];

function toToolOutput(message: PlainMessage): ToolOutput {
  const texts = textsOf(message, target).map(({ text }) => ({ type: 'text' as const, text }));
  const text = toText(message.parts);
  return text === undefined ? { type: 'content', value: texts } : { type: 'text', value: text };
}

/** Returns the content if it is one text, or undefined if it has several parts or a part of a different type. */
function toText(parts: PlainPart[]): string | undefined {
  const [first] = parts;
  if (!first) return '';
  return parts.length === 1 && first.type === 'text' ? first.text : undefined;
}

function toPart(part: PlainPart): TextPart | FilePart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { type, content, name, detail, refuse } = part;
  const options = typeof detail === 'string' && { providerOptions: toDetailOptions(detail, content) };
  if ('data' in content) {
    const { data, mediaType } = content;
    return { type: 'file', data: { type: 'data', data }, mediaType, ...(name !== undefined && { filename: name }), ...options };
  }
  // The AI SDK may load the URL, and the media type of an image is known from its bytes. The media type of other files is not.
  if (type !== 'image')
    throw refuse(`${target} requires the media type of a file. Pass the file as a data URL, which names the media type.`);
  if (!URL.canParse(content.url)) throw refuse('The URL is not valid.');
  return { type: 'file', data: { type: 'url', url: new URL(content.url) }, mediaType: type, ...options };
}

/**
 * Returns the option for the detail of an image. Only OpenAI and compatible servers have this parameter, and providers accept it in
 * different forms.
 */
function toDetailOptions(detail: string, content: { url: string } | { data: string; mediaType: string }): FilePart['providerOptions'] {
  const url = 'url' in content ? content.url : `data:${content.mediaType};base64,${content.data}`;
  return { openai: { imageDetail: detail }, openaiCompatible: { image_url: { url, detail } } };
}
