import { type Static, Type } from 'typebox';
import { LabelOrLatest, Override } from './labels.ts';
import { maxDescriptionLength, maxPromptNameLength, maxTagLength, maxTags } from './limits.ts';
import { listOf, pageParameters } from './lists.ts';
import { promptNamePattern } from './prompt-names.ts';
import { exampleVersion, PromptType, Version, versionInput, Warning } from './versions.ts';

const PromptName = Type.String({
  minLength: 1,
  maxLength: maxPromptNameLength,
  pattern: promptNamePattern,
  description:
    '1 to 200 printable characters, except \\ | < > ". Slashes separate folders; a folder or name is never empty, `.` or `..`, and neither ' +
    'starts nor ends with a space. Stored in Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`.',
  examples: ['support/triage'],
});

const Description = Type.String({ maxLength: maxDescriptionLength });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: maxTagLength }), {
  maxItems: maxTags,
  uniqueItems: true,
  description: 'Up to 20 tags of up to 50 characters.',
});

const examplePrompt = {
  id: 'p_mhz1k3p0_0005f0c9a7e21d4b836',
  name: 'support/triage',
  type: 'text',
  description: 'Classifies incoming requests',
  tags: ['support'],
  latestVersion: 3,
  labels: { production: 3 },
  createdAt: '2026-11-12T09:00:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};

const promptFields = {
  id: Type.String(),
  name: Type.String(),
  type: PromptType,
  description: Type.String(),
  tags: Type.Array(Type.String()),
  latestVersion: Type.Integer(),
  labels: Type.Record(Type.String(), Type.Integer(), { description: 'The version each label points at.' }),
  deletedVersions: Type.Optional(
    Type.Array(Type.Integer(), {
      description:
        'The numbers of deleted versions, which are never used again. Absent if there are none. Of a prompt with very many, the ' +
        'newest: 2,000 in a response with one prompt, and at least 100 in a list.',
    }),
  ),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

export const PromptUsage = Type.Object(
  {
    callsLast24Hours: Type.Integer({ minimum: 0 }),
    lastUsedAt: Type.Union([Type.String(), Type.Null()], {
      description: 'The hour of the last call, or its day if that was more than 90 days ago. Null if there was none.',
    }),
  },
  { title: 'PromptUsage', examples: [{ callsLast24Hours: 1197, lastUsedAt: '2026-11-15T08:00:00.000Z' }] },
);
export type PromptUsage = Static<typeof PromptUsage>;

export const Prompt = Type.Object(promptFields, { title: 'Prompt', examples: [examplePrompt] });
export type Prompt = Static<typeof Prompt>;

export const ListedPrompt = Type.Object(
  {
    ...promptFields,
    deletedAt: Type.Optional(Type.String({ description: 'With `deleted=true`: when it was moved to the bin.' })),
    version: Type.Optional(
      Type.Union([Version, Type.Null()], { description: 'With `include=content`: the version at `label`, or null if there is none.' }),
    ),
    usage: Type.Optional(PromptUsage),
  },
  { title: 'ListedPrompt', examples: [examplePrompt] },
);
export type ListedPrompt = Static<typeof ListedPrompt>;

export const PromptList = listOf('PromptList', ListedPrompt);
export type PromptList = Static<typeof PromptList>;

export const CreatedPrompt = Type.Object(
  { ...promptFields, version: Version, warnings: Type.Array(Warning, { description: 'Problems that did not prevent saving.' }) },
  {
    title: 'CreatedPrompt',
    examples: [
      {
        ...examplePrompt,
        latestVersion: 1,
        labels: { production: 1 },
        version: { ...exampleVersion, version: 1, message: '' },
        warnings: [],
      },
    ],
  },
);
export type CreatedPrompt = Static<typeof CreatedPrompt>;

export const NewPrompt = Type.Object(
  {
    name: PromptName,
    type: Type.Optional(Type.Enum(['text', 'chat'], { description: 'Default: derived from `template` or `messages`.' })),
    description: Type.Optional(Description),
    tags: Type.Optional(Tags),
    ...versionInput,
  },
  {
    title: 'NewPrompt',
    additionalProperties: false,
    examples: [
      { name: 'support/triage', template: 'Classify this request: {{ request }}', tags: ['support'], config: { temperature: 0.2 } },
    ],
  },
);
export type NewPrompt = Static<typeof NewPrompt>;

/** May be left out. */
export const RestoreRequest = Type.Optional(
  Type.Object(
    {
      override: Type.Optional(
        Type.String({
          ...Override,
          description:
            'Why the prompt is restored with a gated label on a version that has not passed. Takes the role `admin`; the history and the event show it.',
        }),
      ),
    },
    { title: 'RestoreRequest', additionalProperties: false, examples: [{ override: 'Deleted by mistake' }] },
  ),
);
export type RestoreRequest = Static<typeof RestoreRequest>;

export const PromptChange = Type.Object(
  { name: Type.Optional(PromptName), description: Type.Optional(Description), tags: Type.Optional(Tags) },
  { title: 'PromptChange', additionalProperties: false, minProperties: 1, examples: [{ description: 'Classifies incoming requests' }] },
);
export type PromptChange = Static<typeof PromptChange>;

export const PromptListQuery = Type.Object(
  {
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or description.' })),
    tag: Type.Optional(Type.String({ maxLength: maxTagLength })),
    folder: Type.Optional(Type.String({ maxLength: 200, description: 'Prompts in this folder and its subfolders.' })),
    label: Type.Optional(Type.Union(LabelOrLatest.anyOf, { description: 'Prompts that have this label.' })),
    name: Type.Optional(
      Type.Union([PromptName, Type.Array(PromptName, { maxItems: 100 })], { description: 'Prompts with this name; may be repeated.' }),
    ),
    sort: Type.Optional(Type.Enum(['name', '-updatedAt'], { default: 'name' })),
    include: Type.Optional(
      Type.Enum(['content', 'usage'], {
        description:
          '`content` adds the version at `label` (default `production`) to each prompt. `usage` adds how often it was called in the last ' +
          '24 hours and when last; such a response has no ETag.',
      }),
    ),
    deleted: Type.Optional(Type.Literal('true', { description: 'Prompts in the bin.' })),
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type PromptListQuery = Static<typeof PromptListQuery>;

export const PromptPath = Type.Object({ name: Type.String({ description: 'The prompt’s name, encoded as one path segment.' }) });
