import { findPinnedVersion, isLabel } from '../../../contract/label-names.ts';
import type { ServicePerson } from '../../../contract/people.ts';
import type { AppliedProposal } from '../../../contract/proposals.ts';
import type { NewVersion, Version } from '../../../contract/versions.ts';
import type { Warning } from '../../../contract/warnings.ts';
import type { PromptRecord } from '../../../store/prompts/prompts.ts';
import type { Reference } from '../../../store/prompts/references.ts';
import type { VersionRecord } from '../../../store/prompts/version-rows.ts';
import type { WithStore } from '../../../store/store.ts';
import { type Actor, toPerson } from '../../actor.ts';
import type { WithRecorder } from '../../statistics/usage-recorder.ts';
import { type Analysis, includeKey } from '../../templates/template-types.ts';
import type { WithTemplates } from '../../templates/templates.ts';
import type { PromptChangeStores } from '../change-prompts.ts';
import { recordEvent } from '../history.ts';
import { unresolvedInclude } from '../includes/include-problems.ts';
import { type ResolvedIncludes, resolveIncludes } from '../includes/resolve-includes.ts';
import { assertMovable, putLabel } from '../labels/labels.ts';
import { assertNoWarnings, findMoveWarnings, toWarning } from '../labels/move-warnings.ts';
import { assertNotPinned } from '../labels/pinned-includes.ts';
import { toStoredName } from '../prompt-records.ts';
import type { Content } from '../render/rendered.ts';
import { toVersion } from './present-version.ts';
import { analyzeContent, assertPlainText, type ContentInput, parseContent, serializeConfig, serializeContent } from './version-content.ts';

/** A version to save. `type` is the type of the prompt, if it already exists. */
type VersionInput = Omit<NewVersion, 'baseVersion'> & Pick<ContentInput, 'type'>;

/** A version that is validated and analyzed, but has no number yet. */
export interface AnalyzedVersion {
  content: Content;
  config: string;
  message: string;
  labels: string[];
  analysis: Analysis;
}

/** An analyzed version, together with the results that depend on other prompts. */
export interface VersionDraft extends AnalyzedVersion {
  includes: ResolvedIncludes;
}

/**
 * Validates and analyzes a version before the transaction, to keep the transaction short. A foreign version is rendered by other programs,
 * so any text is valid, but the prompts that it includes must exist.
 */
export async function prepareVersion(
  ctx: WithStore & WithTemplates,
  actor: Actor,
  name: string,
  input: VersionInput,
  { isForeign = false } = {},
): Promise<VersionDraft> {
  const analyzed = await analyzeVersion(ctx, actor, input, { isForeign });
  const { analysis, content } = analyzed;
  const includes = await resolveIncludes(ctx.store, actor, { name, syntax: content.syntax, analysis });
  // A foreign version may have any number of variables, because other programs do not limit them.
  const problem = isForeign ? includes.problems.find(({ kind }) => kind !== 'too_many_variables') : undefined;
  if (problem) throw unresolvedInclude(problem);
  return { ...analyzed, includes };
}

/** Validates and analyzes a version without reading other prompts. */
export async function analyzeVersion(
  ctx: WithTemplates,
  actor: Actor,
  input: VersionInput,
  { isForeign = false } = {},
): Promise<AnalyzedVersion> {
  const content = parseContent(input);
  const config = serializeConfig(input.config);
  assertPlainText('/message', input.message);
  const { labels = [] } = input;
  for (const label of labels) assertMovable('/labels', label);
  const analysis = await analyzeContent(ctx, actor, content, { isForeign });
  return { content, config, message: input.message ?? '', labels, analysis };
}

/** Returns warnings about problems of a draft, and about what would fail at its labels. If the caller is strict, throws instead. */
export async function findDraftWarnings(
  ctx: WithStore & WithRecorder,
  actor: Actor,
  draft: VersionDraft,
  { promptId, name, isStrict }: { promptId: string | undefined; name: string; isStrict: boolean },
): Promise<Warning[]> {
  const { includes, labels, analysis, content } = draft;
  const current = promptId === undefined ? new Map<string, number>() : await ctx.store.labels.list(actor.workspaceId, promptId);
  const failing = await findMoveWarnings(ctx, actor, { promptId, name, ...draft, current });
  if (isStrict) assertNoWarnings(failing);
  return [
    ...(labels.length === 0 ? includes.problems.map(toWarning) : failing),
    ...analysis.unused.map((variable) => toUnused(variable, content)),
  ];
}

function toUnused(name: string, { variables = [] }: Content): Warning {
  const isDeclared = variables.some((variable) => variable.name === name);
  return {
    code: 'unused_variable',
    message: `"${name}" is ${isDeclared ? 'declared but not used in any template' : 'assigned but never used'}`,
  };
}

/** Returns, in the shape of the API, a version that was just inserted. */
export function toSavedVersion(prompt: PromptRecord, record: VersionRecord, { labels, includes }: VersionDraft): Version {
  return toVersion({ prompt, record, labels: new Map(labels.map((label) => [label, record.version])) }, includes.variables);
}

/** Who wrote a version that someone else saves, and the proposal with which it is saved. */
export interface Origin {
  author?: ServicePerson | undefined;
  authors?: string[] | undefined;
  proposal?: AppliedProposal | undefined;
}

/** Inserts a version as the prompt's latest version, moves its labels to it, and records both changes. Runs inside a transaction. */
export async function insertVersion(
  stores: PromptChangeStores,
  actor: Actor,
  prompt: PromptRecord,
  { analysis, content, config, message, labels }: AnalyzedVersion,
  { createdAt, labels: current, author = toPerson(actor), authors, proposal }: { createdAt: string; labels: Map<string, number> } & Origin,
): Promise<VersionRecord> {
  const record: VersionRecord = {
    promptId: prompt.id,
    version: prompt.latestVersion,
    syntax: content.syntax,
    content: serializeContent(content),
    config,
    variables: JSON.stringify(analysis.variables),
    partials: JSON.stringify(analysis.partials),
    message,
    createdAt,
    by: author,
    authors,
  };
  const act = `save version ${record.version} of "${prompt.name}"`;
  await assertNotPinned(stores, actor, { name: prompt.name, version: record.version, act });
  await stores.versions.insert(actor.workspaceId, record);
  await stores.references.insert(actor.workspaceId, prompt.id, record.version, referencesOf(analysis));
  const saved = { version: record.version, message, ...(proposal && { proposal }) };
  if (record.version > 1) recordEvent(stores, actor, prompt, { type: 'version_saved', ...saved });
  for (const label of labels) await putLabel(stores, actor, { ...prompt, labels: current }, { label, version: record.version, by: 'save' });
  return record;
}

/** Lists each included prompt once per label. Names that no prompt can have are left out, because a template may contain anything. */
export function referencesOf({ partials }: Analysis): Reference[] {
  const isTarget = (label: string) => isLabel(label) || findPinnedVersion(label) !== undefined;
  const possible = partials.filter(({ name, label }) => toStoredName(name) !== undefined && isTarget(label));
  return [...new Map(possible.map(({ name, label }) => [includeKey({ name, label }), { name, label }])).values()];
}
