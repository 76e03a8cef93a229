import { Type } from 'typebox';

export const maxTemplateCharacters = 256 * 1024;
export const maxMessages = 100;

export const Label = Type.String({
  pattern: '^[a-z0-9]([a-z0-9._-]{0,48}[a-z0-9])?$',
  description: 'A label: 1 to 50 characters of a-z 0-9 . _ -, beginning and ending with a letter or digit.',
  examples: ['production'],
});

export const VersionNumber = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

export const Message = Type.Object(
  {
    role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: Type.String({ maxLength: maxTemplateCharacters, description: 'A Liquid template.' }),
  },
  { title: 'Message', additionalProperties: false, examples: [{ role: 'system', content: 'You answer in {{ language }}.' }] },
);

export const Placeholder = Type.Object(
  {
    placeholder: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$',
      description: 'The variable that holds the caller’s own messages.',
    }),
  },
  { title: 'Placeholder', additionalProperties: false, examples: [{ placeholder: 'history' }] },
);

export const Messages = Type.Array(Type.Union([Message, Placeholder]), { minItems: 1, maxItems: maxMessages });

export const Template = Type.String({
  maxLength: maxTemplateCharacters,
  description: 'A Liquid template, up to 262,144 characters.',
  examples: ['Write to {{ customer }} in a {{ tone }} tone.'],
});

/** Spelt out, because a Record's keys are matched by a pattern that leaves out those with a line break. */
export const Config = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object up to 64 KiB: model, temperature, tools, response schema.',
  examples: [{ model: 'some-model', temperature: 0.2 }],
});

const VersionMessage = Type.String({ maxLength: 500, description: 'What changed, for the people who read the history.' });

export const exampleVersion = {
  name: 'support/triage',
  type: 'text',
  version: 3,
  labels: ['production'],
  template: 'Sort this request of {{ customer }}: {{ request }}',
  variables: [
    { name: 'customer', required: true },
    { name: 'request', required: true },
  ],
  config: { model: 'some-model', temperature: 0.2 },
  message: 'Name the customer',
  createdAt: '2026-11-15T08:30:00.000Z',
};

const versionFields = {
  name: Type.String(),
  type: Type.Enum(['text', 'chat']),
  version: Type.Integer(),
  labels: Type.Array(Type.String()),
  template: Type.Optional(Type.String({ description: 'Of a text prompt.' })),
  messages: Type.Optional(Type.Array(Type.Union([Message, Placeholder]), { description: 'Of a chat prompt.' })),
  variables: Type.Array(Type.Object({ name: Type.String(), required: Type.Boolean() }), {
    description: 'What the templates need from the caller, those of prompts they take in among them.',
  }),
  config: Config,
  message: Type.String(),
  createdAt: Type.String(),
};

export const Version = Type.Object(versionFields, { title: 'Version', examples: [exampleVersion] });

export const Warning = Type.Object(
  { code: Type.String(), message: Type.String() },
  {
    title: 'Warning',
    examples: [{ code: 'unknown_partial', message: 'There is no prompt "shared/tone" with the label "production" yet' }],
  },
);

export const SavedVersion = Type.Object(
  { ...versionFields, warnings: Type.Array(Warning, { description: 'Saved all the same, but worth a look.' }) },
  { title: 'SavedVersion', examples: [{ ...exampleVersion, warnings: [] }] },
);

export const versionInput = {
  template: Type.Optional(Template),
  messages: Type.Optional(Messages),
  config: Type.Optional(Config),
  message: Type.Optional(VersionMessage),
  labels: Type.Optional(Type.Array(Label, { maxItems: 20, uniqueItems: true, description: 'Labels to move to this version.' })),
};

export const NewVersion = Type.Object(
  {
    ...versionInput,
    baseVersion: Type.Optional(
      Type.Integer({
        ...VersionNumber,
        description: 'The version this one was made from. No longer the newest: 409, and nothing is lost.',
      }),
    ),
  },
  {
    title: 'NewVersion',
    additionalProperties: false,
    examples: [{ template: 'Sort this request of {{ customer }}: {{ request }}', message: 'Name the customer', baseVersion: 2 }],
  },
);

export const LabelTarget = Type.Object(
  { version: VersionNumber },
  { title: 'LabelTarget', additionalProperties: false, examples: [{ version: 2 }] },
);
