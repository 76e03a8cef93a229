import type { Static } from 'typebox';
import type { CreatedPrompt, ListedPrompt, NewPrompt, PromptChange, PromptListQuery, Prompt as PromptShape } from '../contract/prompt.ts';
import { AppError, invalidField } from '../errors.ts';
import type { PromptOverview, PromptRecord } from '../store/prompts.ts';
import type { PromptStores } from '../store/store.ts';
import { assertPlainText } from './content.ts';
import type { Context } from './context.ts';
import { decodeCursor, encodeCursor } from './cursors.ts';
import { type Editor, recordEvent } from './history.ts';
import { newId } from './ids.ts';
import { getPromptRecord, isPossibleName } from './prompt-records.ts';
import { insertVersion, prepareVersion } from './version-drafts.ts';
import { presentVersions, type Version } from './version-views.ts';

type Prompt = Static<typeof PromptShape>;

const binDays = 30;

/** Makes a prompt with its first version, which goes into production unless `labels` says otherwise. */
export async function createPrompt(ctx: Context, editor: Editor, input: Static<typeof NewPrompt>): Promise<Static<typeof CreatedPrompt>> {
  const { name, description = '', tags = [] } = input;
  assertName(name);
  assertTexts({ description, tags });
  const draft = await prepareVersion(ctx, editor.accountId, name, { ...input, labels: input.labels ?? ['production'] });
  const now = new Date().toISOString();
  const record = { id: newId('p'), name, type: draft.content.type, description, latestVersion: 1, createdAt: now, updatedAt: now };

  return ctx.store.changePrompts(editor.accountId, async (stores) => {
    if (!(await stores.prompts.insert(editor.accountId, record))) throw new AppError('name_taken');
    await stores.prompts.replaceTags(editor.accountId, record.id, tags);
    await recordEvent(stores, editor, record.id, { type: 'created', version: 1, message: draft.message });
    const version = await insertVersion(stores, editor, { ...record, deletedAt: null }, draft, now);
    return { ...(await describe(stores, editor.accountId, { ...record, deletedAt: null })), version, warnings: draft.warnings };
  });
}

/** A page of the account's prompts, with each one's version at the label if content is asked for. */
export async function listPrompts(
  ctx: Context,
  accountId: string,
  query: Static<typeof PromptListQuery>,
): Promise<{ data: Static<typeof ListedPrompt>[]; nextCursor: string | null }> {
  const { sort = 'name', limit = 50, label, search, tag, name } = query;
  const deleted = query.deleted === 'true';
  const folder = query.folder?.replace(/\/+$/, '');
  for (const [path, text] of Object.entries({ search, tag, folder })) assertPlainText(`/${path}`, text);
  const kind = deleted ? 'bin' : sort;
  const [value, id] = query.cursor === undefined ? [] : decodeCursor(kind, 2, query.cursor);
  const records = await ctx.store.prompts.list(accountId, {
    sort,
    limit: limit + 1,
    after: value === undefined || id === undefined ? undefined : { value, id },
    deleted,
    search,
    tag,
    folder: folder || undefined,
    label,
    names: name === undefined ? undefined : [name].flat(),
  });
  const overviews = await ctx.store.prompts.describe(accountId, records.slice(0, limit));
  const versions = query.include === 'content' && !deleted ? await versionsAt(ctx, accountId, overviews, label ?? 'production') : undefined;
  const last = overviews.at(-1);
  return {
    data: overviews.map((overview) => ({
      ...toPrompt(overview),
      ...(overview.deletedAt !== null && { deletedAt: overview.deletedAt }),
      ...(versions && { version: versions.get(overview.name) ?? null }),
    })),
    nextCursor: records.length > limit && last ? encodeCursor(kind, [sortValue(last, kind), last.id]) : null,
  };
}

/** Renames, describes, tags. */
export async function changePrompt(ctx: Context, editor: Editor, name: string, change: Static<typeof PromptChange>): Promise<Prompt> {
  if (change.name !== undefined) assertName(change.name);
  assertTexts(change);
  const { accountId } = editor;
  return ctx.store.changePrompts(accountId, async (stores) => {
    const prompt = await getPromptRecord(stores, accountId, name);
    const { description, tags } = change;
    const isRenamed = change.name !== undefined && change.name !== prompt.name;
    if (isRenamed && (await stores.prompts.find(accountId, change.name ?? ''))) throw new AppError('name_taken');
    await stores.prompts.update(accountId, prompt.id, {
      ...(change.name !== undefined && { name: change.name }),
      ...(description !== undefined && { description }),
      updatedAt: new Date().toISOString(),
    });
    if (tags) await stores.prompts.replaceTags(accountId, prompt.id, tags);
    if (isRenamed) await recordEvent(stores, editor, prompt.id, { type: 'renamed', from: prompt.name, to: change.name ?? '' });
    if (description !== undefined || tags) await recordEvent(stores, editor, prompt.id, { type: 'described' });
    return describe(stores, accountId, await getPromptRecord(stores, accountId, change.name ?? name));
  });
}

/** To the bin, for 30 days. */
export async function deletePrompt(ctx: Context, editor: Editor, name: string): Promise<void> {
  await ctx.store.changePrompts(editor.accountId, async (stores) => {
    const prompt = await getPromptRecord(stores, editor.accountId, name);
    await stores.prompts.update(editor.accountId, prompt.id, { deletedAt: new Date().toISOString(), updatedAt: prompt.updatedAt });
    await recordEvent(stores, editor, prompt.id, { type: 'deleted' });
  });
}

/** Takes the one of this name that was deleted last out of the bin, unless the name was taken in the meantime. */
export async function restorePrompt(ctx: Context, editor: Editor, name: string): Promise<Prompt> {
  const { accountId } = editor;
  return ctx.store.changePrompts(accountId, async (stores) => {
    const prompt = isPossibleName(name) ? await stores.prompts.findDeleted(accountId, name) : undefined;
    if (!prompt) throw new AppError('prompt_not_found');
    if (await stores.prompts.find(accountId, name)) throw new AppError('name_taken');
    await stores.prompts.update(accountId, prompt.id, { deletedAt: null, updatedAt: new Date().toISOString() });
    await recordEvent(stores, editor, prompt.id, { type: 'restored' });
    return describe(stores, accountId, await getPromptRecord(stores, accountId, name));
  });
}

/** Deletes for good what has been in a bin for 30 days. */
export async function emptyBins(ctx: Context, now: Date): Promise<void> {
  const time = new Date(now.getTime() - binDays * 24 * 60 * 60 * 1000);
  for (;;) {
    const accountIds = await ctx.store.prompts.listAccountsToEmpty(time);
    if (accountIds.length === 0) return;
    for (const accountId of accountIds) await ctx.store.changePrompts(accountId, (stores) => stores.prompts.emptyBin(accountId, time));
  }
}

async function versionsAt(ctx: Context, accountId: string, overviews: PromptOverview[], label: string): Promise<Map<string, Version>> {
  const labels = new Map(overviews.map(({ name, labels: own }) => [name, new Map(Object.entries(own))]));
  const found = await ctx.store.versions.listLabelled(
    accountId,
    overviews.map(({ name }) => name),
    label,
  );
  const items = found.map((record) => ({ prompt: record, record, labels: labels.get(record.name) ?? new Map() }));
  return new Map((await presentVersions(ctx, accountId, items)).map((version) => [version.name, version]));
}

async function describe(stores: Pick<PromptStores, 'prompts'>, accountId: string, prompt: PromptRecord): Promise<Prompt> {
  const [overview] = await stores.prompts.describe(accountId, [prompt]);
  if (!overview) throw new AppError('prompt_not_found');
  return toPrompt(overview);
}

function toPrompt({ id, name, type, description, tags, latestVersion, labels, createdAt, updatedAt }: PromptOverview): Prompt {
  return { id, name, type, description, tags, latestVersion, labels, createdAt, updatedAt };
}

function sortValue(prompt: PromptRecord, kind: 'bin' | 'name' | '-updatedAt'): string {
  if (kind === 'bin') return prompt.deletedAt ?? '';
  return kind === 'name' ? prompt.name : prompt.updatedAt;
}

/** The shape is checked by then. These two would never arrive: clients take them for steps in a path. */
function assertName(name: string): void {
  if (name === '.' || name === '..') throw invalidField('/name', 'A name cannot be . or ..');
}

function assertTexts({ description, tags = [] }: { description?: string | undefined; tags?: string[] | undefined }): void {
  assertPlainText('/description', description);
  tags.forEach((tag, index) => {
    assertPlainText(`/tags/${index}`, tag);
  });
}
