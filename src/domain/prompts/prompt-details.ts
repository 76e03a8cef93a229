import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { getPromptRecord } from './prompt-records.ts';
import { describePrompt } from './prompts.ts';

const maxVersions = 20;

/** A prompt with its newest versions, without their content. */
export async function getPromptDetails(ctx: WithStore, actor: Actor, name: string) {
  const record = await getPromptRecord(ctx.store, actor, name);
  const prompt = await describePrompt(ctx.store, actor, record);
  return { ...prompt, versions: await ctx.store.read(actor.workspaceId).versions.listSummaries(actor.workspaceId, record.id, maxVersions) };
}
