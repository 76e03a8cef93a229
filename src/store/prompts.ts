import type { Kysely } from 'kysely';
import type { Database } from './tables.ts';

export interface PromptRecord {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

export type PromptStore = ReturnType<typeof createPromptStore>;

export function createPromptStore(db: Kysely<Database>) {
  return {
    /** An account's prompts by name. */
    async list(accountId: string, limit: number): Promise<PromptRecord[]> {
      return db
        .selectFrom('prompts')
        .select(['id', 'name', 'created_at as createdAt', 'updated_at as updatedAt'])
        .where('account_id', '=', accountId)
        .orderBy('name')
        .limit(limit)
        .execute();
    },
  };
}
