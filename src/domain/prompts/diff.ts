import type { Diff, DiffQuery } from '../../contract/history.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { contentAsText, parseStoredContent } from './content.ts';
import { getPromptRecord } from './prompt-records.ts';

/** Compares two versions of a prompt: their text, and their config as indented JSON with sorted keys. */
export async function diffVersions(ctx: Context, { workspaceId }: Actor, name: string, numbers: DiffQuery): Promise<Diff> {
  const prompt = await getPromptRecord(ctx.store, workspaceId, name);
  const [before, after] = await Promise.all(
    [numbers.from, numbers.to].map(async (number) => {
      const record = await ctx.store.versions.find(workspaceId, prompt.id, number);
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
