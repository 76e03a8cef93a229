import { type Static, Type } from 'typebox';
import { CandidateId } from './candidates.ts';
import { LabelOrLatest } from './labels.ts';
import { maxPromptNameLength } from './limits.ts';
import type { ModelMessage } from './model-messages.ts';
import { ReleaseContext, ReleaseKey, VersionRelease } from './release-callers.ts';
import { bodyOf, objectOf } from './shapes.ts';
import { Output, Tools } from './tools.ts';
import { Variable, VariableDeclarations } from './variables.ts';
import { Config, Messages, Template, VersionNumber, versionInput } from './versions.ts';

export const Variables = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Values by variable name. The value of a placeholder is an array of messages.',
  examples: [{ customer: 'Ada', request: 'Where is my order?' }],
});

export const RenderedMessage = Type.Unsafe<ModelMessage>({
  type: 'object',
  title: 'RenderedMessage',
  additionalProperties: true,
  required: ['role'],
  properties: {
    role: { type: 'string' },
    content: {
      description:
        'Text, or a list of parts. Parts have the form of OpenAI’s chat completions: `text`, `image_url`, `input_audio` and `file`.',
    },
  },
  description:
    'A message of OpenAI’s chat completions. The messages of a placeholder are passed on unchanged, with tool calls and results.',
  examples: [{ role: 'user', content: 'Where is my order?' }],
});

const rendered = {
  text: Type.Optional(Type.String({ description: 'For text prompts.' })),
  messages: Type.Optional(Type.Array(RenderedMessage, { description: 'For chat prompts.' })),
  tools: Type.Optional(Tools),
  output: Type.Optional(Output),
  config: Config,
};

const exampleRenderRequest = { variables: { customer: 'Ada', request: 'Where is my order?' } };
export const RenderRequest = bodyOf('RenderRequest', exampleRenderRequest, {
  variables: Type.Optional(Variables),
  label: Type.Optional(LabelOrLatest),
  version: Type.Optional(VersionNumber),
  key: Type.Optional(ReleaseKey),
  context: Type.Optional(ReleaseContext),
  feedbackToken: Type.Optional(
    Type.Boolean({ description: 'Whether the response contains a token with which a browser can rate this version for 24 hours.' }),
  ),
});
export type RenderRequest = Static<typeof RenderRequest>;

const exampleRenderedPrompt = {
  name: 'support/triage',
  version: 3,
  text: 'Classify this request from Ada: Where is my order?',
  config: { temperature: 0.2 },
};
export const RenderedPrompt = objectOf('RenderedPrompt', exampleRenderedPrompt, {
  name: Type.String(),
  version: Type.Integer(),
  ...rendered,
  release: Type.Optional(VersionRelease),
  feedbackToken: Type.Optional(Type.String({ description: 'For `POST /api/feedback/browser`. Present if the request asked for it.' })),
});
export type RenderedPrompt = Static<typeof RenderedPrompt>;

const examplePreviewRequest = { template: 'Hello {{ name }}', variables: { name: 'Ada' } };
export const PreviewRequest = bodyOf('PreviewRequest', examplePreviewRequest, {
  syntax: versionInput.syntax,
  template: Type.Optional(Template),
  messages: Type.Optional(Messages),
  declarations: Type.Optional(VariableDeclarations),
  tools: Type.Optional(Tools),
  output: Type.Optional(Output),
  config: Type.Optional(Config),
  candidate: Type.Optional(
    Type.String({ ...CandidateId, description: 'The id of a candidate of the prompt `name`, instead of content and `config`.' }),
  ),
  variables: Type.Optional(Variables),
  name: Type.Optional(
    Type.String({
      maxLength: maxPromptNameLength,
      description:
        'The name of the prompt to which the draft or the candidate belongs. If the draft includes this prompt, rendering fails, because a ' +
        'prompt cannot include itself.',
    }),
  ),
  placeholders: Type.Optional(
    Type.Boolean({
      description: 'With `true`, missing required variables are shown by name, such as ‹customer.name›. Otherwise the response is 422.',
    }),
  ),
  problems: Type.Optional(
    Type.Boolean({
      description:
        'With `true`, the response for a template that cannot be rendered contains its variables and a `problem`. Otherwise the response is 422.',
    }),
  ),
});
export type PreviewRequest = Static<typeof PreviewRequest>;

const examplePreview = { text: 'Hello Ada', config: {}, variables: [{ name: 'name', required: true, kind: 'text' }] };
export const Preview = objectOf('Preview', examplePreview, {
  ...rendered,
  variables: Type.Array(Variable),
  placeholders: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'With `placeholders`: the values shown for missing required variables, by name.',
    }),
  ),
  problem: Type.Optional(
    Type.String({ description: 'With `problems`: why the template cannot be rendered, such as an included prompt that does not exist.' }),
  ),
});
export type Preview = Static<typeof Preview>;
