import { isDeepStrictEqual } from 'node:util';
import { productionLabel } from '../../contract/label-names.ts';
import type { NewPrompt, Prompt } from '../../contract/prompts.ts';
import type { PromptType, Version } from '../../contract/versions.ts';
import type { Warning } from '../../contract/warnings.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../store/prompts/version-rows.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from './change-prompts.ts';
import { orderAsGiven } from './given-order.ts';
import { recordEvent } from './history.ts';
import { assertLabels } from './labels/labels.ts';
import { assertTexts, describePrompt, insertPrompt, parseName } from './prompts.ts';
import { findDraftWarnings, prepareVersion, toSavedVersion, type VersionDraft } from './versions/save-version.ts';
import { parseStoredContent } from './versions/version-content.ts';
import { appendVersion } from './versions/versions.ts';

type PromptInput = Omit<NewPrompt, 'description' | 'type' | 'tags'> & { type: PromptType; tags: string[] | undefined };

/**
 * Saves a version that another program has written. Creates the prompt if it does not exist. Version numbers are assigned inside the
 * transaction, so that callers that save at the same time all succeed. Without `tags`, the prompt's tags stay unchanged.
 */
export async function savePrompt(
  ctx: WithStore & WithTemplates & WithChanges & WithRecorder,
  actor: Actor,
  input: PromptInput,
): Promise<{ prompt: Prompt; version: Version; warnings: Warning[] }> {
  const name = parseName(input.name);
  if (name !== input.name) throw invalidField('/name', 'Use composed characters (Unicode NFC)');
  const { tags } = input;
  assertTexts({ tags });
  assertLabels('/labels', input.labels ?? []);
  const draft = await prepareForeignVersion(ctx, actor, name, input);
  const promptId = (await ctx.store.prompts.find(actor.workspaceId, name))?.id;
  const warnings = draft.labels.length === 0 ? [] : await findDraftWarnings(ctx, actor, draft, { promptId, name, isStrict: false });
  return changePrompts(ctx, actor, async (stores, actor) => {
    const known = await stores.prompts.find(actor.workspaceId, name);
    if (known && known.type !== draft.content.type) {
      throw invalidField('/type', `The earlier versions are ${known.type} prompts. The type of a prompt cannot be changed.`);
    }
    const { prompt, record } = known
      ? await saveTo(stores, actor, known, { draft, tags })
      : await insertPrompt(stores, actor, { name, description: '', tags: tags ?? [], draft });
    const saved = { prompt: await describePrompt(stores, actor, prompt), version: toSavedVersion(prompt, record, draft) };
    return { ...(await orderAsGiven(stores, actor, saved)), warnings };
  });
}

/** A Liquid text that is written back unchanged stays Liquid. In another language, its filters and conditions would have no meaning. */
async function prepareForeignVersion(
  ctx: WithStore & WithTemplates,
  actor: Actor,
  name: string,
  input: PromptInput,
): Promise<VersionDraft> {
  if (await isLiquidText(ctx, actor, name, input)) {
    try {
      return await prepareVersion(ctx, actor, name, { ...input, syntax: 'liquid' });
    } catch (err) {
      // If the content is not valid Liquid, it is saved as foreign. Its text is unchanged, but the descriptions of its tools are also
      // templates, and the program may have changed them.
      if (!(err instanceof AppError && err.code === 'invalid_template')) throw err;
    }
  }
  return prepareVersion(ctx, actor, name, input, { isForeign: true });
}

/**
 * Returns whether the newest version or the version in production is Liquid and has this text. Programs read one of these two versions
 * before they save.
 */
async function isLiquidText({ store }: WithStore, { workspaceId }: Actor, name: string, input: PromptInput): Promise<boolean> {
  const prompt = await store.prompts.find(workspaceId, name);
  if (!prompt || prompt.type !== input.type) return false;
  const inProduction = (await store.labels.list(workspaceId, prompt.id)).get(productionLabel) ?? prompt.latestVersion;
  for (const number of new Set([prompt.latestVersion, inProduction])) {
    const record = await store.versions.find(workspaceId, prompt.id, number);
    if (record?.syntax !== 'liquid') continue;
    const content = parseStoredContent(prompt.type, record);
    const isSame = content.type === 'text' ? content.template === input.template : isDeepStrictEqual(content.messages, input.messages);
    if (isSame) return true;
  }
  return false;
}

async function saveTo(
  stores: PromptChangeStores,
  actor: Actor,
  known: PromptRecord,
  { draft, tags }: { draft: VersionDraft; tags: string[] | undefined },
): Promise<{ prompt: PromptRecord; record: VersionRecord }> {
  const record = await appendVersion(stores, actor, known, { draft });
  if (tags) await replaceTags(stores, actor, known, tags);
  return { prompt: { ...known, latestVersion: record.version, updatedAt: record.createdAt }, record };
}

async function replaceTags(stores: PromptChangeStores, actor: Actor, prompt: PromptRecord, tags: string[]): Promise<void> {
  const before = await describePrompt(stores, actor, prompt);
  await stores.prompts.replaceTags(actor.workspaceId, prompt.id, tags);
  // Tags that only changed their order are not recorded.
  if (!isDeepStrictEqual(new Set(tags), new Set(before.tags))) recordEvent(stores, actor, prompt, { type: 'described' });
}
