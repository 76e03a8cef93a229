import { isDeepStrictEqual } from 'node:util';
import type { Batch, SavedBatch } from '../../contract/batch.ts';
import { productionLabel } from '../../contract/label-names.ts';
import { maxBatchLabels } from '../../contract/limits.ts';
import type { Warning } from '../../contract/warnings.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptOverview } from '../../store/prompts/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { changePrompts, type PromptChangeStores, type WithChanges, type WithLargeChanges } from './change-prompts.ts';
import { recordEvent } from './history.ts';
import { withDrafts } from './includes/draft-includes.ts';
import { type ResolvedIncludes, resolveIncludes } from './includes/resolve-includes.ts';
import { putLabel } from './labels/labels.ts';
import { assertNoWarnings, findMoveWarnings } from './labels/move-warnings.ts';
import { assertTexts, insertPrompt, parseName } from './prompts.ts';
import { type AnalyzedVersion, analyzeVersion } from './versions/save-version.ts';
import { serializeContent } from './versions/version-content.ts';
import { appendVersion, promptReplaced } from './versions/versions.ts';

/** An item that has been validated and analyzed. */
interface Draft {
  name: string;
  input: Batch['items'][number];
  version: AnalyzedVersion;
  /** The id of the prompt that had this name when the item was analyzed. */
  promptId: string | undefined;
  /** The versions to which the prompt's labels pointed at that time. */
  labels: Record<string, number>;
}

/** A prompt that already exists. */
interface KnownPrompt {
  prompt: PromptOverview;
  /** The highest version number that was ever used, including deleted versions. */
  lastNumber: number;
}

type Saved = Pick<SavedBatch['data'][number], 'version' | 'status'>;

/** Saves several prompts in one transaction. If an item fails, nothing is saved, and the error names the item. */
export async function savePrompts(
  ctx: WithStore & WithTemplates & WithChanges & WithLargeChanges & WithRecorder,
  actor: Actor,
  { items, skipUnchanged = false }: Batch,
  { isStrict = false } = {},
): Promise<SavedBatch> {
  const names = await parseNames(items);
  const drafts = await analyzeItems(ctx, actor, items, names);
  const warnings = await findBatchWarnings(ctx, actor, drafts);
  if (isStrict) assertNoWarnings([...warnings].flatMap(([prompt, found]) => found.map((warning) => ({ ...warning, prompt }))));
  const { data } = await ctx.largeChanges.run(actor.workspaceId, () => saveDrafts(ctx, actor, drafts, skipUnchanged));
  return { data: data.map((saved) => ({ ...saved, ...(warnings.has(saved.name) && { warnings: warnings.get(saved.name) }) })) };
}

/** Finds what would fail for callers that read the labels of the items once all items are saved. Returns the warnings by prompt name. */
async function findBatchWarnings(ctx: WithStore & WithRecorder, actor: Actor, drafts: Draft[]): Promise<Map<string, Warning[]>> {
  const labeled = drafts.filter(({ version }) => version.labels.length > 0);
  const resolved = await ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const reader = withDrafts(
      stores,
      drafts.map(({ name, version }) => ({ name, ...version })),
    );
    const includes: ResolvedIncludes[] = [];
    for (const { name, version } of labeled) {
      includes.push(await resolveIncludes(reader, actor, { name, syntax: version.content.syntax, analysis: version.analysis }));
    }
    return includes;
  });
  const warnings = new Map<string, Warning[]>();
  const changing = new Set(labeled.map(({ name }) => name));
  for (const [index, { name, promptId, labels, version }] of labeled.entries()) {
    const includes = resolved[index] ?? { variables: [], problems: [] };
    const current = new Map(Object.entries(labels));
    const found = await findMoveWarnings(ctx, actor, { promptId, name, ...version, includes, current, changing });
    if (found.length > 0) warnings.set(name, found);
  }
  return warnings;
}

async function saveDrafts(ctx: WithStore & WithChanges, actor: Actor, drafts: Draft[], skipUnchanged: boolean): Promise<SavedBatch> {
  const names = drafts.map(({ name }) => name);
  return changePrompts(ctx, actor, async (transaction, actor) => {
    // The writes can be collected until the end of the transaction: each item concerns a different prompt, so no item reads what another
    // item wrote.
    const stores = { ...transaction, ...transaction.collecting };
    const current = await findPrompts(stores, actor, names);
    const data: SavedBatch['data'] = [];
    for (const [index, draft] of drafts.entries()) {
      const known = current.get(draft.name);
      const saved = await nameItem(index, draft.name, () => saveItem(stores, actor, draft, { known, skipUnchanged }));
      data.push({ name: draft.name, ...saved });
    }
    return { data };
  });
}

async function parseNames(items: Batch['items']): Promise<string[]> {
  const labelCount = items.reduce((sum, { labels }) => sum + (labels?.length ?? 1), 0);
  if (labelCount > maxBatchLabels) throw invalidField('/items', `Use at most ${maxBatchLabels} labels across all items`);
  return Promise.all(items.map((item, index) => nameItem(index, item.name, async () => parseName(item.name))));
}

async function analyzeItems(ctx: WithStore & WithTemplates, actor: Actor, items: Batch['items'], names: string[]): Promise<Draft[]> {
  const current = await findPrompts(ctx.store, actor, names);
  const drafts: Draft[] = [];
  for (const [index, input] of items.entries()) {
    const name = names[index] ?? '';
    const prompt = current.get(name)?.prompt;
    const version = await nameItem(index, name, async () => {
      if (names.indexOf(name) !== index) throw invalidField('/name', 'This name appears twice in the batch');
      assertTexts(input);
      if (prompt && input.type !== undefined && input.type !== prompt.type) {
        throw invalidField('/type', `The prompt "${name}" has the type ${prompt.type}, which cannot be changed`);
      }
      const labels = input.labels ?? (prompt ? [] : [productionLabel]);
      return analyzeVersion(ctx, actor, { ...input, labels, type: prompt?.type ?? input.type });
    });
    drafts.push({ name, input, version, promptId: prompt?.id, labels: prompt?.labels ?? {} });
  }
  return drafts;
}

async function saveItem(
  stores: PromptChangeStores,
  actor: Actor,
  { name, input, version: draft, promptId }: Draft,
  { known, skipUnchanged }: { known: KnownPrompt | undefined; skipUnchanged: boolean },
): Promise<Saved> {
  const { baseVersion, description, tags } = input;
  if (!known) {
    if (baseVersion) throw new AppError('prompt_not_found');
    if (promptId !== undefined) throw promptReplaced();
    const { record } = await insertPrompt(stores, actor, { name, description: description ?? '', tags: tags ?? [], draft });
    return { version: record.version, status: 'created' };
  }
  const { prompt: current, lastNumber } = known;
  // This check must precede the check of `baseVersion`, so that all callers succeed if they save the same content at the same time.
  if (skipUnchanged && (await isUnchanged(stores, actor, current, draft))) {
    const isDescribed = await describeItem(stores, actor, current, { description, tags });
    const isMoved = await moveLabels(stores, actor, current, draft.labels);
    return { version: current.latestVersion, status: isDescribed || isMoved ? 'changed' : 'unchanged' };
  }
  if (baseVersion === 0) throw new AppError('name_taken');
  if (current.id !== promptId) throw promptReplaced();
  await describeItem(stores, actor, current, { description, tags });
  const labels = new Map(Object.entries(current.labels));
  const record = await appendVersion(stores, actor, current, { draft, baseVersion, known: { lastNumber, labels } });
  return { version: record.version, status: 'updated' };
}

/** Updates the description and tags if they differ from the item's. */
async function describeItem(
  stores: PromptChangeStores,
  actor: Actor,
  current: PromptOverview,
  { description = current.description, tags = current.tags }: { description?: string | undefined; tags?: string[] | undefined },
): Promise<boolean> {
  const hasSameTags = isDeepStrictEqual(new Set(tags), new Set(current.tags));
  if (description === current.description && hasSameTags) return false;
  await stores.prompts.update(actor.workspaceId, current.id, { description, updatedAt: new Date().toISOString() });
  if (!hasSameTags) await stores.prompts.replaceTags(actor.workspaceId, current.id, tags);
  recordEvent(stores, actor, current, { type: 'described' });
  return true;
}

/** Moves labels to the newest version. */
async function moveLabels(stores: PromptChangeStores, actor: Actor, current: PromptOverview, labels: string[]): Promise<boolean> {
  const moved = labels.filter((label) => current.labels[label] !== current.latestVersion);
  const prompt = { id: current.id, name: current.name, labels: new Map(Object.entries(current.labels)) };
  for (const label of moved) await putLabel(stores, actor, prompt, { label, version: current.latestVersion, by: 'batch' });
  if (moved.length > 0) await stores.prompts.update(actor.workspaceId, current.id, { updatedAt: new Date().toISOString() });
  return moved.length > 0;
}

/** Returns whether the newest version has the content of the item. The order of keys in the config does not matter. */
async function isUnchanged(
  { versions }: Pick<PromptStores, 'versions'>,
  { workspaceId }: Actor,
  { id: promptId, latestVersion: version }: PromptOverview,
  { config, content }: AnalyzedVersion,
): Promise<boolean> {
  const draft = { promptId, version, syntax: content.syntax, content: serializeContent(content), config };
  const found = await versions.findConfig(workspaceId, draft);
  return found !== undefined && (found === config || isDeepStrictEqual(JSON.parse(found), JSON.parse(config)));
}

async function findPrompts(
  { prompts, versions }: Pick<PromptStores, 'prompts' | 'versions'>,
  { workspaceId }: Actor,
  names: string[],
): Promise<Map<string, KnownPrompt>> {
  const found = await prompts.list(workspaceId, { sort: 'name', limit: names.length, names: [...new Set(names)] });
  const extents = await versions.findExtents(workspaceId, found);
  const overviews = await prompts.describe(workspaceId, found);
  return new Map(
    overviews.map((prompt) => [prompt.name, { prompt, lastNumber: extents.get(prompt.id)?.lastVersion ?? prompt.latestVersion }]),
  );
}

/** Adds the item's position and name to an error. Errors that do not concern an item, such as an overloaded service, stay unchanged. */
async function nameItem<T>(index: number, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (!(err instanceof AppError) || !itemStatuses.has(err.status)) throw err;
    const path = `/items/${index}`;
    const details = err.details?.map((detail) => ({ ...detail, path: path + detail.path })) ?? [{ path, message: err.message }];
    throw new AppError(err.code, { text: `${name}: ${err.message}`, details, cause: err.cause });
  }
}

const itemStatuses = new Set([400, 403, 404, 409, 422]);
