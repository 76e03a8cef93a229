import type { Diff, DiffQuery } from '../../../contract/history.ts';
import { versionNotFound } from '../../../errors.ts';
import type { PromptRecord } from '../../../store/prompts/prompts.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import type { WithTemplates } from '../../templates/templates.ts';
import { getPromptRecord } from '../prompt-records.ts';
import { contentAsText, parseStoredContent } from './version-content.ts';

/** Compares two versions of a prompt: their text, and their config as indented JSON with sorted keys. */
export async function diffVersions(ctx: WithStore & WithTemplates, actor: Actor, name: string, { from, to }: DiffQuery): Promise<Diff> {
  const prompt = await getPromptRecord(ctx.store, actor, name);
  const [before, after] = await Promise.all([readVersion(ctx, actor, prompt, from), readVersion(ctx, actor, prompt, to)]);
  const compare = (field: 'text' | 'config') => {
    const sides = { before: { title: before.title, text: before[field] }, after: { title: after.title, text: after[field] } };
    return ctx.templates.diff(actor.workspaceId, sides);
  };
  return { from, to, text: await compare('text'), config: await compare('config') };
}

async function readVersion(ctx: WithStore, { workspaceId }: Actor, prompt: PromptRecord, number: number) {
  const record = await ctx.store.versions.find(workspaceId, prompt.id, number);
  if (!record) throw versionNotFound(number);
  return {
    title: `version ${number}`,
    text: contentAsText(parseStoredContent(prompt.type, record)),
    config: JSON.stringify(sortKeys(JSON.parse(record.config)), null, 2),
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
