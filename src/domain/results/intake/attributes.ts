/** The value of a known attribute. Null if it has a different type or is too long. */
export type AttributeValue = string | number | boolean | null;
/** The known attributes of a span or log record. The values of all other attributes are not read, because they may be content. */
export type Attributes = Map<string, AttributeValue>;

/**
 * The attributes with which products name the prompt of a call and its version. If a span has several, the first one in this list counts.
 * Attributes that are JSON come after these, see `jsonPromptAttributes`.
 */
export const promptAttributes = [
  { prompt: 'gen_ai.prompt.name', version: 'gen_ai.prompt.version' },
  { prompt: 'langfuse.observation.prompt.name', version: 'langfuse.observation.prompt.version' },
  { prompt: 'langfuse.prompt.name', version: 'langfuse.prompt.version' },
  { prompt: 'langfusePrompt.name', version: 'langfusePrompt.version' },
  { prompt: 'langwatch.prompt.handle', version: 'langwatch.prompt.version.number' },
  { prompt: 'langwatch.prompt.id', version: 'langwatch.prompt.version.number' },
  { prompt: 'prompt.id', version: 'llm.prompt_template.version' },
  { prompt: 'traceloop.prompt.key', version: 'traceloop.prompt.version' },
  { prompt: '$ai_prompt_name', version: '$ai_prompt_version' },
] as const;

/** Attributes that name a prompt as JSON. */
export const jsonPromptAttributes = ['langfusePrompt', 'mlflow.linkedPrompts', 'mlflow.traceTag.mlflow.linkedPrompts'] as const;

/** The attributes of each measurement. If a span has several, the first one counts. */
export const measurementAttributes = {
  label: ['promptharbor.prompt.label'],
  model: [
    'gen_ai.response.model',
    'langfuse.observation.model.name',
    'ai.response.model',
    'gen_ai.request.model',
    'ai.model.id',
    'llm.model_name',
    '$ai_model',
  ],
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'ai.model.provider', '$ai_provider'],
  inputTokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'llm.token_count.prompt',
    '$ai_input_tokens',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
    'llm.token_count.completion',
    '$ai_output_tokens',
  ],
  cost: ['gen_ai.usage.cost', 'llm.cost.total', '$ai_total_cost_usd'],
  firstChunkSeconds: [
    'gen_ai.response.time_to_first_chunk',
    'gen_ai.client.operation.time_to_first_chunk',
    'gen_ai.server.time_to_first_token',
  ],
  firstChunkMs: ['ai.response.msToFirstChunk'],
  responseId: ['gen_ai.response.id', 'ai.response.id'],
  errorType: ['error.type'],
} as const;

/** The attributes that say which release chose the version of a call, and by which key. */
export const releaseAttributes = { release: 'promptharbor.release', key: 'promptharbor.key' } as const;

export const langfuseAttributes = {
  usage: 'langfuse.observation.usage_details',
  cost: 'langfuse.observation.cost_details',
  firstChunkAt: 'langfuse.observation.completion_start_time',
  level: 'langfuse.observation.level',
} as const;

/** The attributes that say what a span stands for. */
export const kindAttributes = {
  operation: 'gen_ai.operation.name',
  aiSdk: 'ai.operationId',
  langfuse: 'langfuse.observation.type',
  openInference: 'openinference.span.kind',
  langWatch: 'langwatch.span.type',
} as const;

/** The attributes of a score. Its explanation is content and is not read. */
export const scoreAttributes = {
  event: 'event.name',
  name: 'gen_ai.evaluation.name',
  value: 'gen_ai.evaluation.score.value',
  label: 'gen_ai.evaluation.score.label',
} as const;

const namesOfPrompts = new Set<string>([
  ...promptAttributes.flatMap(({ prompt, version }) => [prompt, version]),
  ...jsonPromptAttributes,
  ...measurementAttributes.label,
  ...Object.values(releaseAttributes),
]);
const known = new Set<string>([
  ...namesOfPrompts,
  ...Object.values(measurementAttributes).flat(),
  ...Object.values(langfuseAttributes),
  ...Object.values(kindAttributes),
  ...Object.values(scoreAttributes),
]);

/** The prefixes of the attributes in which the AI SDK stores the program's metadata and, in version 7, the program's context. */
const aiSdkPrefix = /^ai\.(?:telemetry\.metadata|settings\.context)\./;

/** The maximum length of the name of a known attribute, in bytes. */
export const maxAttributeNameBytes = 100;
/** The maximum length of the value of a known attribute, in bytes. Only Langfuse's and MLflow's JSON is nearly as long. */
export const maxAttributeValueBytes = 4096;
/** The maximum number of attributes of a span that are read. */
export const maxAttributes = 1000;

/** Returns the name under which an attribute is kept, or undefined if the attribute is not known. */
export function findKnownName(name: string): string | undefined {
  if (known.has(name)) return name;
  const rest = name.replace(aiSdkPrefix, '');
  return rest !== name && namesOfPrompts.has(rest) ? rest : undefined;
}
