import { type Static, Type } from 'typebox';
import { productionLabel } from './label-names.ts';
import { Label, LabelOrLatest } from './labels.ts';
import { maxMessages, maxTemplateCharacters, maxVersionMessageLength } from './limits.ts';
import { examplePerson, Person } from './people.ts';
import { bodyOf, objectOf, queryOf } from './shapes.ts';
import { Warning } from './warnings.ts';

export const variableNamePattern = '^[A-Za-z_][A-Za-z0-9_]{0,99}$';

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
  content: Type.String({ maxLength: maxTemplateCharacters, description: 'A template.' }),
});

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
  description: 'Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema.',
  examples: [{ model: 'some-model', temperature: 0.2 }],
});

const VersionMessage = Type.String({
  maxLength: maxVersionMessageLength,
  description: 'The version message, which says what changed. It is shown in the history.',
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

/** The shape of a value, as the template uses it. */
export interface Shape {
  kind?: 'text' | 'list' | 'object';
  /** The fields of an object. */
  fields?: Field[];
  /** The shape of each item of a list. */
  items?: Shape;
}

export interface Field extends Shape {
  name: string;
  /**
   * Whether the field is used outside of conditions. If a required field is missing, the template still renders, with empty text in its
   * place.
   */
  required: boolean;
}

const Kind = Type.Enum(['text', 'list', 'object'], {
  description:
    'How the templates use the value: as a whole (`text`, which can also be a number, true or false), item by item (`list`), or by its ' +
    'fields (`object`). Absent if the templates do not reveal it, and for versions that were saved before the service recorded it.',
});

// The schema does not refer to itself, because the serializer cannot resolve such a reference. The descriptions explain the nested values.
const Items = Type.Unsafe<Shape>({
  type: 'object',
  additionalProperties: true,
  description: 'The shape of each item of a list: its `kind`, and its `fields` or `items`.',
});
const Fields = Type.Unsafe<Field[]>({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: true,
    required: ['name', 'required'],
    properties: { name: { type: 'string' }, required: { type: 'boolean' } },
  },
  description: 'The fields of an object, each with `name`, `required` (used outside of conditions), `kind`, and `fields` or `items`.',
});

export const Variable = Type.Object({
  name: Type.String(),
  required: Type.Boolean(),
  kind: Type.Optional(Kind),
  fields: Type.Optional(Fields),
  items: Type.Optional(Items),
});
export type Variable = Static<typeof Variable>;

const versionFields = {
  name: Type.String(),
  type: PromptType,
  version: Type.Integer(),
  labels: Type.Array(Type.String()),
  syntax: TemplateSyntax,
  template: Type.Optional(Type.String({ description: 'For text prompts.' })),
  messages: Type.Optional(Type.Array(Type.Union([Message, Placeholder]), { description: 'For chat prompts.' })),
  variables: Type.Array(Variable, {
    description: 'The variables that the templates use, including those of included prompts.',
  }),
  config: Config,
  message: Type.String(),
  createdAt: Type.String(),
  by: Person,
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
      description: 'The version that this one is based on. If it is no longer the newest, the response is 409.',
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
