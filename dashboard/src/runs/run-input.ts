import { toResponseFormat, toToolsParameter } from '../../../src/formats/config-parts.ts';
import { type Draft, findDraftProblem, parseConfig, unsavedContentOf } from '../editor/drafts/draft.ts';
import { type Entries, isObject, valuesOf } from '../editor/preview/preview-values.ts';

import type { Content, DraftRunRequest, ModelConnection, PromptType, Run, RunRequest } from '../lib/types.ts';

/** A request that runs something. */
export type RunInput = { promptName: string; body: RunRequest } | { body: DraftRunRequest };

/** The content to run: a version, a candidate, or a draft that may belong to a prompt. */
export type RunSource =
  | { promptName: string; version: number }
  | { promptName: string; candidate: string }
  | { promptName: string | undefined; type: PromptType; draft: Draft };

export interface ModelChoice {
  connection: string;
  model: string;
}

interface RunParts extends ModelChoice {
  values: Record<string, unknown>;
  parameters?: Record<string, unknown>;
}

export function toRunInput(source: RunSource, { connection, model, values, parameters }: RunParts): RunInput {
  const common = { variables: values, connection, ...(model !== '' && { model }), ...(parameters && { parameters }) };
  if ('version' in source) return { promptName: source.promptName, body: { version: source.version, ...common } };
  if ('candidate' in source) return { promptName: source.promptName, body: { candidate: source.candidate, ...common } };
  const { promptName: name, type, draft } = source;
  // The API validates the input again and reports any errors.
  const config = parseConfig(draft.config).config as DraftRunRequest['config'];
  return { body: { ...unsavedContentOf(type, draft), config, ...(name !== undefined && { name }), ...common } };
}

/**
 * Returns a request that repeats a run with the same parameters, even if the config has changed. Returns undefined if the run was too large
 * to be stored completely.
 */
export function repeatRun(promptName: string, run: Run, config: unknown): RunInput | undefined {
  const { draft, version, variables, model, connection, truncated } = run;
  if (truncated && Object.keys(variables).length === 0 && Object.keys(run.parameters).length === 0) return undefined;
  const removed = Object.keys(parametersOf(config)).map((name) => [name, null]);
  const common = { variables, parameters: { ...Object.fromEntries(removed), ...run.parameters }, model, connection: connection.id };
  if (draft) return { body: { ...draft, name: promptName, ...common } };
  return version === null ? undefined : { promptName, body: { version, ...common } };
}

/** Returns why something cannot be run, or undefined if it can. Callers check this before they send a request. */
export function findInputProblem({ draft, entries }: { draft?: Draft; entries: Entries }): string | undefined {
  const [broken] = valuesOf(entries).broken;
  if (broken !== undefined) return `The value of ${broken} is not valid JSON.`;
  return draft && findDraftProblem(draft);
}

/** Returns the parameters that are sent to the model: the parameters in the config, the tools and the output schema. */
export function parametersOf(config: unknown, { tools, output }: Pick<Content, 'tools' | 'output'> = {}): Record<string, unknown> {
  const settings = isObject(config) ? Object.entries(config).filter(([name]) => !ownFields.includes(name)) : [];
  return { ...Object.fromEntries(settings), ...toToolsParameter(tools), ...(output && { response_format: toResponseFormat(output) }) };
}

/** The fields of a config that are not sent: the fields that the service sets itself, and descriptions of variables. */
const ownFields = ['model', 'messages', 'stream', 'stream_options', 'variables'];

export function modelOf(config: unknown): string {
  return isObject(config) && typeof config.model === 'string' ? config.model : '';
}

/**
 * Returns the connection that is selected at first: a connection that has the config's model, or otherwise the connection that was used
 * last, or otherwise the first connection.
 */
export function defaultConnection(
  connections: ModelConnection[],
  { model, lastUsed }: { model: string; lastUsed: string | undefined },
): ModelConnection | undefined {
  const offering = model === '' ? [] : connections.filter(({ models }) => models.includes(model));
  const used = (list: ModelConnection[]) => list.find(({ id }) => id === lastUsed);
  return used(offering) ?? offering[0] ?? used(connections) ?? connections[0];
}

/**
 * Returns the model that the service would use: the config's model if the connection has it, and otherwise the connection's first model.
 */
export function defaultModel({ models }: ModelConnection, configured: string): string {
  if (configured !== '' && (models.length === 0 || models.includes(configured))) return configured;
  return models[0] ?? '';
}
