import type { Person } from '../../contract/people.ts';
import type { Prompt } from '../../contract/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { getPromptRecord } from './prompt-records.ts';
import { describePrompt } from './prompts.ts';

/** A prompt with its newest versions, without their content. */
interface PromptDetails extends Prompt {
  versions: { version: number; message: string; createdAt: string; by: Person }[];
}

const maxVersions = 20;

export async function getPromptDetails(ctx: WithStore, actor: Actor, name: string): Promise<PromptDetails> {
  const record = await getPromptRecord(ctx.store, actor, name);
  const prompt = await describePrompt(ctx.store, actor, record);
  return { ...prompt, versions: await ctx.store.read(actor.workspaceId).versions.listSummaries(actor.workspaceId, record.id, maxVersions) };
}
