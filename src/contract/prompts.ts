import { type Static, Type } from 'typebox';
import { LabelOrLatest, Override } from './labels.ts';
import { maxDescriptionLength, maxPromptNameLength, maxTagLength, maxTags } from './limits.ts';
import { listOf, pageParameters } from './lists.ts';
import { Person } from './people.ts';
import { promptNamePattern } from './prompt-names.ts';
import { contextParameters, ReleaseKey } from './release-callers.ts';
import { LabelRelease, ListedRelease } from './releases.ts';
import { bodyOf, changeOf, objectOf, orNull, queryOf } from './shapes.ts';
import { exampleVersion, PromptType, Version, versionInput } from './versions.ts';
import { Warning } from './warnings.ts';

const PromptName = Type.String({
  minLength: 1,
  maxLength: maxPromptNameLength,
  pattern: promptNamePattern,
  description:
    '1 to 200 printable characters, except \\ | < > ". Slashes separate folders; a folder or name is never empty, `.` or `..`, and neither ' +
    'starts nor ends with a space. Stored in Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`.',
  examples: ['support/triage'],
});

/** The sort orders of a list of prompts. */
export const promptSorts = ['name', '-name', 'updatedAt', '-updatedAt'] as const;

const Description = Type.String({ maxLength: maxDescriptionLength });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: maxTagLength }), {
  maxItems: maxTags,
  uniqueItems: true,
  description: 'Up to 20 tags of up to 50 characters.',
});

export const examplePrompt = {
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
  labels: Type.Record(Type.String(), Type.Integer(), { description: 'The version that each label points at.' }),
  deletedVersions: Type.Optional(
    Type.Array(Type.Integer(), {
      description:
        'The numbers of deleted versions, which are never used again. Absent if there are none. A response with one prompt contains up to ' +
        '2,000 of the newest numbers, and a list contains at least 100 for each prompt.',
    }),
  ),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

const examplePromptUsage = { callsLast24Hours: 1197, lastUsedAt: '2026-11-15T08:00:00.000Z' };
export const PromptUsage = objectOf('PromptUsage', examplePromptUsage, {
  callsLast24Hours: Type.Integer({ minimum: 0 }),
  lastUsedAt: orNull(Type.String(), 'The hour of the last call, or the day if it was more than 90 days ago. Null if there was no call.'),
});
export type PromptUsage = Static<typeof PromptUsage>;

export const Prompt = objectOf('Prompt', examplePrompt, promptFields);
export type Prompt = Static<typeof Prompt>;

const exampleSearchMatch = { version: 3, path: '/template', line: 2, text: 'Never promise a refund.', start: 16, end: 22 };
export const SearchMatch = objectOf('SearchMatch', exampleSearchMatch, {
  version: Type.Optional(
    Type.Integer({ description: 'Absent if the match is in the name or the description, which do not belong to a version.' }),
  ),
  path: Type.String({ description: 'A JSON pointer: `/name`, `/description`, `/template`, `/messages/0/content` or `/config/model`.' }),
  line: Type.Integer({ minimum: 1 }),
  text: Type.String({ description: 'The line, shortened around the match. A setting in `config` is shown as `name: value`.' }),
  start: Type.Integer({ minimum: 0, description: 'Where the match starts in `text`, in UTF-16 code units as in JavaScript.' }),
  end: Type.Integer({ minimum: 0 }),
});
export type SearchMatch = Static<typeof SearchMatch>;

export const ListedPrompt = objectOf('ListedPrompt', examplePrompt, {
  ...promptFields,
  deletedAt: Type.Optional(Type.String({ description: 'With `deleted=true`: when the prompt was moved to the bin.' })),
  deletedBy: Type.Optional(Person),
  version: Type.Optional(orNull(Version, 'With `include=content`: the version at `label`, or null if there is none.')),
  release: Type.Optional(ListedRelease),
  author: Type.Optional(Type.Object(Person.properties, { description: 'With `include=author`: who saved the newest version.' })),
  usage: Type.Optional(PromptUsage),
  releases: Type.Optional(
    Type.Record(Type.String(), LabelRelease, {
      description: 'The last release of each label, which may have ended. Absent if there are none, and with `include=content`.',
    }),
  ),
  matches: Type.Optional(
    Type.Array(SearchMatch, {
      description: 'With `search`: the first lines that contain the text, at most 5, from the newest version that contains it.',
    }),
  ),
});
export type ListedPrompt = Static<typeof ListedPrompt>;

export const PromptList = listOf('PromptList', ListedPrompt);
export type PromptList = Static<typeof PromptList>;

const exampleCreatedPrompt = {
  ...examplePrompt,
  latestVersion: 1,
  labels: { production: 1 },
  version: { ...exampleVersion, version: 1, message: '' },
  warnings: [],
};
export const CreatedPrompt = objectOf('CreatedPrompt', exampleCreatedPrompt, {
  ...promptFields,
  version: Version,
  warnings: Type.Array(Warning, { description: 'Problems that did not prevent saving.' }),
});
export type CreatedPrompt = Static<typeof CreatedPrompt>;

const exampleNewPrompt = {
  name: 'support/triage',
  template: 'Classify this request: {{ request }}',
  tags: ['support'],
  config: { temperature: 0.2 },
};
export const NewPrompt = bodyOf('NewPrompt', exampleNewPrompt, {
  name: PromptName,
  type: Type.Optional(Type.Enum(['text', 'chat'], { description: 'Default: `text` with `template`, `chat` with `messages`.' })),
  description: Type.Optional(Description),
  tags: Type.Optional(Tags),
  ...versionInput,
});
export type NewPrompt = Static<typeof NewPrompt>;

/** The body of a request that restores a prompt. The body is optional. */
export const RestoreRequest = Type.Optional(
  bodyOf(
    'RestoreRequest',
    { override: 'Deleted by mistake' },
    {
      override: Type.Optional(
        Type.String({
          ...Override,
          description:
            'The reason for restoring the prompt although one of its gated labels points at a version that has not passed its checks. Requires the role `admin`. The reason is shown in the history and the event.',
        }),
      ),
    },
  ),
);
export type RestoreRequest = Static<typeof RestoreRequest>;

const examplePromptChange = { description: 'Classifies incoming requests' };
export const PromptChange = changeOf('PromptChange', examplePromptChange, { name: PromptName, description: Description, tags: Tags });
export type PromptChange = Static<typeof PromptChange>;

/** The filters of a list of prompts. The overview accepts them too. */
export const promptFilters = {
  search: Type.String({
    maxLength: 200,
    description:
      'Only prompts that contain this text. The search covers the name and the description, and the templates, messages and config of the ' +
      'newest version and of versions with a label. It ignores case. Each prompt in the response has `matches`.',
  }),
  searchIn: Type.Literal('name', { description: 'Search only names.' }),
  tag: Type.String({ maxLength: maxTagLength }),
  folder: Type.String({ maxLength: 200, description: 'Only prompts in this folder and its subfolders.' }),
  subfolders: Type.Literal('false', {
    description: '`false` excludes prompts in subfolders. Without `folder`: only prompts that are not in a folder.',
  }),
  label: Type.Union(LabelOrLatest.anyOf, { description: 'Only prompts that have this label.' }),
  author: Type.String({ maxLength: 100, description: 'Only prompts whose newest version was saved by the account with this `userId`.' }),
  deployed: Type.Enum(['true', 'false'], { description: '`false`: only prompts without any label. `true`: only prompts with a label.' }),
  changedSince: Type.String({
    maxLength: 40,
    description: 'Only prompts whose `updatedAt` is at or after this ISO 8601 time.',
    examples: ['2026-11-15T00:00:00Z'],
  }),
};

export const PromptListQuery = queryOf(
  {
    ...promptFilters,
    name: Type.Union([PromptName, Type.Array(PromptName, { maxItems: 100 })], {
      description: 'Only prompts with this name. Can be repeated.',
    }),
    sort: Type.Enum([...promptSorts], { default: 'name', description: 'A leading `-` sorts in descending order.' }),
    include: Type.Enum(['content', 'usage', 'author'], {
      description:
        '`content` adds the version at `label` (default `production`) to each prompt. `author` adds who saved the newest version. `usage` ' +
        'adds how often the prompt was called in the last 24 hours and when it was last called. Responses with `usage` have no ETag.',
    }),
    deleted: Type.Literal('true', { description: 'Lists the prompts in the bin instead of all other prompts.' }),
    key: ReleaseKey,
    ...pageParameters,
  },
  contextParameters,
);
export type PromptListQuery = Static<typeof PromptListQuery>;
