import type { Insertable, Kysely } from 'kysely';
import { type CollectedRows, defineRowWrite } from '../collected-rows.ts';
import type { Database } from '../tables.ts';

export function createLabelStore(db: Kysely<Database>, collected?: CollectedRows) {
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
      const row = { account_id: accountId, prompt_id: promptId, label, version };
      if (collected) collected.add(labelRows, row);
      else await putRows(db, [row]).execute();
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

function putRows(db: Kysely<Database>, rows: Insertable<Database['prompt_labels']>[]) {
  return db
    .insertInto('prompt_labels')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'prompt_id', 'label']).doUpdateSet((eb) => ({ version: eb.ref('excluded.version') })),
    );
}

const labelRows = defineRowWrite({ account_id: '', prompt_id: '', label: '', version: 0 }, putRows);
