import { AppError } from '../../errors.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { PromptStores } from '../../store/store.ts';

/** The living prompt of this name, or 404. Another account's is as unknown as one that never was. */
export async function getPromptRecord(stores: Pick<PromptStores, 'prompts'>, workspaceId: string, name: string): Promise<PromptRecord> {
  const prompt = isPossibleName(name) ? await stores.prompts.find(workspaceId, name) : undefined;
  if (!prompt) throw new AppError('prompt_not_found');
  return prompt;
}

/** What could not be a name is not looked up: it may hold characters that no database takes. */
export function isPossibleName(name: string): boolean {
  return /^[A-Za-z0-9._/-]{1,200}$/.test(name);
}
