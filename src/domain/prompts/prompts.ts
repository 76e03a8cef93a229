import { productionLabel } from '../../contract/label-names.ts';
import { defaultPageLimit, type Page } from '../../contract/lists.ts';
import type { Person } from '../../contract/people.ts';
import { findNameProblem, normalizeName } from '../../contract/prompt-names.ts';
import type {
  CreatedPrompt,
  ListedPrompt,
  NewPrompt,
  Prompt,
  PromptChange,
  PromptListQuery,
  RestoreRequest,
} from '../../contract/prompts.ts';
import type { Version } from '../../contract/versions.ts';
import type { Warning } from '../../contract/warnings.ts';
import { AppError, invalidField } from '../../errors.ts';
import { type PromptQuery, positionOf } from '../../store/prompts/prompt-query.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptOverview, PromptRecord } from '../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../store/prompts/version-rows.ts';
import type { ReadingStores, WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';
import { newId } from '../ids.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from './change-prompts.ts';
import { recordEvent } from './history.ts';
import type { VersionReader } from './includes/load-includes.ts';
import { assertRestorable } from './labels/gated-labels.ts';
import { assertNoWarnings, findRemovalWarnings } from './labels/move-warnings.ts';
import { assertLabelsAllowed, assertPromptAllowed } from './labels/protected-labels.ts';
import { parseFolder } from './overview.ts';
import { getPromptRecord, toStoredName } from './prompt-records.ts';
import { readUsage } from './usage.ts';
import { presentVersions } from './versions/present-version.ts';
import { type AnalyzedVersion, findDraftWarnings, insertVersion, prepareVersion, toSavedVersion } from './versions/save-version.ts';
import { assertPlainText } from './versions/version-content.ts';

const binDays = 30;
const maxSummaries = 20;
const maxClockSkewMs = 60 * 60 * 1000;
const createUnlabeled = 'Send "labels": [] to create it without labels.';

/** Creates a prompt and its first version, which gets the label `production` unless `labels` lists others. */
export async function createPrompt(
  ctx: WithStore & WithTemplates & WithChanges & WithRecorder,
  actor: Actor,
  input: NewPrompt,
  { isStrict = false } = {},
): Promise<CreatedPrompt> {
  const { description = '', tags = [] } = input;
  const name = parseName(input.name);
  assertTexts({ description, tags });
  const draft = await prepareVersion(ctx, actor, name, { ...input, labels: input.labels ?? [productionLabel] });
  const warnings = await findDraftWarnings(ctx, actor, draft, { promptId: undefined, name, isStrict });
  return changePrompts(ctx, actor, async (stores, actor) => {
    const { prompt, record } = await insertPrompt(stores, actor, { name, description, tags, draft });
    const version = toSavedVersion(prompt, record, draft);
    return { ...(await describePrompt(stores, actor, prompt)), version, warnings };
  });
}

/** Inserts a prompt with its first version. Runs inside a transaction. */
export async function insertPrompt(
  stores: PromptChangeStores,
  actor: Actor,
  { name, description, tags, draft }: { name: string; description: string; tags: string[]; draft: AnalyzedVersion },
): Promise<{ prompt: PromptRecord; record: VersionRecord }> {
  assertLabelsAllowed(stores, actor, { labels: draft.labels, to: 'create a prompt with it', instead: createUnlabeled });
  const now = new Date().toISOString();
  const times = { createdAt: now, updatedAt: now, deletedAt: null };
  const prompt = { id: newId('p'), name, type: draft.content.type, description, latestVersion: 1, ...times };
  if (!(await stores.prompts.insert(actor.workspaceId, prompt))) throw new AppError('name_taken');
  if (tags.length > 0) await stores.prompts.replaceTags(actor.workspaceId, prompt.id, tags);
  recordEvent(stores, actor, prompt, { type: 'created', version: 1, message: draft.message });
  return { prompt, record: await insertVersion(stores, actor, prompt, draft, { createdAt: now, labels: new Map() }) };
}

/** Lists a page of the workspace's prompts, with the labeled version of each if the query includes content. */
export async function listPrompts(ctx: WithStore, actor: Actor, query: PromptListQuery): Promise<Page<ListedPrompt>> {
  const { include, sort = 'name', limit = defaultPageLimit, label = productionLabel } = query;
  const deleted = query.deleted === 'true';
  const kind = deleted ? 'bin' : sort;
  const filter = { ...parseFilter(query, kind), sort, deleted, limit: limit + 1 };
  const page = await ctx.store.readSnapshot(actor.workspaceId, (stores) =>
    readPage(stores, actor, filter, { limit, contentLabel: include === 'content' && !deleted ? label : undefined }),
  );
  const ids = page.overviews.map(({ id }) => id);
  const usage = include === 'usage' && !deleted ? await readUsage(ctx, actor, ids) : undefined;
  const deletions = deleted ? await readDeletions(ctx, actor, ids) : undefined;
  const position = page.last && positionOf(page.last, filter);
  return {
    data: page.overviews.map((overview) => ({
      ...toPrompt(overview),
      ...(overview.deletedAt !== null && { deletedAt: overview.deletedAt }),
      ...deletions?.get(overview.id),
      ...(page.versions && { version: page.versions.get(overview.name) ?? null }),
      ...(usage && { usage: usage.get(overview.id) ?? { callsLast24Hours: 0, lastUsedAt: null } }),
    })),
    nextCursor: position ? encodeCursor(kind, [position.value, position.id]) : null,
  };
}

/** Reads when prompts in the bin were deleted. That was their last change, because prompts in the bin cannot change. */
async function readDeletions({ store }: WithStore, { workspaceId }: Actor, ids: string[]): Promise<Map<string, { deletedBy: Person }>> {
  const people = await store.read(workspaceId).history.findLastPeople(workspaceId, ids);
  return new Map([...people].map(([id, deletedBy]) => [id, { deletedBy }]));
}

function parseFilter(query: PromptListQuery, kind: string): Omit<PromptQuery, 'sort' | 'limit'> {
  const { label, tag, name, cursor } = query;
  const search = query.search?.normalize('NFC');
  for (const [path, text] of Object.entries({ search, tag })) assertPlainText(`/${path}`, text);
  const [value, id] = cursor === undefined ? [] : decodeCursor(kind, 2, cursor);
  return {
    after: value === undefined || id === undefined ? undefined : { value, id },
    search,
    tag,
    folder: parseFolder(query.folder),
    label,
    names: name === undefined ? undefined : [name].flat().map(normalizeName),
  };
}

/**
 * Reads a page of prompts, with versions by prompt name if they were requested. `last` is the prompt after which the next page begins, if
 * there is one.
 */
async function readPage(
  stores: ReadingStores,
  actor: Actor,
  filter: PromptQuery,
  { limit, contentLabel }: { limit: number; contentLabel: string | undefined },
) {
  const { workspaceId } = actor;
  const found = await stores.prompts.list(workspaceId, filter);
  if (contentLabel === undefined) {
    const { shown, last } = splitPage(found, limit);
    return { overviews: await stores.prompts.describe(workspaceId, shown), versions: undefined, last };
  }
  const sizes = await stores.versions.listLabeledSizes(workspaceId, found, contentLabel);
  const { shown, last } = splitPage(found, limit, (prompt) => sizes.get(prompt.name) ?? 0);
  const overviews = await stores.prompts.describe(workspaceId, shown);
  const { versions, count } = await findVersions(stores, actor, overviews, contentLabel);
  return { overviews: overviews.slice(0, count), versions, last: count < shown.length ? shown[count - 1] : last };
}

/** Changes a prompt's name, description or tags. */
export async function changePrompt(ctx: WithStore & WithChanges, actor: Actor, name: string, change: PromptChange): Promise<Prompt> {
  // An unchanged name is not validated, because earlier releases allowed names that are invalid today.
  const newName = change.name === undefined || change.name === name ? undefined : parseName(change.name);
  assertTexts(change);
  const { workspaceId } = actor;
  return changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const { description, tags } = change;
    const isRenamed = newName !== undefined && newName !== prompt.name;
    if (isRenamed) await assertPromptAllowed(stores, actor, { promptId: prompt.id, to: 'rename a prompt that has it' });
    if (isRenamed && (await stores.prompts.find(workspaceId, newName))) throw new AppError('name_taken');
    await stores.prompts.update(workspaceId, prompt.id, {
      ...(isRenamed && { name: newName }),
      ...(description !== undefined && { description }),
      updatedAt: new Date().toISOString(),
    });
    if (tags) await stores.prompts.replaceTags(workspaceId, prompt.id, tags);
    if (isRenamed) recordEvent(stores, actor, { id: prompt.id, name: newName }, { type: 'renamed', from: prompt.name, to: newName });
    if (description !== undefined || tags) recordEvent(stores, actor, prompt, { type: 'described' });
    return describePrompt(stores, actor, await getPromptRecord(stores, actor, newName ?? name));
  });
}

/**
 * Moves a prompt to the bin, where it stays for 30 days, and returns a warning if another prompt fails without it. If the caller is strict,
 * that is refused instead.
 */
export async function deletePrompt(
  ctx: WithStore & WithChanges,
  actor: Actor,
  name: string,
  { isStrict = false } = {},
): Promise<Warning[]> {
  return changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const warnings = await findRemovalWarnings(stores, actor, { prompt });
    if (isStrict) assertNoWarnings(warnings);
    await moveToBin(stores, actor, prompt);
    return warnings;
  });
}

/** Moves a prompt to the bin, inside a transaction. */
export async function moveToBin(stores: PromptChangeStores, actor: Actor, prompt: PromptRecord): Promise<void> {
  await assertPromptAllowed(stores, actor, { promptId: prompt.id, to: 'delete a prompt that has it' });
  await stores.prompts.update(actor.workspaceId, prompt.id, { deletedAt: new Date().toISOString(), updatedAt: prompt.updatedAt });
  recordEvent(stores, actor, prompt, { type: 'deleted' });
}

/** Restores the most recently deleted prompt with this name, unless the name is in use again. */
export async function restorePrompt(
  ctx: WithStore & WithChanges,
  actor: Actor,
  name: string,
  { override }: RestoreRequest = {},
): Promise<Prompt> {
  const { workspaceId } = actor;
  assertPlainText('/override', override);
  return changePrompts(ctx, actor, async (stores, actor) => {
    const stored = toStoredName(name);
    const prompt = stored === undefined ? undefined : await stores.prompts.findDeleted(workspaceId, stored, binStart(new Date()));
    if (!prompt) throw new AppError('prompt_not_found');
    await assertPromptAllowed(stores, actor, { promptId: prompt.id, to: 'restore a prompt that has it' });
    const reason = await assertRestorable(stores, actor, prompt, override);
    if (await stores.prompts.find(workspaceId, prompt.name)) throw new AppError('name_taken');
    await stores.prompts.update(workspaceId, prompt.id, { deletedAt: null, updatedAt: new Date().toISOString() });
    recordEvent(stores, actor, prompt, { type: 'restored', ...(reason !== undefined && { override: reason }) });
    return describePrompt(stores, actor, await getPromptRecord(stores, actor, name));
  });
}

/** Permanently removes a batch of prompts that have been in the bin for 30 days. Returns false if there are none. */
export async function emptyBins(ctx: WithStore, now: Date): Promise<boolean> {
  // Prompts are removed later than they can be restored, so that an instance with a slow clock can still restore them.
  return ctx.store.removeExpiredPrompts(new Date(binStart(now).getTime() - maxClockSkewMs));
}

/** Prompts that were deleted before this time can no longer be restored. */
function binStart(now: Date): Date {
  return new Date(now.getTime() - binDays * 24 * 60 * 60 * 1000);
}

/** Finds the labeled versions by prompt name, and how many of the prompts fit into one response with them. */
async function findVersions(
  stores: VersionReader,
  actor: Actor,
  overviews: PromptOverview[],
  label: string,
): Promise<{ versions: Map<string, Version>; count: number }> {
  const found = await stores.versions.listLabeled(actor.workspaceId, overviews, label);
  const recordsByName = new Map(found.map((record) => [record.name, record]));
  const items = overviews.flatMap(({ name, labels }) => {
    const record = recordsByName.get(name);
    return record ? [{ prompt: record, record, labels: new Map(Object.entries(labels)) }] : [];
  });
  const versions = await presentVersions(stores, actor, items);
  const next = items[versions.length]?.prompt.name;
  return {
    versions: new Map(versions.map((version) => [version.name, version])),
    count: next === undefined ? overviews.length : overviews.findIndex(({ name }) => name === next),
  };
}

/** Returns a prompt in the shape of the API, with its tags and labels. */
export async function describePrompt(stores: Pick<PromptStores, 'prompts'>, { workspaceId }: Actor, prompt: PromptRecord): Promise<Prompt> {
  const [overview] = await stores.prompts.describe(workspaceId, [prompt]);
  if (!overview) throw new AppError('prompt_not_found');
  return toPrompt(overview);
}

/** Returns a prompt with its newest versions, without their content. */
export async function getPromptDetails({ store }: WithStore, actor: Actor, name: string) {
  const { workspaceId } = actor;
  const record = await getPromptRecord(store, actor, name);
  const versions = await store.read(workspaceId).versions.listSummaries(workspaceId, record.id, maxSummaries);
  return { ...(await describePrompt(store, actor, record)), versions };
}

function toPrompt(overview: PromptOverview): Prompt {
  const { id, name, type, description, tags, latestVersion, labels, deletedVersions, createdAt, updatedAt } = overview;
  const deleted = deletedVersions.length > 0 && { deletedVersions };
  return { id, name, type, description, tags, latestVersion, labels, ...deleted, createdAt, updatedAt };
}

/** Validates a new name and returns the form in which it is stored. */
export function parseName(text: string): string {
  const name = normalizeName(text);
  const problem = findNameProblem(name);
  if (problem !== undefined) throw invalidField('/name', problem);
  return name;
}

export function assertTexts({ description, tags = [] }: { description?: string | undefined; tags?: string[] | undefined }): void {
  assertPlainText('/description', description);
  tags.forEach((tag, index) => {
    assertPlainText(`/tags/${index}`, tag);
  });
}
