import { type AnyRendered, toModelRequest } from './models/model-request.ts';
import type { RenderedMessage, Tool } from './types.ts';

export type { AnyRendered } from './models/model-request.ts';

export interface OpenAITool {
  type: 'function';
  function: Tool;
}

export type OpenAIResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; json_schema: { name: string; schema: Record<string, unknown>; strict?: boolean } };

/** A request for chat completions. The request also has all other parameters of the config, such as `temperature`. */
export interface OpenAIRequest {
  messages: RenderedMessage[];
  tools?: OpenAITool[];
  response_format?: OpenAIResponseFormat;
}

/** A declaration says whether the config of the prompt names a model. Without a declaration, the model is optional. */
type ModelOf<Given> = Given extends { config: { model: string } } ? { model: string } : { model?: string };

/**
 * Converts a rendered prompt to the request that a run of the service would send, for `openai.chat.completions.create`. The request has a model
 * only if the config names one.
 */
export function toOpenAI<Given extends AnyRendered>(rendered: Given): OpenAIRequest & ModelOf<Given> {
  const { model, messages, parameters } = toModelRequest(rendered);
  const request = { ...parameters, ...(model !== undefined && { model }), messages };
  // Parameters are passed on unchanged. The API checks their types, as it does in a run.
  return request as unknown as OpenAIRequest & ModelOf<Given>;
}
