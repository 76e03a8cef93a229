import { type Static, Type } from 'typebox';
import { CaseCheck } from './cases.ts';
import { ChangedCases, HistoryEntry, Overridden } from './history.ts';
import { Label } from './labels.ts';
import {
  maxAccountNameLength,
  maxCaseChecks,
  maxDescriptionLength,
  maxPromptNameLength,
  maxTagLength,
  maxTags,
  maxVersionMessageLength,
} from './limits.ts';
import { Via } from './people.ts';
import { promptNamePattern } from './prompt-names.ts';
import { AppliedProposal } from './proposals.ts';
import { NewRelease, RecordedRelease, releaseCauses } from './releases.ts';
import { Variables } from './render.ts';
import { exactObject, objectOf, orNull, queryOf } from './shapes.ts';
import { Output, Tools } from './tools.ts';
import { exportFormat, exportVersion } from './transfer-format.ts';
import { VariableDeclarations } from './variables.ts';
import { Config, Messages, PromptType, Template, TemplateSyntax } from './versions.ts';

// This file describes the lines of an export. Their fields are written in this order, so that the same state always gives the same bytes.

const Time = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$' });
/** The maximum is far below the largest integer, because new versions continue from the highest number in the import. */
const VersionNumber = Type.Integer({ minimum: 1, maximum: 100_000_000 });
const EventId = Type.String({ pattern: '^e_[0-9a-z]{1,20}_[0-9a-z]{1,60}$' });
const CaseId = Type.String({ pattern: '^c_[0-9a-z]{1,20}_[0-9a-z]{1,60}$' });

/** An author's name. A person with the same name in this service may be someone else. */
const Author = exactObject({ name: Type.String({ maxLength: maxAccountNameLength * 2 }), via: Type.Optional(Via) });
export type Author = Static<typeof Author>;

export const FormatLine = exactObject({ format: Type.Literal(exportFormat), version: Type.Literal(exportVersion) });

const { control, arms, rules, metric, guards, steps, minUnits, everyMinutes, onRegression } = NewRelease.properties;
/**
 * A release that has not ended. The salt is exported, so that every key keeps its version. The id is not exported, because the results of
 * the imported release are measured separately.
 */
const ReleaseOfLabel = exactObject({
  label: Label,
  state: Type.Enum(['running', 'paused']),
  cause: orNull(Type.Enum([...releaseCauses])),
  salt: Type.String({ pattern: '^[!-~]{1,100}$' }),
  ...{ control, arms, rules, metric, guards, steps, minUnits, everyMinutes, onRegression },
  startedAt: Time,
  changedAt: Time,
});
export type ReleaseOfLabel = Static<typeof ReleaseOfLabel>;

export const PromptLine = exactObject({
  kind: Type.Literal('prompt'),
  name: Type.String({ minLength: 1, maxLength: maxPromptNameLength, pattern: promptNamePattern }),
  type: PromptType,
  description: Type.String({ maxLength: maxDescriptionLength }),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: maxTagLength }), { maxItems: maxTags, uniqueItems: true }),
  labels: Type.Record(Label, VersionNumber, { maxProperties: 20, additionalProperties: false }),
  releases: Type.Optional(Type.Array(ReleaseOfLabel, { maxItems: 20 })),
  // The highest version number that was ever used.
  lastVersion: VersionNumber,
  lastEvent: orNull(EventId),
  createdAt: Time,
  updatedAt: Time,
});
export type PromptLine = Static<typeof PromptLine>;

const versionFields = { kind: Type.Literal('version'), version: VersionNumber, syntax: TemplateSyntax };

export const VersionLine = exactObject({
  ...versionFields,
  template: Type.Optional(Template),
  messages: Type.Optional(Messages),
  variables: Type.Optional(VariableDeclarations),
  tools: Type.Optional(Tools),
  output: Type.Optional(Output),
  config: Config,
  message: Type.String({ maxLength: maxVersionMessageLength }),
  createdAt: Time,
  by: Author,
});
export type VersionLine = Static<typeof VersionLine>;

export const DeletedVersionLine = exactObject({ ...versionFields, createdAt: Time, by: Author, deletedAt: Time });
export type DeletedVersionLine = Static<typeof DeletedVersionLine>;

export const CaseLine = exactObject({
  kind: Type.Literal('case'),
  id: CaseId,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  variables: Variables,
  checks: Type.Array(CaseCheck, { maxItems: maxCaseChecks }),
  createdAt: Time,
  updatedAt: Time,
});
export type CaseLine = Static<typeof CaseLine>;

const VersionOrName = Type.Union([Type.String({ maxLength: maxPromptNameLength }), VersionNumber]);

const EventDetail = exactObject({
  version: Type.Optional(VersionNumber),
  message: Type.Optional(Type.String({ maxLength: maxVersionMessageLength })),
  label: Type.Optional(Label),
  from: Type.Optional(Type.Union([...VersionOrName.anyOf, Type.Null()])),
  to: Type.Optional(VersionOrName),
  override: Type.Optional(Type.String({ maxLength: 500 })),
  overridden: Type.Optional(Overridden),
  release: Type.Optional(RecordedRelease),
  proposal: Type.Optional(exactObject(AppliedProposal.properties)),
  cases: Type.Optional(ChangedCases),
  workspace: Type.Optional(Type.String({ maxLength: maxAccountNameLength * 2 })),
  copied: Type.Optional(Type.Literal(true)),
});

export const EventLine = exactObject({
  kind: Type.Literal('event'),
  id: EventId,
  type: HistoryEntry.properties.type,
  at: Time,
  by: exactObject({ ...Author.properties, via: Via }),
  detail: EventDetail,
});
export type EventLine = Static<typeof EventLine>;

/** A prompt and the lines that belong to it, in one request. */
export interface PromptLines {
  prompt: PromptLine;
  versions: VersionLine[];
  deletedVersions: DeletedVersionLine[];
  cases: CaseLine[];
  events: EventLine[];
}

export const ImportQuery = queryOf({
  dryRun: Type.Literal('true', { description: 'Reports what an import would do, without importing anything. Quotas are not checked.' }),
  replace: Type.Literal('true', {
    description:
      'If an existing prompt is in conflict, moves it to the bin and imports the prompt of the request in its place, in one transaction ' +
      'per prompt.',
  }),
});

const ImportStatus = Type.Enum(['created', 'completed', 'replaced', 'unchanged', 'conflict'], {
  description:
    '`created`: there was no prompt with this name. `completed`: missing parts were added, because nobody had changed the prompt here ' +
    'since its last import. `replaced`: the existing prompt was moved to the bin. `unchanged`: the existing prompt already has all ' +
    'content of the export. `conflict`: the prompt was not imported, and `reason` says why.',
});
export type ImportStatus = Static<typeof ImportStatus>;

const exampleImportedPrompt = { name: 'support/triage', status: 'created' };
const ImportedPrompt = objectOf('ImportedPrompt', exampleImportedPrompt, {
  name: Type.String(),
  status: ImportStatus,
  reason: Type.Optional(Type.String()),
  replaceable: Type.Optional(
    Type.Boolean({
      description:
        'Present if a prompt with the same name exists, so that you can import this one under another name. True if `replace` would also ' +
        'resolve the conflict.',
    }),
  ),
});
export type ImportedPrompt = Static<typeof ImportedPrompt>;

const exampleImportedPrompts = { data: [{ name: 'support/triage', status: 'created' }] };
export const ImportedPrompts = objectOf('ImportedPrompts', exampleImportedPrompts, {
  data: Type.Array(ImportedPrompt, { description: 'The results, in the order of the request.' }),
});
export type ImportedPrompts = Static<typeof ImportedPrompts>;
