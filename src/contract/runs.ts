import { type Static, Type } from 'typebox';
import { CandidateId, candidateReference } from './candidates.ts';
import { ErrorBody } from './errors.ts';
import { LabelOrLatest } from './labels.ts';
import { maxPromptNameLength } from './limits.ts';
import { listOf } from './lists.ts';
import { exampleConnection, ModelName } from './models.ts';
import { examplePerson, Person } from './people.ts';
import { ReleaseContext, ReleaseKey, VersionRelease } from './release-callers.ts';
import { Variables } from './render.ts';
import { bodyOf, objectOf, orNull } from './shapes.ts';
import { Output, Tools } from './tools.ts';
import { VariableDeclarations } from './variables.ts';
import { Config, Messages, Template, VersionNumber, versionInput } from './versions.ts';

/** The reasons why a run can fail. */
const runErrorCodes = [
  /** No connection to the server could be established, or the connection was lost. */
  'unreachable',
  /** The server responded with an error, either immediately or in the middle of its response. */
  'rejected',
  /** The response ended before it was complete. */
  'incomplete',
  /** The server sent nothing for too long, or the run took too long. */
  'timeout',
  /** The response does not follow the protocol. */
  'invalid_response',
  /** The response exceeds the maximum length of an output. */
  'too_long',
  /** The client disconnected, or the service stopped. */
  'canceled',
] as const;

const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const Connection = Type.String({ minLength: 1, maxLength: 200, description: 'The id or the name of a model connection.' });

const runInput = {
  variables: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...Variables,
      description:
        'Values by variable name. The value of a placeholder is an array of messages. Their `content` can be a string or an array of parts, ' +
        'such as images.',
    }),
  ),
  connection: Connection,
  model: Type.Optional(
    Type.String({
      ...ModelName,
      description: 'Default: the model in the prompt’s config if the connection offers it, otherwise the first model of the connection.',
    }),
  ),
  parameters: Type.Optional(
    anyObject('Parameters of the request to the model. They override the prompt’s config. Null removes a parameter.'),
  ),
};

const exampleRunRequest = { variables: { customer: 'Ada', request: 'Where is my order?' }, connection: 'OpenAI', model: 'gpt-5-mini' };
export const RunRequest = bodyOf('RunRequest', exampleRunRequest, {
  ...runInput,
  label: Type.Optional(LabelOrLatest),
  version: Type.Optional(VersionNumber),
  candidate: Type.Optional(CandidateId),
  key: Type.Optional(ReleaseKey),
  context: Type.Optional(ReleaseContext),
});
export type RunRequest = Static<typeof RunRequest>;

const exampleDraftRunRequest = { template: 'Greet {{ name }}', variables: { name: 'Ada' }, connection: 'OpenAI' };
export const DraftRunRequest = bodyOf('DraftRunRequest', exampleDraftRunRequest, {
  template: Type.Optional(Template),
  messages: Type.Optional(Messages),
  syntax: versionInput.syntax,
  declarations: Type.Optional(VariableDeclarations),
  tools: Type.Optional(Tools),
  output: Type.Optional(Output),
  config: Type.Optional(Config),
  name: Type.Optional(
    Type.String({
      maxLength: maxPromptNameLength,
      description: 'The name of the prompt to which the draft belongs. The run is listed among the runs of this prompt.',
    }),
  ),
  ...runInput,
});
export type DraftRunRequest = Static<typeof DraftRunRequest>;

const exampleTokenUsage = { inputTokens: 21, outputTokens: 8, estimated: false };
export const TokenUsage = objectOf('TokenUsage', exampleTokenUsage, {
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  estimated: Type.Boolean({
    description:
      'True if the tokens are estimated because the server did not report them: four characters per token, one for East Asian scripts, ' +
      'and 1,000 tokens for an image or a file.',
  }),
});
export type TokenUsage = Static<typeof TokenUsage>;

const exampleRunError = { code: 'rejected', message: 'api.openai.com rejected the key (401)', status: 401, retryAfterSeconds: null };
export const RunError = objectOf('RunError', exampleRunError, {
  code: Type.Enum([...runErrorCodes]),
  message: Type.String({ description: 'A description of the error, with the message from the server.' }),
  status: orNull(Type.Integer(), 'The status of the server’s response.'),
  retryAfterSeconds: orNull(Type.Integer(), 'How long the server asks you to wait.'),
});
export type RunError = Static<typeof RunError>;

const outcome = {
  output: Type.String({ description: 'The text that the model wrote. After an error, the part that was received.' }),
  toolCalls: Type.Array(anyObject('The tool calls in OpenAI’s shape: `{id, type, function: {name, arguments}}`.')),
  finishReason: orNull(
    Type.String(),
    'The finish reason as the server sent it, such as `stop`, `length` or `tool_calls`. Finish reasons of Anthropic and Gemini are ' +
      'converted to OpenAI’s names.',
  ),
  usage: TokenUsage,
  cost: orNull(Type.Number(), 'In US dollars. Null if neither the connection nor the built-in list has a price for the model.'),
  firstTokenMs: orNull(Type.Integer(), 'Time until the first token. Null if there was none.'),
  durationMs: Type.Integer(),
  error: orNull(RunError, 'Why the run failed. Null if it succeeded.'),
};

const summary = {
  id: Type.String({ description: 'Starts with `r_`.' }),
  version: orNull(Type.Integer(), 'Null for a draft or a candidate.'),
  candidate: Type.Optional(Type.Object(candidateReference, { description: 'The candidate that was run.' })),
  release: Type.Optional(VersionRelease),
  connection: Type.Object({ id: Type.String(), name: Type.String() }),
  model: Type.String(),
  createdAt: Type.String(),
  by: Person,
};

const exampleOutcome = {
  output: 'Hello Ada!',
  toolCalls: [],
  finishReason: 'stop',
  usage: { inputTokens: 21, outputTokens: 4, estimated: false },
  cost: 0.00001325,
  firstTokenMs: 310,
  durationMs: 480,
  error: null,
};
export const exampleRun = {
  id: 'r_mi4w7x2c_000a1d4b8365f0c9a7e',
  version: 3,
  connection: { id: exampleConnection.id, name: exampleConnection.name },
  model: 'gpt-5-mini',
  createdAt: '2026-11-15T08:30:00.000Z',
  by: examplePerson,
  variables: { name: 'Ada' },
  parameters: { temperature: 0.2 },
  messages: [{ role: 'user', content: 'Greet Ada' }],
  ...exampleOutcome,
};

const input = {
  variables: anyObject('The variables of the run.'),
  parameters: anyObject('All parameters of the request to the model.'),
  messages: Type.Array(anyObject('A message as it was sent.')),
};

export const Run = objectOf('Run', exampleRun, {
  ...summary,
  ...input,
  draft: Type.Optional(
    Type.Object(
      {
        syntax: versionInput.syntax,
        template: Type.Optional(Type.String()),
        messages: Type.Optional(Messages),
        declarations: Type.Optional(VariableDeclarations),
        tools: Type.Optional(Tools),
        output: Type.Optional(Output),
        config: Config,
      },
      { description: 'The content of a draft or a candidate.' },
    ),
  ),
  ...outcome,
  truncated: Type.Optional(
    Type.Boolean({ description: 'True if the run was too large to be stored completely. Parts of its input are then missing.' }),
  ),
});
export type Run = Static<typeof Run>;

const { output: _output, toolCalls: _toolCalls, ...outcomeSummary } = outcome;
const { variables: _v, parameters: _p, messages: _m, output, toolCalls: _t, ...exampleSummary } = exampleRun;

const exampleRunSummary = { ...exampleSummary, preview: output };
export const RunSummary = objectOf('RunSummary', exampleRunSummary, {
  ...summary,
  ...outcomeSummary,
  preview: Type.String({ description: 'The first 200 characters of the output.' }),
});
export type RunSummary = Static<typeof RunSummary>;
export const RunList = listOf('RunList', RunSummary);

/** The response to a failed run: the error, and the part of the run that exists. */
export const FailedRun = Type.Object({ ...ErrorBody.properties, run: Run }, { title: 'FailedRun' });
export type FailedRun = Static<typeof FailedRun>;
