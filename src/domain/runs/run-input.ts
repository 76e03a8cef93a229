import { invalidField } from '../../errors.ts';
import type { ConnectionRecord } from '../../store/models/connections.ts';
import { findModel, findText, toParameters } from './model-request.ts';
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
 * Chooses the model and the parameters of a request. They come from the config, unless the caller overrides them. Parameters are passed on
 * unchanged.
 */
export function chooseModel({ connection, config, model, parameters = {}, fallback }: RunInput): ChosenModel {
  const given = model ?? findText(parameters.model);
  if (given !== undefined && !isOffered(connection, given)) {
    const offered = connection.models.slice(0, 20).join(', ');
    throw invalidField('/model', `The connection “${connection.name}” does not offer this model. It offers ${offered}.`);
  }
  const configured = findModel(config);
  const chosen = given ?? (configured !== undefined && isOffered(connection, configured) ? configured : (connection.models[0] ?? fallback));
  if (chosen === undefined)
    throw invalidField('/model', `Specify a model, because neither the prompt’s config nor the connection “${connection.name}” names one`);
  return { model: chosen, parameters: toParameters(config, parameters) };
}

function isOffered({ models }: ConnectionRecord, model: string): boolean {
  return models.length === 0 || models.includes(model);
}
