import { type Static, Type } from 'typebox';
import { maxMessages, maxPromptNameLength, maxTagLength, maxTags, maxTemplateCharacters, maxVersionMessageLength } from './limits.ts';
import { promptNamePattern } from './prompt-names.ts';
import { objectOf, orNull } from './shapes.ts';
import { variableNamePattern } from './variables.ts';
import { Config, PromptType } from './versions.ts';

// These are the shapes of Langfuse's prompt API, as its SDKs send and expect them. As in Langfuse, fields that are not listed are ignored.

const ChatMessage = Type.Object({
  type: Type.Optional(Type.Literal('chatmessage')),
  role: Type.String({ minLength: 1, maxLength: 50 }),
  content: Type.String({ maxLength: maxTemplateCharacters }),
});

const ChatPlaceholder = Type.Object({ type: Type.Literal('placeholder'), name: Type.String({ pattern: variableNamePattern }) });

const Content = Type.Union([
  Type.String({ maxLength: maxTemplateCharacters }),
  Type.Array(Type.Union([ChatPlaceholder, ChatMessage]), { minItems: 1, maxItems: maxMessages }),
]);
export type LangfuseContent = Static<typeof Content>;

const exampleNewLangfusePrompt = {
  name: 'support/triage',
  type: 'text',
  prompt: 'Classify this request: {{request}}',
  labels: ['production'],
};
export const NewLangfusePrompt = objectOf('NewLangfusePrompt', exampleNewLangfusePrompt, {
  name: Type.String({ minLength: 1, maxLength: maxPromptNameLength, pattern: promptNamePattern }),
  type: Type.Optional(PromptType),
  prompt: Content,
  config: Type.Optional(Config),
  labels: Type.Optional(orNull(Type.Array(Type.String(), { maxItems: 20 }))),
  tags: Type.Optional(orNull(Type.Array(Type.String({ minLength: 1, maxLength: maxTagLength }), { maxItems: maxTags }))),
  commitMessage: Type.Optional(orNull(Type.String({ maxLength: maxVersionMessageLength }))),
});
export type NewLangfusePrompt = Static<typeof NewLangfusePrompt>;

const exampleLangfuseLabels = { newLabels: ['production'] };
export const LangfuseLabels = objectOf('LangfuseLabels', exampleLangfuseLabels, { newLabels: Type.Array(Type.String(), { maxItems: 20 }) });

const VersionReference = Type.Object({ id: Type.String(), name: Type.String(), version: Type.Integer() });

export const ResolutionGraph = Type.Object({
  root: VersionReference,
  dependencies: Type.Unsafe<Record<string, Static<typeof VersionReference>[]>>({
    type: 'object',
    additionalProperties: { type: 'array', items: VersionReference },
    description: 'The includes of each version, by the id of the including version.',
  }),
});
export type ResolutionGraph = Static<typeof ResolutionGraph>;

const exampleLangfusePrompt = {
  id: 'p_mhz1k3p0_0005f0c9a7e21d4b836:3',
  projectId: 'u_mhz1k3p0_0005f0c9a7e21d4b836',
  name: 'support/triage',
  type: 'text',
  version: 3,
  prompt: 'Classify this request: {{request}}',
  config: {},
  labels: ['production', 'latest'],
  tags: ['support'],
  commitMessage: null,
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
  createdBy: 'Ada',
  isActive: true,
  resolutionGraph: null,
};
export const LangfusePrompt = objectOf('LangfusePrompt', exampleLangfusePrompt, {
  id: Type.String(),
  projectId: Type.String(),
  name: Type.String(),
  type: PromptType,
  version: Type.Integer(),
  prompt: Content,
  config: Config,
  labels: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  commitMessage: orNull(Type.String()),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  createdBy: Type.String(),
  isActive: Type.Boolean({ description: 'Whether the version has the label `production`.' }),
  resolutionGraph: orNull(ResolutionGraph),
});
export type LangfusePrompt = Static<typeof LangfusePrompt>;

const ListedLangfusePrompt = Type.Object({
  name: Type.String(),
  type: PromptType,
  versions: Type.Array(Type.Integer(), { description: 'The newest 1,000 versions.' }),
  labels: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  lastUpdatedAt: Type.String(),
  lastConfig: orNull(Config, 'Null for the remaining prompts once the configs on the page exceed 1 MB in total.'),
});

const PageNumbers = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  totalItems: Type.Integer(),
  totalPages: Type.Integer(),
});

export const LangfusePromptList = Type.Object(
  { data: Type.Array(ListedLangfusePrompt), meta: PageNumbers, pagination: PageNumbers },
  { title: 'LangfusePromptList' },
);

export const LangfuseListQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: maxPromptNameLength, description: 'Only the prompt with exactly this name.' })),
  label: Type.Optional(Type.String({ maxLength: 50 })),
  tag: Type.Optional(Type.String({ maxLength: 50 })),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
  fromUpdatedAt: Type.Optional(Type.String({ maxLength: 50, description: 'Only prompts that were last changed at this time or later.' })),
  toUpdatedAt: Type.Optional(Type.String({ maxLength: 50, description: 'Only prompts that were last changed before this time.' })),
});
export type LangfuseListQuery = Static<typeof LangfuseListQuery>;

export const LangfuseChoice = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
  label: Type.Optional(Type.String({ maxLength: 50, description: 'Default: `production`.' })),
});

export const LangfusePromptQuery = Type.Object({
  ...LangfuseChoice.properties,
  resolve: Type.Optional(
    Type.Enum(['true', 'false'], { default: 'true', description: 'Whether to replace tags with the prompts that they include.' }),
  ),
});

export const LangfuseProjects = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        organization: Type.Object({ id: Type.String(), name: Type.String() }),
        metadata: Type.Object({}),
      }),
    ),
  },
  { title: 'LangfuseProjects' },
);

export const LangfuseHealth = Type.Object({ status: Type.Literal('OK'), version: Type.String() }, { title: 'LangfuseHealth' });

const exampleLangfuseError = { message: "Prompt not found: 'support/triage' with label 'production'", error: 'LangfuseNotFoundError' };
export const LangfuseError = objectOf('LangfuseError', exampleLangfuseError, {
  message: Type.String(),
  error: Type.Union([
    Type.String(),
    Type.Array(Type.Object({ path: Type.Array(Type.Union([Type.String(), Type.Integer()])), message: Type.String() })),
  ]),
});
