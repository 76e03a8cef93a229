import { AppError, invalidField } from '../errors.ts';
import type { Context } from './context.ts';
import { type Editor, recordEvent } from './history.ts';
import { getPromptRecord } from './prompt-records.ts';
import { putLabel } from './version-drafts.ts';
import { presentVersions, type Version } from './version-views.ts';

/** Points a label at a version: this is how a prompt is deployed and rolled back. */
export async function moveLabel(ctx: Context, editor: Editor, name: string, label: string, version: number): Promise<Version> {
  if (label === 'latest') throw invalidField('/label', 'latest always is the newest version and cannot be set');
  const { accountId } = editor;
  const moved = await ctx.store.changePrompts(accountId, async (stores) => {
    const prompt = await getPromptRecord(stores, accountId, name);
    const record = await stores.versions.find(accountId, prompt.id, version);
    if (!record) throw new AppError('version_not_found');
    await putLabel(stores, editor, prompt.id, label, version);
    await stores.prompts.update(accountId, prompt.id, { updatedAt: new Date().toISOString() });
    return { prompt, record, labels: await stores.labels.list(accountId, prompt.id) };
  });
  const [shown] = await presentVersions(ctx, accountId, [moved]);
  if (!shown) throw new AppError('version_not_found');
  return shown;
}

export async function removeLabel(ctx: Context, editor: Editor, name: string, label: string): Promise<void> {
  await ctx.store.changePrompts(editor.accountId, async (stores) => {
    const prompt = await getPromptRecord(stores, editor.accountId, name);
    const version = (await stores.labels.list(editor.accountId, prompt.id)).get(label);
    if (version === undefined) throw new AppError('label_not_found');
    await stores.labels.delete(editor.accountId, prompt.id, label);
    await recordEvent(stores, editor, prompt.id, { type: 'label_removed', label, from: version });
    await stores.prompts.update(editor.accountId, prompt.id, { updatedAt: new Date().toISOString() });
  });
}
