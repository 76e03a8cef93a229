import type { Page, PageQuery } from '../../contract/lists.ts';
import type { Run, RunSummary } from '../../contract/runs.ts';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { toStorable } from '../ids.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';

/** Lists a page of a prompt's runs, newest first. */
export async function listRuns(ctx: WithStore, actor: Actor, name: string, query: PageQuery): Promise<Page<RunSummary>> {
  const { workspaceId: accountId } = actor;
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  const list = (before: string | undefined, limit: number) =>
    ctx.store.read(accountId).runs.list({ accountId, promptId }, { before, limit });
  // The stored summary has this type.
  const toSummary = ({ summary }: { summary: string }) => JSON.parse(summary) as RunSummary;
  return readPage('runs', query, list, toSummary, ({ summary }) => summary.length);
}

export async function getRun(ctx: WithStore, actor: Actor, { name, id }: { name: string; id: string }): Promise<Run> {
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  const found = await ctx.store.runs.find({ accountId: actor.workspaceId, promptId }, toStorable(id));
  if (!found) throw new AppError('run_not_found');
  const { preview: _preview, ...summary } = JSON.parse(found.summary) as RunSummary;
  // The two columns contain the parts of a run.
  return { ...summary, ...(JSON.parse(found.detail) as Omit<Run, keyof typeof summary>) };
}
