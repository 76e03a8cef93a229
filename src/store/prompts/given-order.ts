import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** The tags and labels of a prompt in the order in which they were given. */
export interface GivenOrder {
  tags: string[];
  labels: string[];
}

/** Lists the tags and labels of prompts in the order in which they were given. */
export async function listGivenOrder(db: Kysely<Database>, accountId: string, promptIds: string[]): Promise<Map<string, GivenOrder>> {
  const orders = new Map(promptIds.map((id): [string, GivenOrder] => [id, { tags: [], labels: [] }]));
  if (promptIds.length === 0) return orders;
  // The queries sort like the primary keys. For any other order, SQLite would scan the tags and labels of all prompts.
  const tags = await db
    .selectFrom('prompt_tags')
    .select(['prompt_id', 'tag', 'position'])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', promptIds)
    .orderBy('prompt_id')
    .orderBy('tag')
    .execute();
  const labels = await db
    .selectFrom('prompt_labels')
    .select(['prompt_id', 'label', 'position'])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', promptIds)
    .orderBy('prompt_id')
    .orderBy('label')
    .execute();
  for (const { prompt_id, tag } of tags.sort(byPosition)) orders.get(prompt_id)?.tags.push(tag);
  for (const { prompt_id, label } of labels.sort(byPosition)) orders.get(prompt_id)?.labels.push(label);
  return orders;
}

/** Compares two tags or labels of a prompt. Tags or labels with the same position are sorted by name. */
function byPosition(one: { position: number }, other: { position: number }): number {
  return one.position - other.position;
}
