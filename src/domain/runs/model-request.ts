import { toResponseFormat, toToolsParameter } from '../../formats/config-parts.ts';
import { isPlainObject } from '../../formats/json-values.ts';
import { type Rendered, toMessages } from '../prompts/render/rendered.ts';
import type { ChatRequest } from './protocols/protocol.ts';

// The request to a model for a rendered prompt. The client also uses this file, so that applications send what a run sends. It must not
// import code that runs only on a server.

/**
 * Fields of a config that are not sent as parameters, because the service sets them itself or because they describe variables for people.
 */
const ownFields = ['model', 'messages', 'stream', 'stream_options', 'variables'];

/**
 * Returns the parameters in a config, unless the caller overrides them. A caller's null removes a parameter. The parameters are passed on
 * unchanged.
 */
export function toParameters(config: unknown, given: Record<string, unknown> = {}): Record<string, unknown> {
  const merged = Object.entries({ ...toSettings(config), ...given });
  return Object.fromEntries(merged.filter(([name]) => !ownFields.includes(name) && !(Object.hasOwn(given, name) && given[name] === null)));
}

/** Returns the model that a config names. */
export function findModel(config: unknown): string | undefined {
  return findText(toSettings(config).model);
}

/** A config may be any JSON value, but only an object contains parameters. */
function toSettings(config: unknown): Record<string, unknown> {
  return isPlainObject(config) ? config : {};
}

export function findText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Returns the request to a model for a rendered prompt. The tools and the output schema of the version become parameters, which override
 * the parameters of its config. The caller's own parameters override both.
 */
export function toRequest<Chosen extends Pick<ChatRequest, 'parameters'>>(
  rendered: Rendered,
  chosen: Chosen,
  given: Record<string, unknown> = {},
): Chosen & Pick<ChatRequest, 'messages'> {
  const { tools, output } = rendered;
  const declared = Object.entries({ ...toToolsParameter(tools), ...(output && { response_format: toResponseFormat(output) }) });
  const added = Object.fromEntries(declared.filter(([name]) => !Object.hasOwn(given, name)));
  return { ...chosen, messages: toMessages(rendered), parameters: { ...chosen.parameters, ...added } };
}
