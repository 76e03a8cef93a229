import { type Static, Type } from 'typebox';
import { LabelOrLatest } from './labels.ts';
import { maxPromptNameLength } from './limits.ts';
import { Config, Messages, Template, Variable, VersionNumber, versionInput } from './versions.ts';

export const Variables = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Values by variable name. The value of a placeholder is an array of messages.',
  examples: [{ customer: 'Ada', request: 'Where is my order?' }],
});

export const RenderedMessage = Type.Object({ role: Type.String(), content: Type.String() });
export type RenderedMessage = Static<typeof RenderedMessage>;

const rendered = {
  text: Type.Optional(Type.String({ description: 'For text prompts.' })),
  messages: Type.Optional(Type.Array(RenderedMessage, { description: 'For chat prompts.' })),
  config: Config,
};

export const RenderRequest = Type.Object(
  {
    variables: Type.Optional(Variables),
    label: Type.Optional(LabelOrLatest),
    version: Type.Optional(VersionNumber),
  },
  { title: 'RenderRequest', additionalProperties: false, examples: [{ variables: { customer: 'Ada', request: 'Where is my order?' } }] },
);
export type RenderRequest = Static<typeof RenderRequest>;

export const RenderedPrompt = Type.Object(
  { name: Type.String(), version: Type.Integer(), ...rendered },
  {
    title: 'RenderedPrompt',
    examples: [
      { name: 'support/triage', version: 3, text: 'Classify this request from Ada: Where is my order?', config: { temperature: 0.2 } },
    ],
  },
);
export type RenderedPrompt = Static<typeof RenderedPrompt>;

export const PreviewRequest = Type.Object(
  {
    syntax: versionInput.syntax,
    template: Type.Optional(Template),
    messages: Type.Optional(Messages),
    config: Type.Optional(Config),
    variables: Type.Optional(Variables),
    name: Type.Optional(
      Type.String({
        maxLength: maxPromptNameLength,
        description: 'The prompt that this is a draft of, so that including itself is an error, as it is for the saved prompt.',
      }),
    ),
    placeholders: Type.Optional(
      Type.Boolean({
        description: 'Shows the names of missing required variables, as in ‹customer.name›, where the response is 422 otherwise.',
      }),
    ),
  },
  { title: 'PreviewRequest', additionalProperties: false, examples: [{ template: 'Hello {{ name }}', variables: { name: 'Ada' } }] },
);
export type PreviewRequest = Static<typeof PreviewRequest>;

export const Preview = Type.Object(
  {
    ...rendered,
    variables: Type.Array(Variable),
    placeholders: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'With `placeholders`: the values that stand for missing required variables, by name.',
      }),
    ),
  },
  { title: 'Preview', examples: [{ text: 'Hello Ada', config: {}, variables: [{ name: 'name', required: true, kind: 'text' }] }] },
);
export type Preview = Static<typeof Preview>;
