import { type PlainMessage, type PlainPart, readMessages, withoutNulls } from '../../src/domain/runs/protocols/messages.ts';
import {
  type AnyRendered,
  assertExpressible,
  convert,
  findOutput,
  findTools,
  type ModelMessage,
  toModelRequest,
} from './models/model-request.ts';
import type { OpenAITool } from './openai.ts';

export type { AnyRendered } from './models/model-request.ts';

/** A part in the form of LangChain, or an image in the form of OpenAI's chat completions, which all models of LangChain accept. */
export type LangChainPart = Record<string, unknown> & { type: string };

/** A message that LangChain converts to one of its own classes. */
export type LangChainMessage = {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content: string | LangChainPart[];
  name?: string;
  tool_calls?: { type: 'tool_call'; id: string; name: string; args: Record<string, unknown> }[];
  tool_call_id?: string;
};

/** Options of `ChatOpenAI`. Other models of LangChain also have the first four options. */
export interface LangChainSettings {
  model?: string;
  temperature?: number;
  topP?: number;
  maxTokens?: number;
  /** All other parameters of the config, with OpenAI's names. */
  modelKwargs?: Record<string, unknown>;
}

export interface LangChainOutput {
  schema: Record<string, unknown>;
  name: string;
  strict?: boolean;
}

/**
 * A prompt for LangChain. Pass the tools to `model.bindTools(tools)`, and the output to `model.withStructuredOutput(output.schema,
 * output)`.
 */
export type LangChainPrompt<Given = AnyRendered> = { messages: LangChainMessage[]; settings: LangChainSettings } & (Given extends {
  tools: readonly unknown[];
}
  ? { tools: OpenAITool[] }
  : { tools?: OpenAITool[] }) &
  (Given extends { output: object } ? { output: LangChainOutput } : { output?: LangChainOutput });

const target = 'LangChain';

/** Converts a rendered prompt to the form that models of LangChain accept. Throws if LangChain cannot express a part of the prompt. */
export function toLangChain<Given extends AnyRendered>(rendered: Given): LangChainPrompt<Given> {
  const { model, messages, parameters } = toModelRequest(rendered);
  assertExpressible(messages, target, ['name']);
  const plain = convert(() => readMessages(messages, target));
  const { tools: givenTools, response_format: format, ...rest } = withoutNulls(parameters);
  const tools = findTools(givenTools);
  const { description, ...found } = findOutput(format) ?? {};
  // LangChain accepts a description only in the schema itself. If the output has a separate description, it stays in `response_format`.
  const output = 'schema' in found && description === undefined ? found : undefined;
  const kept = {
    ...rest,
    ...(givenTools !== undefined && !tools && { tools: givenTools }),
    ...(format !== undefined && !output && { response_format: format }),
  };
  const prompt: LangChainPrompt = {
    messages: plain.map((message, index) => toMessage(message, messages[index] ?? { role: message.role })),
    ...(tools && { tools }),
    ...(output && { output }),
    settings: { ...(model !== undefined && { model }), ...toSettings(kept) },
  };
  // If the version has tools or an output schema, so does this object.
  return prompt as LangChainPrompt<Given>;
}

function toMessage({ parts, toolCalls }: PlainMessage, { role, content, name, tool_call_id }: ModelMessage): LangChainMessage {
  return {
    // The role has been checked.
    role: role as LangChainMessage['role'],
    // LangChain requires content, but a message of an assistant that only calls tools has none.
    content: Array.isArray(content) ? parts.map(toPart) : typeof content === 'string' ? content : '',
    ...(typeof name === 'string' && { name }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({ type: 'tool_call' as const, id, name, args })),
    }),
    ...(typeof tool_call_id === 'string' && { tool_call_id }),
  };
}

/** Converts files and audio. LangChain leaves out files and audio in OpenAI's form for models that it calls through the Responses API. */
function toPart(part: PlainPart): LangChainPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { type, content, name, detail } = part;
  if (type === 'image') {
    const url = 'url' in content ? content.url : `data:${content.mediaType};base64,${content.data}`;
    return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
  }
  const source =
    'url' in content
      ? { source_type: 'url', url: content.url }
      : { source_type: 'base64', mime_type: content.mediaType, data: content.data };
  return { type, ...source, ...(name !== undefined && { metadata: { filename: name } }) };
}

function toSettings({ temperature, top_p, max_tokens, ...rest }: Record<string, unknown>): LangChainSettings {
  const kept = {
    ...rest,
    ...(typeof temperature !== 'number' && { temperature }),
    ...(typeof top_p !== 'number' && { top_p }),
    ...(typeof max_tokens !== 'number' && { max_tokens }),
  };
  const modelKwargs = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { topP: top_p }),
    ...(typeof max_tokens === 'number' && { maxTokens: max_tokens }),
    ...(Object.keys(modelKwargs).length > 0 && { modelKwargs }),
  };
}
