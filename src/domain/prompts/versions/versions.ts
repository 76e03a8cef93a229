import { defaultPageLimit, type Page, type PageQuery } from '../../../contract/lists.ts';
import type { Caller, Split } from '../../../contract/release-assignment.ts';
import type { NewVersion, SavedVersion, Version, VersionChoice } from '../../../contract/versions.ts';
import { AppError } from '../../../errors.ts';
import type { PromptRecord } from '../../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../../store/prompts/version-rows.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { decodeCursor, encodeCursor, invalidCursor, splitPage } from '../../cursors.ts';
import type { ServedPrompt } from '../../statistics/counters.ts';
import type { WithRecorder } from '../../statistics/usage-recorder.ts';
import type { WithTemplates } from '../../templates/templates.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from '../change-prompts.ts';
import { getPromptRecord, resolveVersion } from '../prompt-records.ts';
import { presentVersion, presentVersions } from './present-version.ts';
import { type AnalyzedVersion, findDraftWarnings, insertVersion, type Origin, prepareVersion, toSavedVersion } from './save-version.ts';

/** Returns the version that a label or a number refers to. If a caller is given, a release of the label chooses the version. */
export async function getVersion(
  ctx: WithStore,
  actor: Actor,
  name: string,
  choice: VersionChoice,
  caller?: Caller,
): Promise<{ version: Version; served: ServedPrompt; split: Split | undefined }> {
  const { split, chosen, label, ...resolved } = await resolveVersion(ctx, actor, name, choice, caller);
  const version = await presentVersion(ctx.store, actor, resolved);
  const served = { promptId: resolved.prompt.id, version: version.version, label, release: chosen?.release };
  return { version: chosen ? { ...version, release: chosen.release } : version, served, split };
}

/** Lists a page of a prompt's versions, newest first. */
export async function listVersions(ctx: WithStore, actor: Actor, name: string, query: PageQuery): Promise<Page<Version>> {
  const { limit = defaultPageLimit, cursor } = query;
  const [before] = cursor === undefined ? [] : decodeCursor('versions', 1, cursor);
  if (before !== undefined && !/^\d{1,9}$/.test(before)) throw invalidCursor();
  const page = { before: before === undefined ? undefined : Number(before), limit: limit + 1 };
  return ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const labels = await stores.labels.list(actor.workspaceId, prompt.id);
    const sizes = await stores.versions.listSizes(actor.workspaceId, prompt.id, page);
    const { shown, last } = splitPage(sizes, limit, ({ bytes }) => bytes);
    const numbers = shown.map(({ version }) => version);
    const records = await stores.versions.list(actor.workspaceId, prompt.id, numbers);
    const items = records.map((record) => ({ prompt, record, labels }));
    const data = await presentVersions(stores, actor, items);
    const lastShown = data.length < items.length ? data.at(-1) : last;
    return { data, nextCursor: lastShown ? encodeCursor('versions', [String(lastShown.version)]) : null };
  });
}

/**
 * Saves a new version. If `baseVersion` is given, the new version is saved only if `baseVersion` is still the newest version, so that
 * nobody's work is overwritten unnoticed.
 */
export async function createVersion(
  ctx: WithStore & WithTemplates & WithChanges & WithRecorder,
  actor: Actor,
  name: string,
  { baseVersion, ...input }: NewVersion,
  { isStrict = false } = {},
): Promise<SavedVersion> {
  const { id, type, name: ownName } = await getPromptRecord(ctx.store, actor, name);
  const draft = await prepareVersion(ctx, actor, ownName, { ...input, type });
  const warnings = await findDraftWarnings(ctx, actor, draft, { promptId: id, name: ownName, isStrict });
  return changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    // While the draft was being analyzed, the prompt may have been deleted and created again, even with a different type.
    if (prompt.id !== id) throw promptReplaced();
    const record = await appendVersion(stores, actor, prompt, { draft, baseVersion });
    return { ...toSavedVersion(prompt, record, draft), warnings };
  });
}

/** Creates the error for a prompt that was replaced after the request was prepared. */
export function promptReplaced(): AppError {
  return new AppError('version_conflict', { text: 'The prompt was replaced in the meantime. Reload it and try again.' });
}

/**
 * Adds a version to a prompt, with a number that has never been used. If no author of the content is given, the actor is the author. Runs
 * inside a transaction.
 */
export async function appendVersion(
  stores: PromptChangeStores,
  actor: Actor,
  prompt: PromptRecord,
  { draft, baseVersion, known, ...origin }: { draft: AnalyzedVersion; baseVersion?: number | undefined; known?: KnownVersions } & Origin,
): Promise<VersionRecord> {
  if (baseVersion !== undefined && baseVersion !== prompt.latestVersion) {
    throw new AppError('version_conflict', {
      text:
        baseVersion > prompt.latestVersion
          ? `Version ${baseVersion} does not exist or was deleted. The newest is version ${prompt.latestVersion}.`
          : `Version ${prompt.latestVersion} was saved in the meantime. Compare with it and save again.`,
    });
  }
  const { lastNumber, labels } = known ?? (await findKnownVersions(stores, actor, prompt));
  const latestVersion = lastNumber + 1;
  const createdAt = new Date().toISOString();
  await stores.prompts.update(actor.workspaceId, prompt.id, { latestVersion, updatedAt: createdAt });
  return insertVersion(stores, actor, { ...prompt, latestVersion }, draft, { createdAt, labels, ...origin });
}

/** Facts about earlier versions that are needed to add a new version. */
interface KnownVersions {
  /** The highest number that was ever used, including deleted versions. */
  lastNumber: number;
  labels: Map<string, number>;
}

async function findKnownVersions(
  { versions, labels }: PromptChangeStores,
  { workspaceId }: Actor,
  { id }: PromptRecord,
): Promise<KnownVersions> {
  return { lastNumber: await versions.findLastNumber(workspaceId, id), labels: await labels.list(workspaceId, id) };
}
