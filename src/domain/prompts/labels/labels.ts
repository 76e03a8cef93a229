import { isLabel, latestLabel } from '../../../contract/label-names.ts';
import type { Version } from '../../../contract/versions.ts';
import { invalidField, labelNotFound, versionNotFound } from '../../../errors.ts';
import type { PromptRecord } from '../../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../../store/prompts/version-rows.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from '../change-prompts.ts';
import { recordEvent } from '../history.ts';
import { getPromptRecord } from '../prompt-records.ts';
import { presentVersion } from '../versions/present-version.ts';
import { assertPlainText } from '../versions/version-content.ts';
import { assertChecksPassed } from './gated-labels.ts';
import { assertLabelsAllowed } from './protected-labels.ts';

const maxLabels = 20;

/** Points a label at a version, which deploys a prompt or rolls it back. */
export async function moveLabel(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { name, label, version, override }: { name: string; label: string; version: number; override?: string | undefined },
): Promise<Version> {
  assertMovable('/label', label);
  assertPlainText('/override', override);
  return presentVersion(ctx.store, actor, await moveLabels(ctx, actor, { name, labels: [label], version, override }));
}

/** The same for several labels of a prompt at once. */
export async function moveLabels(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { name, labels, version, override }: { name: string; labels: string[]; version: number; override?: string | undefined },
): Promise<{ prompt: PromptRecord; record: VersionRecord; labels: Map<string, number> }> {
  const { workspaceId } = actor;
  return changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const record = await stores.versions.find(workspaceId, prompt.id, version);
    if (!record) throw versionNotFound(version);
    const current = await stores.labels.list(workspaceId, prompt.id);
    for (const label of labels) await putLabel(stores, actor, { ...prompt, labels: current }, { label, version, by: 'move', override });
    await stores.prompts.update(workspaceId, prompt.id, { updatedAt: new Date().toISOString() });
    return { prompt, record, labels: current };
  });
}

/** Removes a label from the version it points at. */
export async function removeLabel(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { name, label }: { name: string; label: string },
): Promise<void> {
  const { workspaceId } = actor;
  await changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    assertLabelsAllowed(stores, actor, { labels: [label], to: 'remove it' });
    const version = (await stores.labels.list(workspaceId, prompt.id)).get(label);
    if (version === undefined) throw labelNotFound(label);
    await stores.labels.delete(workspaceId, prompt.id, label);
    recordEvent(stores, actor, prompt, { type: 'label_removed', label, from: version });
    await stores.prompts.update(workspaceId, prompt.id, { updatedAt: new Date().toISOString() });
  });
}

/** Points a label at a version and records it, also in `labels`, unless it already points there. Runs inside a transaction. */
export async function putLabel(
  stores: PromptChangeStores,
  actor: Actor,
  { labels, ...prompt }: { id: string; name: string; labels: Map<string, number> },
  { label, version, by, override }: { label: string; version: number; by: 'move' | 'save'; override?: string | undefined },
): Promise<void> {
  assertLabelsAllowed(stores, actor, { labels: [label], to: 'move it' });
  const from = labels.get(label) ?? null;
  if (from === version) return;
  if (from === null && labels.size >= maxLabels) throw invalidField('/labels', `A prompt has at most ${maxLabels} labels`);
  const reason = await assertChecksPassed(stores, actor, { prompt, label, version, by, override });
  await stores.labels.put(actor.workspaceId, prompt.id, label, version);
  labels.set(label, version);
  const overridden = reason === undefined ? {} : { override: reason };
  recordEvent(stores, actor, prompt, { type: 'label_moved', label, from, to: version, ...overridden });
}

/** Rejects what no label can be, where the shape of a request does not. */
export function assertLabels(path: string, labels: string[]): void {
  for (const [index, label] of labels.entries()) {
    assertMovable(`${path}/${index}`, label);
    if (!isLabel(label)) {
      throw invalidField(`${path}/${index}`, 'Use 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a letter or digit');
    }
  }
}

/** Rejects `latest`, which is computed and not stored. */
export function assertMovable(path: string, label: string): void {
  if (label === latestLabel) throw invalidField(path, 'latest always points at the newest version and cannot be set');
}
