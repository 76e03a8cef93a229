import { invalidField } from '../../errors.ts';
import { toResponseFormat, toToolsParameter } from '../../formats/config-parts.ts';
import type { ConnectionRecord } from '../../store/models/connections.ts';
import { toMessages } from '../prompts/render/render.ts';
import type { Rendered } from '../prompts/render/rendered.ts';
import { isPlainObject } from '../templates/budget.ts';
import type { ChatRequest } from './protocols/protocol.ts';

export type ChosenModel = Pick<ChatRequest, 'model' | 'parameters'>;

interface RunInput {
  connection: ConnectionRecord;
  config: unknown;
  model?: string | undefined;
  parameters?: Record<string, unknown> | undefined;
  /** The model to use if neither the caller nor the config specifies one. */
  fallback?: string | undefined;
}

/**
 * Fields of a config that are not sent as parameters, because the service sets them itself or because they describe variables for people.
 */
const ownFields = ['model', 'messages', 'stream', 'stream_options', 'variables'];

/**
 * Chooses the model and the parameters of a request. They come from the config, unless the caller overrides them. Parameters are passed on
 * unchanged.
 */
export function chooseModel({ connection, config, model, parameters = {}, fallback }: RunInput): ChosenModel {
  // A config may be any JSON value, but only an object contains parameters.
  const settings = isPlainObject(config) ? config : {};
  const merged = Object.entries({ ...settings, ...parameters }).filter(
    ([name]) => !ownFields.includes(name) && !(Object.hasOwn(parameters, name) && parameters[name] === null),
  );
  const given = model ?? findText(parameters.model);
  if (given !== undefined && !isOffered(connection, given)) {
    const offered = connection.models.slice(0, 20).join(', ');
    throw invalidField('/model', `The connection “${connection.name}” does not offer this model. It offers ${offered}.`);
  }
  const configured = findText(settings.model);
  const chosen = given ?? (configured !== undefined && isOffered(connection, configured) ? configured : (connection.models[0] ?? fallback));
  if (chosen === undefined)
    throw invalidField('/model', `Specify a model, because neither the prompt’s config nor the connection “${connection.name}” names one`);
  return { model: chosen, parameters: Object.fromEntries(merged) };
}

/**
 * Returns the request to a model for a rendered prompt. The tools and the output schema of the version become parameters, which win over
 * those of its config. The caller's own parameters win over both.
 */
export function toRequest(rendered: Rendered, { model, parameters }: ChosenModel, given: Record<string, unknown> = {}): ChatRequest {
  const { tools, output } = rendered;
  const declared = Object.entries({ ...toToolsParameter(tools), ...(output && { response_format: toResponseFormat(output) }) });
  const added = Object.fromEntries(declared.filter(([name]) => !Object.hasOwn(given, name)));
  return { model, messages: toMessages(rendered), parameters: { ...parameters, ...added } };
}

function isOffered({ models }: ConnectionRecord, model: string): boolean {
  return models.length === 0 || models.includes(model);
}

function findText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
