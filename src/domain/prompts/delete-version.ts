import { latestLabel, pinOf } from '../../contract/label-names.ts';
import { AppError, invalidField, labelNotFound, versionNotFound } from '../../errors.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { changePrompts, type PromptChangeStores } from './change-prompts.ts';
import { recordEvent } from './history.ts';
import { getPromptRecord } from './prompt-records.ts';
import { moveToBin } from './prompts.ts';
import { assertLabelsAllowed } from './protected-labels.ts';

/**
 * Deletes a version for good: its content is gone, its labels are removed, and its number is never used again. Its statistics and what
 * the history says about it stay.
 */
export async function deleteVersion(ctx: Context, actor: Actor, name: string, version: number): Promise<void> {
  const before = await findBefore(ctx, actor, await getPromptRecord(ctx.store, actor, name), version);
  await changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    if (!(await eraseVersion(stores, actor, { prompt, version, before }))) throw new AppError('last_version');
  });
}

/**
 * Deletes a version as Langfuse does: the one with a number or a label, or the whole prompt, which goes to the bin. So does a prompt
 * whose last version is deleted. Refused while another prompt depends on it.
 */
export async function deletePromptOrVersion(
  ctx: Context,
  actor: Actor,
  name: string,
  choice: { version?: number | undefined; label?: string | undefined },
): Promise<void> {
  const { version, label } = choice;
  if (version !== undefined && label !== undefined) throw invalidField('/version', 'Give either label or version, not both');
  const seen = await getPromptRecord(ctx.store, actor, name);
  const chosen = label === undefined ? version : await findLabeled(ctx.store, actor, seen, label);
  const before = chosen === undefined ? undefined : await findBefore(ctx, actor, seen, chosen);
  await changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const number = label === undefined ? version : await findLabeled(stores, actor, prompt, label);
    if (number !== undefined && (await eraseVersion(stores, actor, { prompt, version: number, before }))) return;
    await assertNotIncluded(stores, actor, prompt);
    await moveToBin(stores, actor, prompt);
  });
}

/** The version before another one, as it was before the transaction. */
interface VersionBefore {
  promptId: string;
  version: number;
  /** Undefined if there is none. */
  number: number | undefined;
}

/**
 * What is `latest` once a version is deleted. Found before the transaction, for which all others wait, because of very many versions
 * nearly all may be deleted. Versions are added only above, so it still holds inside unless that one is deleted meanwhile.
 */
async function findBefore(
  { store }: Context,
  { workspaceId }: Actor,
  { id: promptId, latestVersion }: PromptRecord,
  version: number,
): Promise<VersionBefore | undefined> {
  if (version !== latestVersion) return undefined;
  return { promptId, version, number: await store.versions.findNumberBelow(workspaceId, promptId, version) };
}

async function findLabeled(
  stores: Pick<PromptChangeStores, 'labels'>,
  { workspaceId }: Actor,
  prompt: PromptRecord,
  label: string,
): Promise<number> {
  const labels = await stores.labels.list(workspaceId, prompt.id);
  const version = label === latestLabel ? prompt.latestVersion : labels.get(label);
  if (version === undefined) throw labelNotFound(label);
  return version;
}

/** Returns false, and changes nothing, if it is the only version that is left. Runs inside a transaction. */
async function eraseVersion(
  stores: PromptChangeStores,
  actor: Actor,
  { prompt, version, before }: { prompt: PromptRecord; version: number; before: VersionBefore | undefined },
): Promise<boolean> {
  const { workspaceId } = actor;
  const record = await stores.versions.find(workspaceId, prompt.id, version);
  if (!record) throw versionNotFound(version);
  const labels = [...(await stores.labels.list(workspaceId, prompt.id))].filter(([, at]) => at === version).map(([label]) => label);
  assertLabelsAllowed(stores, actor, { labels, to: 'delete a version that has it' });
  const isLatest = version === prompt.latestVersion;
  const isKnown = before?.promptId === prompt.id && before.version === version;
  const below = isKnown ? (before.number ?? 0) + 1 : version;
  const latestVersion = isLatest ? await stores.versions.findNumberBelow(workspaceId, prompt.id, below) : prompt.latestVersion;
  if (latestVersion === undefined) return false;
  await assertNotIncluded(stores, actor, prompt, new Set([...labels, pinOf(version)]));

  const now = new Date().toISOString();
  for (const label of labels) {
    await stores.labels.delete(workspaceId, prompt.id, label);
    recordEvent(stores, actor, prompt, { type: 'label_removed', label, from: version });
  }
  await stores.references.delete(workspaceId, prompt.id, version);
  await stores.versions.erase(workspaceId, record, now);
  await stores.prompts.update(workspaceId, prompt.id, { latestVersion, updatedAt: now });
  recordEvent(stores, actor, prompt, { type: 'version_deleted', version });
  if (isLatest) stores.changedNames.push({ name: prompt.name, label: latestLabel, prompt });
  return true;
}

const batchPrompts = 100;

/**
 * Throws if another prompt includes this one, at one of the labels if they are given, from a version that is in use. What is included at
 * `latest` is not lost with a version, because `latest` then is the one before.
 */
async function assertNotIncluded(
  { references }: PromptChangeStores,
  { workspaceId }: Actor,
  prompt: PromptRecord,
  labels?: ReadonlySet<string>,
): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await references.listIncluding(workspaceId, prompt.name, { after, limit: batchPrompts });
    const live = await references.listLive(workspaceId, prompt.name, ids);
    const include = live.find(({ promptId, label }) => promptId !== prompt.id && (labels?.has(label) ?? true));
    if (include) {
      const at = include.label.startsWith('@') ? `version ${include.label.slice(1)}` : `the label "${include.label}"`;
      throw new AppError('version_included', { text: `"${include.name}" includes this prompt at ${at}; change that first` });
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < batchPrompts) return;
    after = last;
  }
}
