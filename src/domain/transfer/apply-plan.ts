import type { EventType } from '../../contract/events.ts';
import { AppError } from '../../errors.ts';
import { type Actor, toPerson } from '../actor.ts';
import { newId } from '../ids.ts';
import type { PromptChangeStores } from '../prompts/change-prompts.ts';
import { assertImportable } from '../prompts/labels/authorize-move.ts';
import { assertNotPinned } from '../prompts/labels/pinned-includes.ts';
import { moveToBin } from '../prompts/prompts.ts';
import type { ImportDraft } from './import-draft.ts';
import type { ImportPlan } from './plan-import.ts';
import { putReleases } from './put-releases.ts';

/**
 * Applies a plan, inside a transaction. The prompt gets its history from the export. The import itself is not added to that history.
 * Instead, it is recorded in the workspace's events and in the owner's activity. Labels are restored to the versions at which they pointed.
 * Gates do not apply, because importing requires a role that may override them.
 */
export async function applyPlan(stores: PromptChangeStores, actor: Actor, draft: ImportDraft, plan: ImportPlan): Promise<void> {
  const { workspaceId } = actor;
  const { name } = draft.prompt;
  if (plan.versions.length > 0) await assertNotPinned(stores, actor, { name, act: `import versions of "${name}"` });
  if (plan.replaced) await moveToBin(stores, actor, plan.replaced);
  const id = await putPrompt(stores, actor, draft, plan);
  const owner = { accountId: workspaceId, promptId: id };
  const versions = plan.versions.map(({ references: _references, ...version }) => version);
  await stores.imports.insertVersions(owner, versions, actor.accountId);
  for (const { version, references } of plan.versions) {
    await stores.references.insert(workspaceId, id, version, references);
  }
  await stores.cases.insert(owner, plan.newCases);
  for (const { before, after } of plan.changedCases) await stores.cases.update(owner, before, after);
  await stores.imports.insertEvents(owner, plan.events);

  const prompt = { id, name };
  const tell = (type: EventType, detail: object) =>
    stores.events.add({ type, at: new Date().toISOString(), by: toPerson(actor), prompt, detail: JSON.stringify(detail) });
  if (!plan.existing) tell('prompt.created', { version: draft.prompt.lastVersion });
  // Only the last batch of a prompt adds the event.
  else if (draft.isLast) tell('prompt.changed', {});
  if (plan.isFinal) {
    await putLabels(stores, actor, { id, labels: draft.prompt.labels, tell });
    await putReleases(stores, actor, { id, line: draft.prompt, tell });
  }
  if (draft.isLast) stores.changedNames.push({ name: prompt.name, label: undefined, prompt });
}

/** Creates or updates the prompt and returns its id. */
async function putPrompt(
  { prompts }: PromptChangeStores,
  { workspaceId }: Actor,
  { prompt }: ImportDraft,
  { existing, versions, isFinal }: ImportPlan,
): Promise<string> {
  const { name, type, description, tags, createdAt, updatedAt } = prompt;
  const live = versions.filter(({ deletedAt }) => deletedAt === null);
  const latestVersion = live.reduce((latest, { version }) => Math.max(latest, version), existing?.latestVersion ?? 0);
  if (existing) {
    await prompts.update(workspaceId, existing.id, { latestVersion, updatedAt, ...(isFinal && { description }) });
    if (isFinal) await prompts.replaceTags(workspaceId, existing.id, tags);
    return existing.id;
  }
  const id = newId('p');
  if (!(await prompts.insert(workspaceId, { id, name, type, description, latestVersion, createdAt, updatedAt }))) {
    throw new AppError('name_taken');
  }
  await prompts.replaceTags(workspaceId, id, tags);
  return id;
}

interface LabelRestore {
  id: string;
  labels: Record<string, number>;
  tell(type: EventType, detail: object): void;
}

async function putLabels(stores: PromptChangeStores, actor: Actor, { id, labels, tell }: LabelRestore): Promise<void> {
  const { labels: store } = stores;
  const { workspaceId } = actor;
  const current = await store.list(workspaceId, id);
  for (const [label, to] of Object.entries(labels)) {
    const from = current.get(label) ?? null;
    if (from === to) continue;
    assertImportable(stores, actor, label);
    await store.put(workspaceId, id, label, to);
    tell('label.moved', { label, from, to });
  }
  for (const [label, from] of current) {
    if (Object.hasOwn(labels, label)) continue;
    await store.delete(workspaceId, id, label);
    tell('label.removed', { label, from });
  }
}
