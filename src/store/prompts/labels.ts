import { type Insertable, type Kysely, sql } from 'kysely';
import { batchesOf } from '../insert-rows.ts';
import { type WriteRows, writeAtOnce } from '../row-writes.ts';
import type { Database } from '../tables.ts';
import { ofPrompt } from './prompt-owner.ts';

export function createLabelStore(db: Kysely<Database>, write: WriteRows = writeAtOnce(db), searched?: Set<string>) {
  return {
    /** Lists a prompt's labels and the versions they point at. */
    async list(accountId: string, promptId: string): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('prompt_labels')
        .select(['label', 'version'])
        .where(ofPrompt({ accountId, promptId }))
        .orderBy('label')
        .execute();
      return new Map(rows.map(({ label, version }) => [label, version]));
    },

    /** Lists the labels of the given prompts, by prompt id. */
    async listOf(accountId: string, promptIds: string[]): Promise<Map<string, Map<string, number>>> {
      const labels = new Map<string, Map<string, number>>(promptIds.map((id) => [id, new Map()]));
      if (promptIds.length === 0) return labels;
      const rows = await db
        .selectFrom('prompt_labels')
        .select(['prompt_id', 'label', 'version'])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', promptIds)
        .execute();
      for (const { prompt_id, label, version } of rows) labels.get(prompt_id)?.set(label, version);
      return labels;
    },

    async put(accountId: string, promptId: string, label: string, version: number): Promise<void> {
      searched?.add(promptId);
      await write(putLabels, [{ account_id: accountId, prompt_id: promptId, label, version }]);
    },

    async delete(accountId: string, promptId: string, label: string): Promise<void> {
      searched?.add(promptId);
      await db.deleteFrom('prompt_labels').where(ofPrompt({ accountId, promptId })).where('label', '=', label).execute();
    },
  };
}

/** Sets labels. Each label comes after all other labels of its prompt. */
async function putLabels(db: Kysely<Database>, rows: Insertable<Database['prompt_labels']>[]): Promise<void> {
  for (const batch of batchesOf(rows)) {
    await db
      .insertInto('prompt_labels')
      .values(batch.map((row, index) => ({ ...row, position: sql<number>`${lastPosition(row)} + ${index + 1}` })))
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'prompt_id', 'label'])
          .doUpdateSet((eb) => ({ version: eb.ref('excluded.version'), position: eb.ref('excluded.position') })),
      )
      .execute();
  }
}

const lastPosition = ({ account_id, prompt_id }: Insertable<Database['prompt_labels']>) =>
  sql`(select coalesce(max(position), 0) from prompt_labels where account_id = ${account_id} and prompt_id = ${prompt_id})`;
