import { defaultPageLimit, type Page, type PageQuery } from '../../contract/lists.ts';
import type { Run, RunSummary } from '../../contract/runs.ts';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';

/** A page of a prompt's runs, newest first. */
export async function listRuns(ctx: WithStore, actor: Actor, name: string, query: PageQuery): Promise<Page<RunSummary>> {
  const { limit = defaultPageLimit, cursor } = query;
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  const [before] = cursor === undefined ? [] : decodeCursor('runs', 1, cursor);
  const found = await ctx.store.read(actor.workspaceId).runs.list({ accountId: actor.workspaceId, promptId }, { before, limit: limit + 1 });
  const { shown, last } = splitPage(found, limit, ({ summary }) => summary.length);
  return {
    // Written from this type.
    data: shown.map(({ summary }) => JSON.parse(summary) as RunSummary),
    nextCursor: last ? encodeCursor('runs', [last.id]) : null,
  };
}

export async function getRun(ctx: WithStore, actor: Actor, { name, id }: { name: string; id: string }): Promise<Run> {
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  // The store refuses NUL as invalid input, but an id with it is simply unknown.
  const found = id.includes('\0') ? undefined : await ctx.store.runs.find({ accountId: actor.workspaceId, promptId }, id);
  if (!found) throw new AppError('run_not_found');
  const { preview: _preview, ...summary } = JSON.parse(found.summary) as RunSummary;
  // Both were written from the parts of a run.
  return { ...summary, ...(JSON.parse(found.detail) as Omit<Run, keyof typeof summary>) };
}
