import type { JudgedPrompt } from '../../contract/dependents.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';

const maxListed = 100;

/** The prompts whose cases name this one as a judge. */
export async function listJudged(ctx: WithStore, actor: Actor, name: string): Promise<JudgedPrompt[]> {
  const judge = await getPromptRecord(ctx.store, actor, name);
  return ctx.store.read(actor.workspaceId).cases.listJudgedBy(actor.workspaceId, judge.name, maxListed);
}
