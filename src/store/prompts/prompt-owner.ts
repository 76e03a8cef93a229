import { sql } from 'kysely';

/** A prompt of a workspace. */
export interface PromptOwner {
  accountId: string;
  promptId: string;
}

/** Returns a condition that selects the rows of a prompt, in any table that has such rows. */
export function ofPrompt({ accountId, promptId }: PromptOwner) {
  return sql<boolean>`account_id = ${accountId} and prompt_id = ${promptId}`;
}
