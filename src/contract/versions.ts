import { type Static, Type } from 'typebox';
import { ContentPart } from './content-parts.ts';
import { productionLabel } from './label-names.ts';
import { Label, LabelOrLatest } from './labels.ts';
import { maxContentParts, maxMessages, maxTemplateCharacters, maxVersionMessageLength } from './limits.ts';
import { examplePerson, Person } from './people.ts';
import { contextParameters, ReleaseKey, VersionRelease } from './release-callers.ts';
import { bodyOf, objectOf, queryOf } from './shapes.ts';
import { Output, Tools } from './tools.ts';
import { Variable, VariableDeclarations, variableNamePattern } from './variables.ts';
import { Warning } from './warnings.ts';

export const PromptType = Type.Enum(['text', 'chat']);
export type PromptType = Static<typeof PromptType>;

/** The language of a version's templates. */
export const TemplateSyntax = Type.Enum(['liquid', 'mustache']);
export type TemplateSyntax = Static<typeof TemplateSyntax>;

export const VersionNumber = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

const exampleMessage = { role: 'system', content: 'You answer in {{ language }}.' };
export const Message = bodyOf('Message', exampleMessage, {
  role: Type.String({
    minLength: 1,
    maxLength: 50,
    description: '`system`, `developer`, `user`, `assistant` or `tool`. In a mustache version, any string.',
  }),
  content: Type.Union(
    [Type.String({ maxLength: maxTemplateCharacters }), Type.Array(ContentPart, { minItems: 1, maxItems: maxContentParts })],
    { description: 'A template, or a list of parts: text, images, audio and files.' },
  ),
});
export type Message = Static<typeof Message>;

const examplePlaceholder = { placeholder: 'history' };
export const Placeholder = bodyOf('Placeholder', examplePlaceholder, {
  placeholder: Type.String({
    pattern: variableNamePattern,
    description: 'The name of the variable that holds the caller’s messages.',
  }),
});

export const Messages = Type.Array(Type.Union([Message, Placeholder]), { minItems: 1, maxItems: maxMessages });
export type Messages = Static<typeof Messages>;

export const Template = Type.String({
  maxLength: maxTemplateCharacters,
  description: 'A template, up to 262,144 characters.',
  examples: ['Write to {{ customer }} in a {{ tone }} tone.'],
});

export const Config = Type.Unsafe<unknown>({
  description: 'Any JSON up to 64 KiB, usually an object with the model and its parameters.',
  examples: [{ model: 'some-model', temperature: 0.2 }],
});

const VersionMessage = Type.String({
  maxLength: maxVersionMessageLength,
  description: 'The version message: a note about what changed, which the history shows.',
});

export const exampleVersion = {
  name: 'support/triage',
  type: 'text',
  version: 3,
  labels: [productionLabel],
  syntax: 'liquid',
  template: 'Classify this request from {{ customer.name }}: {{ request }}',
  variables: [
    { name: 'customer', required: true, kind: 'object', fields: [{ name: 'name', required: true, kind: 'text' }] },
    { name: 'request', required: true, kind: 'text' },
  ],
  config: { model: 'some-model', temperature: 0.2 },
  message: 'Name the customer',
  createdAt: '2026-11-15T08:30:00.000Z',
  by: examplePerson,
};

const versionFields = {
  name: Type.String(),
  type: PromptType,
  version: Type.Integer(),
  labels: Type.Array(Type.String()),
  syntax: TemplateSyntax,
  template: Type.Optional(Type.String({ description: 'For text prompts.' })),
  messages: Type.Optional(Type.Array(Type.Union([Message, Placeholder]), { description: 'For chat prompts.' })),
  variables: Type.Array(Variable, {
    description: 'The declared variables and those that the templates use, including those of included prompts.',
  }),
  tools: Type.Optional(Tools),
  output: Type.Optional(Output),
  config: Config,
  message: Type.String(),
  createdAt: Type.String(),
  by: Person,
  release: Type.Optional(VersionRelease),
};

export const Version = objectOf('Version', exampleVersion, versionFields);
export type Version = Static<typeof Version>;

const exampleSavedVersion = { ...exampleVersion, warnings: [] };
export const SavedVersion = objectOf('SavedVersion', exampleSavedVersion, {
  ...versionFields,
  warnings: Type.Array(Warning, { description: 'Problems that did not prevent saving the version or moving the label.' }),
});
export type SavedVersion = Static<typeof SavedVersion>;

export const versionInput = {
  syntax: Type.Optional(Type.Enum(['liquid', 'mustache'], { default: 'liquid', description: 'The language of the templates.' })),
  template: Type.Optional(Template),
  messages: Type.Optional(Messages),
  variables: Type.Optional(VariableDeclarations),
  tools: Type.Optional(Tools),
  output: Type.Optional(Output),
  config: Type.Optional(Config),
  message: Type.Optional(VersionMessage),
  labels: Type.Optional(Type.Array(Label, { maxItems: 20, uniqueItems: true, description: 'Labels to move to this version.' })),
};

const exampleNewVersion = {
  template: 'Classify this request from {{ customer }}: {{ request }}',
  message: 'Name the customer',
  baseVersion: 2,
};
export const NewVersion = bodyOf('NewVersion', exampleNewVersion, {
  ...versionInput,
  baseVersion: Type.Optional(
    Type.Integer({
      ...VersionNumber,
      description: 'The version on which the new version is based. If that version is no longer the newest, the response is 409.',
    }),
  ),
});
export type NewVersion = Static<typeof NewVersion>;

/** Selects a version of a prompt. If neither field is given, the version labeled `production` is selected. */
export const VersionChoice = queryOf({
  label: Type.Union(LabelOrLatest.anyOf, { description: 'Default: `production`.' }),
  version: Type.Integer({ ...VersionNumber, description: 'A version number, instead of a label.' }),
});
export type VersionChoice = Static<typeof VersionChoice>;

/** Selects a version of a prompt for a caller. A release of the label chooses the version by the key and the context. */
export const CallerChoice = queryOf({ ...VersionChoice.properties, key: ReleaseKey }, contextParameters);
export type CallerChoice = Static<typeof CallerChoice>;
