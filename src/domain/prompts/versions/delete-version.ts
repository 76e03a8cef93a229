import { latestLabel, pinOf } from '../../../contract/label-names.ts';
import { AppError, invalidField, labelNotFound, versionNotFound } from '../../../errors.ts';
import type { PromptRecord } from '../../../store/prompts/prompts.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { assertNotReleased } from '../../releases/release-states.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from '../change-prompts.ts';
import { recordEvent } from '../history.ts';
import { describeInclude, findInclude } from '../includes/find-includes.ts';
import { assertLabelsAllowed } from '../labels/protected-labels.ts';
import { getPromptRecord } from '../prompt-records.ts';
import { moveToBin } from '../prompts.ts';

/**
 * Deletes a version permanently: its content is erased, its labels are removed, and its number is never used again. Its statistics and its
 * history entries stay.
 */
export async function deleteVersion(ctx: WithStore & WithChanges, actor: Actor, name: string, version: number): Promise<void> {
  await eraseChosen(ctx, actor, { name, version, last: 'refused' });
}

/**
 * Deletes in the same way as Langfuse: deletes a version by its number or label, or moves the whole prompt to the bin. A prompt whose last
 * version is deleted also moves to the bin. The deletion is refused while another prompt depends on the version or prompt to delete.
 */
export async function deletePromptOrVersion(
  ctx: WithStore & WithChanges,
  actor: Actor,
  name: string,
  { version, label }: { version?: number | undefined; label?: string | undefined },
): Promise<void> {
  if (version !== undefined && label !== undefined) throw invalidField('/version', 'Send either label or version, not both');
  await eraseChosen(ctx, actor, { name, version, label, last: 'to the bin' });
}

/** A version of a prompt, or the whole prompt if neither a number nor a label is given. */
interface Choice {
  name: string;
  version?: number | undefined;
  label?: string | undefined;
  /** The behavior if this is the only remaining version. */
  last: 'refused' | 'to the bin';
}

async function eraseChosen(ctx: WithStore & WithChanges, actor: Actor, choice: Choice): Promise<void> {
  await changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, choice.name);
    const labels = await stores.labels.list(actor.workspaceId, prompt.id);
    const version = choice.label === undefined ? choice.version : getLabeled(prompt, labels, choice.label);
    if (version !== undefined && (await eraseVersion(stores, actor, { prompt, labels, version }))) return;
    if (version !== undefined && choice.last === 'refused') throw new AppError('last_version');
    await assertNotIncluded(stores, actor, { prompt });
    await moveToBin(stores, actor, prompt);
  });
}

function getLabeled(prompt: PromptRecord, labels: ReadonlyMap<string, number>, label: string): number {
  const version = label === latestLabel ? prompt.latestVersion : labels.get(label);
  if (version === undefined) throw labelNotFound(label);
  return version;
}

/** Deletes a version. Returns false if it is the only remaining version. */
async function eraseVersion(
  stores: PromptChangeStores,
  actor: Actor,
  { prompt, labels: all, version }: { prompt: PromptRecord; labels: ReadonlyMap<string, number>; version: number },
): Promise<boolean> {
  const { workspaceId } = actor;
  const record = await stores.versions.find(workspaceId, prompt.id, version);
  if (!record) throw versionNotFound(version);
  const isLatest = version === prompt.latestVersion;
  const latestVersion = isLatest ? await stores.versions.findNumberBelow(workspaceId, prompt.id, version) : prompt.latestVersion;
  if (latestVersion === undefined) return false;
  const labels = [...all].filter(([, at]) => at === version).map(([label]) => label);
  await assertNotIncluded(stores, actor, { prompt, labels: [...labels, pinOf(version)] });
  assertLabelsAllowed(stores, actor, { labels, to: 'delete a version that has it' });
  await assertNotReleased(stores, { accountId: workspaceId, promptId: prompt.id }, version);
  const now = new Date().toISOString();
  for (const label of labels) {
    await stores.labels.delete(workspaceId, prompt.id, label);
    await stores.releases.delete({ accountId: workspaceId, promptId: prompt.id }, label);
    recordEvent(stores, actor, prompt, { type: 'label_removed', label, from: version });
  }
  await stores.references.delete(workspaceId, prompt.id, version);
  await stores.versions.erase(workspaceId, record, now);
  await stores.comments.deleteOfVersion({ accountId: workspaceId, promptId: prompt.id }, version);
  await stores.prompts.update(workspaceId, prompt.id, { latestVersion, updatedAt: now });
  recordEvent(stores, actor, prompt, { type: 'version_deleted', version });
  if (isLatest) stores.changedNames.push({ name: prompt.name, label: latestLabel, prompt });
  return true;
}

const tooManyText = 'Too many prompts include this one to check them all. First delete the ones that you do not need.';

/**
 * Throws if another prompt includes the given prompt in a version that is in use. If labels are given, only includes at these labels count.
 * An include at `latest` does not count, because `latest` refers to the previous version after the deletion.
 */
async function assertNotIncluded(
  stores: PromptChangeStores,
  { workspaceId }: Actor,
  choice: { prompt: PromptRecord; labels?: string[] },
): Promise<void> {
  const include = await findInclude(stores, workspaceId, choice);
  if (include === undefined) return;
  const text = include === 'unknown' ? tooManyText : `${describeInclude(include)}. Change that prompt first.`;
  throw new AppError('version_included', { text });
}
