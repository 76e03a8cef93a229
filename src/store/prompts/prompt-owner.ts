import { sql } from 'kysely';

/** A prompt of a workspace. */
export interface PromptOwner {
  accountId: string;
  promptId: string;
}

/** A condition for the rows of a prompt, in all tables that have some. */
export function ofPrompt({ accountId, promptId }: PromptOwner) {
  return sql<boolean>`account_id = ${accountId} and prompt_id = ${promptId}`;
}
