import type { Static } from 'typebox';
import type { SavedVersion } from '../contract/version.ts';
import { AppError, invalidField } from '../errors.ts';
import type { PromptRecord } from '../store/prompts.ts';
import type { VersionRecord } from '../store/versions.ts';
import type { Context } from './context.ts';
import { decodeCursor, encodeCursor } from './cursors.ts';
import type { Editor } from './history.ts';
import { getPromptRecord } from './prompt-records.ts';
import { insertVersion, prepareVersion, type VersionInput } from './version-drafts.ts';
import { presentVersions, type Version } from './version-views.ts';

/** Which version of a prompt is meant. Neither: the one in production. */
export interface VersionChoice {
  label?: string | undefined;
  version?: number | undefined;
}

export interface ChosenVersion {
  prompt: PromptRecord;
  record: VersionRecord;
  version: Version;
  /** The label that led to it, if one did. */
  label: string | undefined;
}

/** The version that a label or a number leads to. Says whether the prompt, the version or the label is missing. */
export async function getVersion(ctx: Context, accountId: string, name: string, choice: VersionChoice): Promise<ChosenVersion> {
  if (choice.label !== undefined && choice.version !== undefined) throw invalidField('/version', 'Give either label or version, not both');
  const prompt = await getPromptRecord(ctx.store, accountId, name);
  const labels = await ctx.store.labels.list(accountId, prompt.id);
  const label = choice.version === undefined ? (choice.label ?? 'production') : undefined;
  const number = choice.version ?? (label === 'latest' ? prompt.latestVersion : labels.get(label ?? ''));
  if (number === undefined) throw new AppError('label_not_found');
  const record = await ctx.store.versions.find(accountId, prompt.id, number);
  if (!record) throw new AppError('version_not_found');
  const [version] = await presentVersions(ctx, accountId, [{ prompt, record, labels }]);
  if (!version) throw new AppError('version_not_found');
  return { prompt, record, version, label };
}

export async function listVersions(ctx: Context, accountId: string, name: string, page: { limit: number; cursor?: string | undefined }) {
  const prompt = await getPromptRecord(ctx.store, accountId, name);
  const labels = await ctx.store.labels.list(accountId, prompt.id);
  const [before] = page.cursor === undefined ? [] : decodeCursor('versions', 1, page.cursor);
  if (before !== undefined && !/^\d{1,9}$/.test(before))
    throw invalidField('/cursor', 'Not a cursor of this list; start again without one');
  const records = await ctx.store.versions.list(accountId, prompt.id, {
    before: before === undefined ? undefined : Number(before),
    limit: page.limit + 1,
  });
  const shown = records.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    data: await presentVersions(
      ctx,
      accountId,
      shown.map((record) => ({ prompt, record, labels })),
    ),
    nextCursor: records.length > page.limit && last ? encodeCursor('versions', [String(last.version)]) : null,
  };
}

/** Saves a new version. With `baseVersion`, only if that is still the newest: nobody's work is overwritten unseen. */
export async function createVersion(
  ctx: Context,
  editor: Editor,
  name: string,
  input: VersionInput & { baseVersion?: number | undefined },
): Promise<Static<typeof SavedVersion>> {
  const { id, type } = await getPromptRecord(ctx.store, editor.accountId, name);
  const draft = await prepareVersion(ctx, editor.accountId, name, { ...input, type });
  return ctx.store.changePrompts(editor.accountId, async (stores) => {
    const prompt = await getPromptRecord(stores, editor.accountId, name);
    // Deleted and made anew, perhaps as one of another type, while the draft was being analysed.
    if (prompt.id !== id) throw new AppError('version_conflict', { text: 'The prompt was replaced in the meantime; look at it again' });
    if (input.baseVersion !== undefined && input.baseVersion !== prompt.latestVersion) {
      throw new AppError('version_conflict', {
        text: `Version ${prompt.latestVersion} was saved in the meantime; compare with it and save again`,
      });
    }
    const number = prompt.latestVersion + 1;
    const createdAt = new Date().toISOString();
    await stores.prompts.update(editor.accountId, prompt.id, { latestVersion: number, updatedAt: createdAt });
    const version = await insertVersion(stores, editor, { ...prompt, latestVersion: number }, draft, createdAt);
    return { ...version, warnings: draft.warnings };
  });
}
