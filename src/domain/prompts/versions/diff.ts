import type { Diff, DiffQuery } from '../../../contract/history.ts';
import { AppError } from '../../../errors.ts';
import type { PromptRecord } from '../../../store/prompts/prompts.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import type { WithTemplates } from '../../templates/templates.ts';
import { getPromptRecord, resolveVersionOf } from '../prompt-records.ts';
import { contentAsText, parseStoredContent } from './version-content.ts';

/** Compares two versions, labels or candidates of a prompt: their text, and their config as indented JSON with sorted keys. */
export async function diffVersions(ctx: WithStore & WithTemplates, actor: Actor, name: string, { from, to }: DiffQuery): Promise<Diff> {
  const prompt = await getPromptRecord(ctx.store, actor, name);
  const [before, after] = await Promise.all([readSide(ctx, actor, prompt, from), readSide(ctx, actor, prompt, to)]);
  const compare = (field: 'text' | 'config') => {
    const sides = { before: { title: before.title, text: before[field] }, after: { title: after.title, text: after[field] } };
    return ctx.templates.diff(actor.workspaceId, sides);
  };
  return { from: before.side, to: after.side, text: await compare('text'), config: await compare('config') };
}

async function readSide(ctx: WithStore, actor: Actor, prompt: PromptRecord, side: number | string) {
  const { title, record, ...read } = await findSide(ctx, actor, prompt, side);
  return {
    side: read.side,
    title,
    text: contentAsText(parseStoredContent(prompt.type, record)),
    config: JSON.stringify(sortKeys(JSON.parse(record.config)), null, 2),
  };
}

/** Finds a version by its number or label, or a candidate by its id. */
async function findSide({ store }: WithStore, actor: Actor, prompt: PromptRecord, side: number | string) {
  if (typeof side === 'string' && side.startsWith('cand_')) {
    const candidate = await store.candidates.find({ accountId: actor.workspaceId, promptId: prompt.id }, side);
    if (!candidate) throw new AppError('candidate_not_found');
    return { side: candidate.id, title: `candidate ${candidate.id}`, record: candidate };
  }
  const choice = typeof side === 'number' ? { version: side } : { label: side };
  const { record } = await resolveVersionOf(store, actor, prompt, choice);
  return { side: record.version, title: `version ${record.version}`, record };
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
