import type { Static } from 'typebox';
import type { HistoryEntry as HistoryEntryShape } from '../contract/history.ts';
import { AppError } from '../errors.ts';
import type { PromptStores } from '../store/store.ts';
import { contentAsText, parseStoredContent } from './content.ts';
import type { Context } from './context.ts';
import { decodeCursor, encodeCursor } from './cursors.ts';
import { newId } from './ids.ts';
import { getPromptRecord } from './prompt-records.ts';

export type HistoryEntry = Static<typeof HistoryEntryShape>;

/** Who changes prompts: whose they are, and by which way. */
export interface Editor {
  accountId: string;
  by: HistoryEntry['by'];
}

/** Notes a change. Runs inside the change's transaction. */
export async function recordEvent(
  stores: Pick<PromptStores, 'history'>,
  editor: Editor,
  promptId: string,
  { type, ...detail }: Omit<HistoryEntry, 'id' | 'at' | 'by'>,
): Promise<void> {
  await stores.history.insert(editor.accountId, promptId, {
    id: newId('e'),
    type,
    detail: JSON.stringify(detail),
    by: editor.by,
    at: new Date().toISOString(),
  });
}

export async function listHistory(ctx: Context, accountId: string, name: string, page: { limit: number; cursor?: string | undefined }) {
  const prompt = await getPromptRecord(ctx.store, accountId, name);
  const [before] = page.cursor === undefined ? [] : decodeCursor('history', 1, page.cursor);
  const records = await ctx.store.history.list(accountId, prompt.id, { before, limit: page.limit + 1 });
  const shown = records.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    // The detail was written by recordEvent from an entry's own fields.
    data: shown.map(({ id, type, at, by, detail }) => ({ id, type, at, by, ...(JSON.parse(detail) as object) }) as HistoryEntry),
    nextCursor: records.length > page.limit && last ? encodeCursor('history', [last.id]) : null,
  };
}

/** Compares two versions of a prompt: their text, and their config as indented JSON with sorted keys. */
export async function diffVersions(ctx: Context, accountId: string, name: string, numbers: { from: number; to: number }) {
  const prompt = await getPromptRecord(ctx.store, accountId, name);
  const [before, after] = await Promise.all(
    [numbers.from, numbers.to].map(async (number) => {
      const record = await ctx.store.versions.find(accountId, prompt.id, number);
      if (!record) throw new AppError('version_not_found');
      const config: unknown = JSON.parse(record.config);
      return {
        title: `version ${number}`,
        text: contentAsText(parseStoredContent(prompt.type, record.content)),
        config: JSON.stringify(sortKeys(config), null, 2),
      };
    }),
  );
  if (!before || !after) throw new AppError('version_not_found');
  const { title: from } = before;
  const { title: to } = after;
  return {
    ...numbers,
    text: await ctx.templates.run({ kind: 'diff', before: { title: from, text: before.text }, after: { title: to, text: after.text } }),
    config: await ctx.templates.run({
      kind: 'diff',
      before: { title: from, text: before.config },
      after: { title: to, text: after.config },
    }),
  };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}
