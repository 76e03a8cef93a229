import { productionLabel } from '../../contract/label-names.ts';
import { findNameProblem, normalizeName } from '../../contract/prompt-names.ts';
import type { CreatedPrompt, NewPrompt, Prompt, PromptChange, RestoreRequest } from '../../contract/prompts.ts';
import type { Warning } from '../../contract/warnings.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptOverview, PromptRecord } from '../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../store/prompts/version-rows.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { newId } from '../ids.ts';
import { endReleases } from '../releases/release-states.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from './change-prompts.ts';
import { type Change, recordEvent, toAuthor } from './history.ts';
import { assertRenamable, assertRestorable } from './labels/authorize-move.ts';
import { assertNoWarnings, findRemovalWarnings } from './labels/move-warnings.ts';
import { assertNotPinned } from './labels/pinned-includes.ts';
import { assertLabelsAllowed, assertPromptAllowed } from './labels/protected-labels.ts';
import { getPromptRecord, toStoredName } from './prompt-records.ts';
import { type AnalyzedVersion, findDraftWarnings, insertVersion, prepareVersion, toSavedVersion } from './versions/save-version.ts';
import { assertPlainText } from './versions/version-content.ts';

const binDays = 30;
const maxSummaries = 20;
const maxClockSkewMs = 60 * 60 * 1000;
const createUnlabeled = 'Send "labels": [] to create the prompt without labels.';

/** Creates a prompt and its first version, which gets the label `production` unless `labels` lists other labels. */
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
    if (isRenamed) await assertRenamable(stores, actor, prompt);
    if (isRenamed) await assertNotPinned(stores, actor, { name: newName, act: `give a prompt the name "${newName}"` });
    // Without this check, an earlier prompt with the old name could be restored in the place of the renamed prompt.
    if (isRenamed) await assertNotPinned(stores, actor, { name: prompt.name, act: `rename "${prompt.name}"` });
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
 * Moves a prompt to the bin, where it stays for 30 days. If another prompt fails without it, returns a warning, or refuses the deletion if
 * the caller is strict.
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

/** Moves a prompt to the bin, inside a transaction. `change` is the history entry, if the prompt is not simply deleted. */
export async function moveToBin(
  stores: PromptChangeStores,
  actor: Actor,
  prompt: PromptRecord,
  change: Change = { type: 'deleted' },
): Promise<void> {
  const act = change.type === 'moved_out' ? 'move' : 'delete';
  await assertPromptAllowed(stores, actor, { promptId: prompt.id, to: `${act} a prompt that has it` });
  await endReleases(stores, toAuthor(actor), prompt);
  await stores.prompts.update(actor.workspaceId, prompt.id, { deletedAt: new Date().toISOString(), updatedAt: prompt.updatedAt });
  recordEvent(stores, actor, prompt, change);
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
    const overridden = await assertRestorable(stores, actor, prompt, override);
    if (await stores.prompts.find(workspaceId, prompt.name)) throw new AppError('name_taken');
    await stores.prompts.update(workspaceId, prompt.id, { deletedAt: null, updatedAt: new Date().toISOString() });
    recordEvent(stores, actor, prompt, { type: 'restored', ...overridden });
    return describePrompt(stores, actor, await getPromptRecord(stores, actor, name));
  });
}

/** Permanently removes a batch of prompts that have been in the bin for 30 days. Returns false if there are none. */
export async function emptyBins(ctx: WithStore, now: Date): Promise<boolean> {
  // Prompts are removed only some time after they can no longer be restored, because an instance with a slow clock may still restore them.
  return ctx.store.removeExpiredPrompts(new Date(binStart(now).getTime() - maxClockSkewMs));
}

/**
 * Returns the time of deletion that a prompt has while it is being copied. This time is slightly earlier than the time of deletion of any
 * prompt in the bin, so nobody can see or restore the prompt, not even on an instance with a slow clock. If the copy is interrupted,
 * housekeeping soon removes the prompt like any expired prompt in the bin.
 */
export function stagingTime(now: Date): string {
  return new Date(binStart(now).getTime() - maxClockSkewMs / 2).toISOString();
}

/** Prompts that were deleted before this time can no longer be restored. */
export function binStart(now: Date): Date {
  return new Date(now.getTime() - binDays * 24 * 60 * 60 * 1000);
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

export function toPrompt(overview: PromptOverview): Prompt {
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
