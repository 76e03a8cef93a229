import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { decodeSketch, encodeSketch, type KeySketch, mergeSketch } from '../../platform/key-sketch.ts';
import { ofPrompt, type PromptOwner } from '../prompts/prompt-owner.ts';
import { createBatchRunner, type RowStatement } from './batched-statements.ts';
import type { StatisticsDatabase } from './tables.ts';

/** The distinct keys with which a prompt was read on a day, such as `2026-03-01`. The keys themselves are not stored. */
export interface PromptKeys extends PromptOwner {
  day: string;
  sketch: KeySketch;
}

/** Returns a function that merges sketches of keys into the rows. */
export function createKeyWriter(db: Kysely<StatisticsDatabase>) {
  const runInBatches = createBatchRunner(db);
  return async (transaction: Transaction<StatisticsDatabase>, keys: PromptKeys[]): Promise<void> => {
    const added = new Map(keys.map((row) => [nameRow(row.accountId, row.promptId, row.day), row]));
    // The statement returns these columns.
    const stored = (await runInBatches(transaction, insertOrLock, keys.map(toRow))) as Selectable<StatisticsDatabase['prompt_keys']>[];
    const changed = stored.flatMap(({ account_id, prompt_id, day, sketch: text }) => {
      const row = added.get(nameRow(account_id, prompt_id, day));
      const sketch = decodeSketch(text);
      return row && mergeSketch(sketch, row.sketch) ? [{ ...row, sketch }] : [];
    });
    await runInBatches(transaction, replace, changed.map(toRow));
  };
}

export function createPromptKeyStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads the sketches of the keys with which a prompt was read since a day. */
    async readKeys(owner: PromptOwner, since: string): Promise<KeySketch[]> {
      const rows = await db.selectFrom('prompt_keys').select('sketch').where(ofPrompt(owner)).where('day', '>=', since).execute();
      return rows.map(({ sketch }) => decodeSketch(sketch));
    },
  };
}

const toRow = ({ accountId, promptId, day, sketch }: PromptKeys) => [accountId, promptId, day, encodeSketch(sketch)];
const nameRow = (accountId: string, promptId: string, day: string) => `${accountId} ${promptId} ${day}`;

/** Inserts rows and returns them. Existing rows are returned unchanged, and locked, so that no other instance merges into them. */
const insertOrLock: RowStatement = (db, rowCount) =>
  insert(db, rowCount)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet({ sketch: sql<string>`prompt_keys.sketch` }))
    .returningAll();

const replace: RowStatement = (db, rowCount) =>
  insert(db, rowCount).onConflict((conflict) => conflict.columns(key).doUpdateSet((eb) => ({ sketch: eb.ref('excluded.sketch') })));

const key = ['account_id', 'prompt_id', 'day'] as const;

function insert(db: Kysely<StatisticsDatabase>, rowCount: number) {
  return db.insertInto('prompt_keys').values(Array(rowCount).fill({ account_id: '', prompt_id: '', day: '', sketch: '' }));
}
