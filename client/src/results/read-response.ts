import { maxModelNameLength, maxResultIdLength } from '../../../src/contract/limits.ts';
import { errorTypeOf } from './error-type.ts';

/** The facts about a response that are reported. */
export interface ResponseFacts {
  model?: string;
  responseId?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** The type of an error that was not thrown, but returned. */
  error?: string;
}

type Fields = Record<string, unknown>;

const maxTokens = 1e9;
/** The types of whole responses. Other values with a `type` are parts of a stream, whose `id` is not the id of the response. */
const wholeTypes: unknown[] = [undefined, 'message', 'ai'];

/**
 * Reads the numbers and names in a response, or in one part of a streamed response. Supports OpenAI's chat completions and responses,
 * Anthropic's messages, the AI SDK and LangChain. Does not read the content.
 */
export function readResponse(value: unknown): ResponseFacts {
  const given = toFields(value);
  const inner = [toFields(given.response), toFields(given.message)];
  const named = wholeTypes.includes(given.type) ? [given, ...inner] : inner;
  const usage = toFields(given.totalUsage ?? given.usage ?? given.usage_metadata ?? inner.find((each) => each.usage)?.usage);
  return omitUndefined({
    model: findText(named.flatMap(namesOfModel), maxModelNameLength),
    responseId: findText(
      named.map(({ id }) => id),
      maxResultIdLength,
    ),
    inputTokens: findCount(usage.prompt_tokens, usage.inputTokens, countInput(usage), usage.promptTokens),
    outputTokens: findCount(usage.completion_tokens, usage.outputTokens, usage.output_tokens, usage.completionTokens),
    error: findError(given),
  });
}

function namesOfModel({ model, modelId, response_metadata: metadata }: Fields): unknown[] {
  const { model_name: modelName, model: metadataModel } = toFields(metadata);
  return [model, modelId, modelName, metadataModel];
}

/** Adds up the input tokens. Anthropic reports tokens that are written to the cache, or read from it, separately from `input_tokens`. */
function countInput({ input_tokens: input, cache_creation_input_tokens: written, cache_read_input_tokens: read }: Fields): unknown {
  return typeof input === 'number' ? input + (findCount(written) ?? 0) + (findCount(read) ?? 0) : undefined;
}

function findError({ type, status, error, code, response }: Fields): string | undefined {
  if (type === 'abort') return 'AbortError';
  if (type === 'error') return errorTypeOf(error ?? { code });
  const failed = type === 'response.failed' ? toFields(response).error : status === 'failed' ? error : undefined;
  return failed === undefined ? undefined : errorTypeOf(failed);
}

/** Returns the first text that has at most this length. */
export function findText(values: unknown[], maxLength: number): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '' && value.length <= maxLength);
}

function findCount(...values: unknown[]): number | undefined {
  return values.find((value): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxTokens);
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function omitUndefined(facts: { [Name in keyof ResponseFacts]: ResponseFacts[Name] | undefined }): ResponseFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
