import { findModel, toParameters, toRequest } from '../../../src/domain/runs/model-request.ts';
import { readFunctionTool } from '../../../src/domain/runs/protocols/messages.ts';
import { AppError } from '../../../src/errors.ts';
import { PromptHarborError } from '../errors.ts';
import type { RenderedMessage, Tool } from '../types.ts';

/** A rendered prompt: the result of `render`, `renderSync` or `ph.prompts.render`. */
export interface AnyRendered {
  text?: string | undefined;
  messages?: readonly RenderedMessage[] | undefined;
  tools?: readonly Tool[] | undefined;
  output?: { schema: Record<string, unknown>; name?: string; strict?: boolean } | undefined;
  config: unknown;
}

/** A request to a model, in the form of OpenAI's chat completions. The model is undefined if the config names none. */
export interface ModelRequest {
  model: string | undefined;
  messages: ModelMessage[];
  /** All other fields of the request, from the version's tools, output and config. */
  parameters: Record<string, unknown>;
}

/** A message that has not been validated. A caller's messages may have any fields. */
export type ModelMessage = Record<string, unknown> & { role: string };

/** Returns the request that a run of the service would send for a rendered prompt. */
export function toModelRequest({ text, messages, tools, output, config }: AnyRendered): ModelRequest {
  const content = messages ? { messages: messages.map((message) => ({ ...message })) } : { text: text ?? '' };
  const rendered = { ...content, ...(tools && { tools: [...tools] }), ...(output && { output }) };
  return toRequest(rendered, { model: findModel(config), parameters: toParameters(config) });
}

/** Runs a conversion. If a part cannot be converted, throws the error as a `PromptHarborError`. */
export function convert<T>(work: () => T): T {
  try {
    return work();
  } catch (err) {
    throw err instanceof AppError ? new PromptHarborError(err.message) : err;
  }
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];
const messageFields = ['role', 'content', 'tool_calls', 'tool_call_id'];
const callFields = ['id', 'type', 'function', 'index'];

/** Throws if a message has a role or field that the target does not accept, because the value would be lost. */
export function assertExpressible(messages: ModelMessage[], target: string, fields: string[] = []): void {
  for (const [index, message] of messages.entries()) {
    const place = `Message ${index + 1}`;
    if (!roles.includes(message.role)) throw new PromptHarborError(`${place}: ${target} does not accept the role “${message.role}”.`);
    assertFields(message, [...messageFields, ...fields], { place, target });
    for (const [number, part] of toList(message.content).entries()) {
      // Each part has the field `type`, and one other field, whose name is the value of `type`.
      assertFields(part, ['type', String(toObject(part).type)], { place: `${place}, part ${number + 1}`, target });
    }
    for (const call of toList(message.tool_calls)) assertFields(call, callFields, { place, target });
  }
}

function assertFields(value: unknown, known: string[], { place, target }: { place: string; target: string }): void {
  for (const [name, field] of Object.entries(toObject(value))) {
    // Responses of models, which callers send back, contain fields without a value.
    const isAbsent = field === null || field === undefined || (Array.isArray(field) && field.length === 0);
    if (!isAbsent && !known.includes(name)) throw new PromptHarborError(`${place}: ${target} does not accept the field “${name}”.`);
  }
}

export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The schema in a `response_format`. Only a schema from a config has a description. */
export interface GivenOutput {
  schema: Record<string, unknown>;
  name: string;
  strict?: boolean;
  description?: string;
}

/**
 * Returns the schema of a `response_format`. Returns undefined for any other form, and if there are other fields, because these would be
 * lost.
 */
export function findOutput(format: unknown): GivenOutput | undefined {
  const { type, json_schema, ...others } = toObject(format);
  const { schema, name, strict, description, ...otherFields } = toObject(json_schema);
  const isKnown = type === 'json_schema' && isEmpty(others) && isEmpty(otherFields);
  if (!isKnown || typeof schema !== 'object' || schema === null || typeof name !== 'string') return undefined;
  return {
    schema: toObject(schema),
    name,
    ...(typeof strict === 'boolean' && { strict }),
    ...(typeof description === 'string' && { description }),
  };
}

/** Returns the tools if all of them are functions without other fields, which would be lost. Otherwise returns undefined. */
export function findTools(given: unknown): { type: 'function'; function: Tool }[] | undefined {
  const tools = toList(given);
  return tools.length > 0 && tools.every(isTool) ? tools : undefined;
}

/**
 * Returns whether the value is a tool. The service has validated declared tools, but the fields of a tool in the config may have any types.
 */
function isTool(tool: unknown): tool is { type: 'function'; function: Tool } {
  const { type: _, function: described, ...others } = toObject(tool);
  const { name: _name, description: _text, parameters: _schema, strict: _strict, ...otherFields } = toObject(described);
  return readFunctionTool(tool) !== undefined && isEmpty(others) && isEmpty(otherFields);
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
