import { type JSONSchema7, jsonSchema, type LanguageModelCallOptions, Output, type OutputInterface, type Schema } from 'ai';
import { readResponseFormat, withoutNulls } from '../../src/domain/runs/protocols/messages.ts';
import { PromptHarborError } from './errors.ts';
import { type Conversation, toConversation } from './models/ai-sdk-messages.ts';
import { type AnyRendered, convert, findOutput, findTools, toModelRequest, toObject } from './models/model-request.ts';
import type { RenderedOf } from './typed-prompts.ts';
import type { Tool } from './types.ts';

export type { AnyRendered } from './models/model-request.ts';

/** A tool without a function that executes it. To add the function, write `tool({ ...tools.find_order, execute })`. */
export interface AISDKTool<Arguments = unknown> {
  description?: string;
  inputSchema: Schema<Arguments>;
  strict?: boolean;
}

type ToolsOf<Given> =
  RenderedOf<Given> extends { tools: infer Tools }
    ? { tools: { [Name in keyof Tools & string]: AISDKTool<Tools[Name]> } }
    : { tools?: Record<string, AISDKTool> };
type OutputOf<Given> =
  RenderedOf<Given> extends { output: infer Value }
    ? { output: OutputInterface<Value, unknown, never> }
    : { output?: OutputInterface<unknown, unknown, never> };

/**
 * Settings for `generateText` and `streamText`. They do not contain the model, because you pass the model to the AI SDK as an object of
 * your provider.
 */
export type AISDKSettings<Given = AnyRendered> = Conversation &
  LanguageModelCallOptions &
  ToolsOf<Given> &
  OutputOf<Given> & {
    /** The name of the model, if the config names one. `generateText` ignores it. */
    modelId?: string;
    toolChoice?: AISDKToolChoice;
    providerOptions?: Record<string, Record<string, JSONValue>>;
  };

/**
 * The compiler cannot know whether the tool that a config names is one of the tools that you pass, so the name has a type that fits any
 * tools.
 */
export type AISDKToolChoice = 'auto' | 'none' | 'required' | { type: 'tool'; toolName: never };

type JSONValue = null | string | number | boolean | { [key: string]: JSONValue | undefined } | JSONValue[];

export interface AISDKOptions {
  /**
   * The name of the provider, which you passed to `createOpenAICompatible`. Parameters that the AI SDK does not have, such as `logit_bias`,
   * become options of this provider, with the same names. A provider that uses other names, such as `@ai-sdk/openai`, ignores these
   * parameters unless you rename them in `providerOptions`. If you name no provider, such parameters are an error.
   */
  provider?: string;
}

/**
 * Converts a rendered prompt to settings for `generateText` and `streamText`. Throws if the AI SDK cannot express a part of the prompt or a
 * parameter of its config.
 */
export function toAISDK<Given extends AnyRendered>(rendered: Given, { provider }: AISDKOptions = {}): AISDKSettings<Given> {
  const { model, messages, parameters } = toModelRequest(rendered);
  const { settings, rest } = takeSettings(withoutNulls(parameters));
  const { response_format: format, tools: givenTools, ...others } = rest;
  const tools = findTools(givenTools);
  if (givenTools !== undefined && !tools) {
    throw new PromptHarborError(
      'The AI SDK accepts only tools of the type function, and in a function only the fields name, description, parameters and strict.',
    );
  }
  const output = convert(() => toOutput(format));
  const options = { ...others, ...toStrictness(format, provider) };
  const all: AISDKSettings = {
    ...(model !== undefined && { modelId: model }),
    ...convert(() => toConversation(messages)),
    ...settings,
    ...(tools && { tools: Object.fromEntries(tools.map((tool) => [tool.function.name, toTool(tool.function)])) }),
    ...(output && { output }),
    ...toProviderOptions(options, provider),
  };
  // If the version has tools or an output schema, so does this object. The types follow from the version, so they match.
  return all as AISDKSettings<Given>;
}

type Settings = LanguageModelCallOptions & Pick<AISDKSettings, 'toolChoice'>;

const numbers = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  seed: 'seed',
  max_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
} as const;
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Separates the parameters for which the AI SDK has a setting. */
function takeSettings({ stop, reasoning_effort, tool_choice, ...parameters }: Record<string, unknown>): {
  settings: Settings;
  rest: Record<string, unknown>;
} {
  const settings: Settings = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (!isNumberSetting(name)) rest[name] = value;
    else if (typeof value === 'number') settings[numbers[name]] = value;
    else throw new PromptHarborError(`The AI SDK requires a number for the parameter “${name}”.`);
  }
  const stops = typeof stop === 'string' ? [stop] : stop;
  if (isTexts(stops)) settings.stopSequences = stops;
  else if (stops !== undefined) rest.stop = stops;
  const effort = efforts.find((each) => each === reasoning_effort);
  if (effort) settings.reasoning = effort;
  else if (reasoning_effort !== undefined) rest.reasoning_effort = reasoning_effort;
  if (tool_choice !== undefined) settings.toolChoice = toToolChoice(tool_choice);
  return { settings, rest };
}

function isNumberSetting(name: string): name is keyof typeof numbers {
  return Object.hasOwn(numbers, name);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function toToolChoice(choice: unknown): AISDKToolChoice {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const { type, function: chosen } = toObject(choice);
  const { name } = toObject(chosen);
  if (type === 'function' && typeof name === 'string') return { type: 'tool', toolName: name as never };
  throw new PromptHarborError('The AI SDK accepts auto, none, required or a function as the parameter “tool_choice”.');
}

function toTool({ description, parameters = { type: 'object', properties: {} }, strict }: Tool): AISDKTool {
  return {
    ...(description !== undefined && { description }),
    inputSchema: toSchema(parameters),
    ...(strict !== undefined && { strict }),
  };
}

function toOutput(format: unknown): OutputInterface<unknown, unknown, never> | undefined {
  const read = readResponseFormat(format);
  if (!read) return undefined;
  if (read.type === 'json_object') return Output.json();
  const found = findOutput(format);
  if (!found) {
    throw new PromptHarborError(
      'In the json_schema of response_format, the AI SDK accepts only the fields name, description, schema and strict.',
    );
  }
  const { schema, name, description } = found;
  return Output.object({ schema: toSchema(schema), name, ...(description !== undefined && { description }) });
}

/**
 * Converts a JSON Schema, which the service has validated. The AI SDK knows an older version of JSON Schema, but passes on all keywords.
 */
function toSchema(schema: Record<string, unknown>): Schema<unknown> {
  return jsonSchema(schema as JSONSchema7);
}

/**
 * Returns the option that keeps a schema from being strict. Schemas are strict by default in the AI SDK, but not in OpenAI's API or in
 * prompts.
 */
function toStrictness(format: unknown, provider: string | undefined): { strictJsonSchema?: false } {
  const output = findOutput(format);
  const isDefault = output?.strict === true || (output?.strict === undefined && provider === undefined);
  return output && !isDefault ? { strictJsonSchema: false } : {};
}

function toProviderOptions(options: Record<string, unknown>, provider: string | undefined): Pick<AISDKSettings, 'providerOptions'> {
  const names = Object.keys(options);
  if (names.length === 0) return {};
  if (provider === undefined) {
    throw new PromptHarborError(
      `The AI SDK has no setting for ${names.join(', ')}. To pass it to a provider, name the provider: toAISDK(rendered, { provider }).`,
    );
  }
  // A config is JSON.
  return { providerOptions: { [provider]: options as Record<string, JSONValue> } };
}
