import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

export function createLabelStore(db: Kysely<Database>) {
  return {
    /** A prompt's labels and the versions they point at. */
    async list(accountId: string, promptId: string): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('prompt_labels')
        .select(['label', 'version'])
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .orderBy('label')
        .execute();
      return new Map(rows.map(({ label, version }) => [label, version]));
    },

    async put(accountId: string, promptId: string, label: string, version: number): Promise<void> {
      await db
        .insertInto('prompt_labels')
        .values({ account_id: accountId, prompt_id: promptId, label, version })
        .onConflict((conflict) => conflict.columns(['account_id', 'prompt_id', 'label']).doUpdateSet({ version }))
        .execute();
    },

    async delete(accountId: string, promptId: string, label: string): Promise<void> {
      await db
        .deleteFrom('prompt_labels')
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('label', '=', label)
        .execute();
    },
  };
}
