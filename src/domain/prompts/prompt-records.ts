import { AppError } from '../../errors.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { PromptStores } from '../../store/store.ts';
import type { Actor } from '../actor.ts';

/** The prompt with this name, or 404. Prompts of other workspaces and in the bin are not found. */
export async function getPromptRecord(stores: Pick<PromptStores, 'prompts'>, { workspaceId }: Actor, name: string): Promise<PromptRecord> {
  const prompt = isValidName(name) ? await stores.prompts.find(workspaceId, name) : undefined;
  if (!prompt) throw new AppError('prompt_not_found');
  return prompt;
}

/** Checked before a lookup, because the path may contain characters that the database rejects. */
export function isValidName(name: string): boolean {
  return /^[A-Za-z0-9._/-]{1,200}$/.test(name);
}
