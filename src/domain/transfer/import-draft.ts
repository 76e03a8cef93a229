import type {
  Author,
  CaseLine,
  DeletedVersionLine,
  EventLine,
  ImportedPrompt,
  PromptLine,
  PromptLines,
  ReleaseOfLabel,
  VersionLine,
} from '../../contract/transfer.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CaseRecord } from '../../store/models/cases.ts';
import type { ImportedEvent, ImportedVersion } from '../../store/prompts/import.ts';
import type { Reference } from '../../store/prompts/references.ts';
import type { Actor } from '../actor.ts';
import { parseCase, toRecord } from '../cases/cases.ts';
import { assertMovable } from '../prompts/labels/labels.ts';
import { assertTexts, parseName } from '../prompts/prompts.ts';
import { type AnalyzedVersion, analyzeVersion, referencesOf } from '../prompts/versions/save-version.ts';
import { assertPlainText, serializeContent } from '../prompts/versions/version-content.ts';
import { assertSplit } from '../releases/releases.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { toImportedPlan } from './put-releases.ts';

/** The lines of a prompt, validated and analyzed, in the form in which they are stored. */
export interface ImportDraft {
  prompt: PromptLine;
  versions: DraftVersion[];
  cases: CaseRecord[];
  events: ImportedEvent[];
  /** Whether the draft contains the last part of the prompt. If false, another draft follows. */
  isLast: boolean;
}

export interface DraftVersion extends ImportedVersion {
  references: Reference[];
}

/**
 * Checks the rules that the schemas of the lines cannot express. The checks run before the transaction, to keep the transaction short.
 * Content that cannot be stored is a conflict.
 */
export async function prepareImport(
  ctx: WithTemplates,
  actor: Actor,
  lines: PromptLines,
): Promise<ImportDraft | { conflict: ImportedPrompt }> {
  const { prompt } = lines;
  try {
    assertPrompt(prompt);
    const versions: DraftVersion[] = [];
    for (const line of lines.versions) versions.push(await named(`version ${line.version}`, () => toVersion(ctx, actor, prompt, line)));
    for (const line of lines.deletedVersions) versions.push(await named(`version ${line.version}`, async () => toDeletedVersion(line)));
    const cases: CaseRecord[] = [];
    for (const line of lines.cases) cases.push(await named(`test case "${line.name}"`, () => toCaseRecord(ctx, actor, line)));
    const events: ImportedEvent[] = [];
    for (const line of lines.events) events.push(await named(`history entry ${line.id}`, async () => toEvent(line)));
    return { prompt, versions, cases, events, isLast: true };
  } catch (err) {
    if (!(err instanceof AppError) || (err.status !== 400 && err.status !== 422)) throw err;
    return { conflict: { name: prompt.name, status: 'conflict', reason: describe(err) } };
  }
}

function assertPrompt(prompt: PromptLine): void {
  if (parseName(prompt.name) !== prompt.name) throw invalidField('/name', 'Use composed characters (Unicode NFC)');
  assertTexts(prompt);
  for (const label of Object.keys(prompt.labels)) assertMovable('/labels', label);
  for (const [index, release] of (prompt.releases ?? []).entries()) assertRelease(prompt, release, index);
  assertTimes(prompt.createdAt, prompt.updatedAt);
}

function assertRelease({ labels, releases = [] }: PromptLine, release: ReleaseOfLabel, index: number): void {
  const { label, control, startedAt, changedAt } = release;
  const path = `/releases/${index}`;
  if (labels[label] !== control) throw invalidField(`${path}/control`, `Use the version at the label "${label}"`);
  if (releases.findIndex((other) => other.label === label) !== index) throw invalidField(`${path}/label`, 'List each label once');
  assertSplit(release);
  toImportedPlan(release);
  assertTimes(startedAt, changedAt);
}

async function toVersion(ctx: WithTemplates, actor: Actor, { type, lastVersion }: PromptLine, line: VersionLine): Promise<DraftVersion> {
  assertNumber(line.version, lastVersion);
  assertTimes(line.createdAt);
  const { content, config, message, analysis } = await analyze(ctx, actor, { ...line, type });
  return {
    version: line.version,
    syntax: content.syntax,
    content: serializeContent(content),
    config,
    variables: JSON.stringify(analysis.variables),
    partials: JSON.stringify(analysis.partials),
    message,
    createdAt: line.createdAt,
    deletedAt: null,
    ...toAuthor(line.by),
    references: referencesOf(analysis),
  };
}

/** Analyzes a version. A mustache version may come from Langfuse, which accepts any text. */
async function analyze(ctx: WithTemplates, actor: Actor, line: VersionLine & Pick<PromptLine, 'type'>): Promise<AnalyzedVersion> {
  const { type, syntax, template, messages, variables, tools, output, config, message } = line;
  const input = { type, syntax, template, messages, variables, tools, output, config, message };
  if (syntax === 'liquid') return analyzeVersion(ctx, actor, input);
  return analyzeVersion(ctx, actor, input).catch((err: unknown) => {
    if (err instanceof AppError && err.status === 400) return analyzeVersion(ctx, actor, input, { isForeign: true });
    throw err;
  });
}

/** Returns a deleted version in the form that `erase` produces. */
function toDeletedVersion({ version, syntax, createdAt, deletedAt, by }: DeletedVersionLine): DraftVersion {
  assertTimes(createdAt, deletedAt);
  const erased = { content: '', config: '{}', variables: '[]', partials: '[]', message: '' };
  return { version, syntax, ...erased, createdAt, deletedAt, ...toAuthor(by), references: [] };
}

async function toCaseRecord(ctx: WithTemplates, actor: Actor, line: CaseLine): Promise<CaseRecord> {
  const { id, createdAt, updatedAt } = line;
  assertTimes(createdAt, updatedAt);
  const content = await parseCase(ctx, actor, line, '');
  if (content.name !== line.name) throw invalidField('/name', 'Must not begin or end with a space');
  return { ...toRecord(content, ''), id, createdAt, updatedAt };
}

function toEvent({ id, type, at, by, detail }: EventLine): ImportedEvent {
  assertTimes(at);
  const missing = detailFields[type].find((field) => detail[field] === undefined);
  if (missing !== undefined) throw invalidField(`/detail/${missing}`, 'Required');
  for (const [field, text] of Object.entries({ ...detail, cases: detail.cases?.name })) {
    if (typeof text === 'string') assertPlainText(`/detail/${field}`, text);
  }
  assertPlainText('/by/name', by.name);
  return { id, type, at, detail: JSON.stringify(detail), byName: by.name, byVia: by.via };
}

/** The fields that the detail of a history entry must have, because readers rely on them. */
const detailFields: Record<EventLine['type'], (keyof EventLine['detail'])[]> = {
  created: ['version'],
  version_saved: ['version'],
  version_deleted: ['version'],
  label_moved: ['label', 'to'],
  label_removed: ['label', 'from'],
  release_started: ['label', 'release'],
  release_widened: ['label', 'release'],
  release_paused: ['label', 'release'],
  release_resumed: ['label', 'release'],
  release_rolled_back: ['label', 'release'],
  release_finished: ['label', 'release'],
  renamed: ['from', 'to'],
  described: [],
  deleted: [],
  restored: [],
  cases_changed: ['cases'],
  copied: ['from', 'workspace'],
  moved_in: ['from', 'workspace'],
  moved_out: ['to', 'workspace'],
};

function toAuthor({ name, via }: Author): Pick<ImportedVersion, 'byName' | 'byVia'> {
  assertPlainText('/by/name', name);
  return { byName: name, byVia: via ?? null };
}

function assertNumber(version: number, lastVersion: number): void {
  if (version > lastVersion) throw invalidField('/version', `The last version in the export is ${lastVersion}`);
}

function assertTimes(...times: string[]): void {
  for (const time of times) {
    const date = new Date(time);
    if (Number.isNaN(date.getTime()) || date.toISOString() !== time) throw invalidField('', `${time} is not a valid time`);
  }
}

/** Adds the subject of an error, such as `version 3`, to the text of the error. */
async function named<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (!(err instanceof AppError) || (err.status !== 400 && err.status !== 422)) throw err;
    throw new AppError(err.code, { text: `${what}: ${describe(err)}`, cause: err });
  }
}

function describe({ message, details: [detail] = [] }: AppError): string {
  if (!detail) return message;
  const at = detail.line === undefined ? '' : ` (line ${detail.line}, column ${detail.column})`;
  return `${detail.path.slice(1)}${detail.path === '' ? '' : ': '}${detail.message}${at}`;
}
