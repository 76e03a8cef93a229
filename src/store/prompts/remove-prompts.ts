import { type Kysely, sql, type Transaction } from 'kysely';
import { batchRows, deleteBatch } from '../delete-batch.ts';
import { runBatchRows } from '../models/prune.ts';
import type { Database } from '../tables.ts';

/** The content removed in one batch. SQLite follows the chain of pages of every large value that it deletes. */
const batchBytes = 4 * 1024 * 1024;
/** Each has up to 20 labels and 20 tags, which go with it. */
const batchPrompts = 20;

/** Some prompts of an account, in a transaction that holds the account's row. */
interface PromptSet {
  accountId: string;
  promptIds: string[];
}

/** The account with the oldest expired prompt, and some of its expired prompts. */
export async function findExpiredPrompts(db: Kysely<Database>, deletedBefore: Date): Promise<PromptSet | undefined> {
  const time = deletedBefore.toISOString();
  const oldest = await db
    .selectFrom('prompts')
    .select('account_id as accountId')
    .where('deleted_at', '<', time)
    .orderBy('deleted_at')
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return undefined;
  return findPrompts(db, oldest.accountId, deletedBefore);
}

/** Some prompts of an account: those deleted before a time, or any. */
export async function findPrompts(db: Kysely<Database>, accountId: string, deletedBefore?: Date): Promise<PromptSet> {
  let query = db.selectFrom('prompts').select('id').where('account_id', '=', accountId).limit(batchPrompts);
  if (deletedBefore) query = query.where('deleted_at', '<', deletedBefore.toISOString());
  return { accountId, promptIds: (await query.execute()).map(({ id }) => id) };
}

/**
 * Permanently removes a bounded part of some prompts: references, events, runs, cases, checks, versions, and in the end the prompts themselves. Call it
 * until it returns true. The transaction must hold the account's row, because of its counters.
 */
export async function removePrompts(transaction: Transaction<Database>, { accountId, promptIds }: PromptSet): Promise<boolean> {
  if (promptIds.length === 0) return true;
  const ids = sql.join(promptIds);
  const references = await deleteBatch(transaction, {
    table: 'prompt_references',
    key: ['account_id', 'prompt_id', 'version', 'name', 'label'],
    where: sql`account_id = ${accountId} and prompt_id in (${ids})`,
  });
  if (references > 0) return false;
  const events = await deleteBatch(transaction, {
    table: 'prompt_events',
    key: ['account_id', 'prompt_id', 'id'],
    where: sql`account_id = ${accountId} and prompt_id in (${ids})`,
  });
  const hasMoreRuns = await removeRuns(transaction, { accountId, promptIds });
  const hasMoreVersions = await removeVersions(transaction, { accountId, promptIds });
  if (hasMoreVersions || events === batchRows || hasMoreRuns) return false;
  const result = await transaction
    .deleteFrom('prompts')
    .where('account_id', '=', accountId)
    .where('id', 'in', promptIds)
    .executeTakeFirstOrThrow();
  await countRemoved(transaction, accountId, { prompts: Number(result.numDeletedRows), versions: 0, bytes: 0 });
  return true;
}

/** Removes a batch of each kind. Returns whether there may be more. */
async function removeRuns(transaction: Transaction<Database>, { accountId, promptIds }: PromptSet): Promise<boolean> {
  const where = sql`account_id = ${accountId} and prompt_id in (${sql.join(promptIds)})`;
  const key: ['account_id', 'prompt_id', 'id'] = ['account_id', 'prompt_id', 'id'];
  const cases = await transaction
    .selectFrom('prompt_cases')
    .select(['prompt_id', 'id', 'bytes'])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', promptIds)
    .limit(runBatchRows)
    .execute();
  if (cases.length > 0) {
    const ids = cases.map(({ id }) => id);
    await transaction
      .deleteFrom('prompt_cases')
      .where('account_id', '=', accountId)
      .where('prompt_id', 'in', promptIds)
      .where('id', 'in', ids)
      .execute();
    await countRemoved(transaction, accountId, { prompts: 0, versions: 0, bytes: cases.reduce((sum, { bytes }) => sum + bytes, 0) });
  }
  const runs = await deleteBatch(transaction, { table: 'prompt_runs', key, where, limit: runBatchRows });
  const checks = await deleteBatch(transaction, { table: 'prompt_checks', key, where, limit: runBatchRows });
  return [cases.length, runs, checks].includes(runBatchRows);
}

/** Removes versions up to a number of rows and bytes, with the labels on them. Returns whether there may be more. */
async function removeVersions(transaction: Transaction<Database>, { accountId, promptIds }: PromptSet): Promise<boolean> {
  const found = await transaction
    .selectFrom('prompt_versions')
    .select(['prompt_id', 'version', sql<number>`octet_length(content) + octet_length(config)`.as('bytes')])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', promptIds)
    .orderBy('prompt_id')
    .orderBy('version')
    .limit(batchRows)
    .execute();
  let versions = 0;
  let bytes = 0;
  for (const row of found) {
    if (versions > 0 && bytes + row.bytes > batchBytes) break;
    versions += 1;
    bytes += row.bytes;
  }
  if (versions === 0) return false;
  // A statement for each prompt, so that each is a range of the primary key: together, all versions would be looked at.
  const lastOfEach = new Map(found.slice(0, versions).map(({ prompt_id, version }) => [prompt_id, version]));
  for (const [promptId, version] of lastOfEach) {
    await transaction
      .deleteFrom('prompt_versions')
      .where('account_id', '=', accountId)
      .where('prompt_id', '=', promptId)
      .where('version', '<=', version)
      .execute();
  }
  await countRemoved(transaction, accountId, { prompts: 0, versions, bytes });
  return versions < found.length || found.length === batchRows;
}

/** Instances of an earlier version do not count, so the counters may be too small; they never become negative. */
async function countRemoved(
  transaction: Transaction<Database>,
  accountId: string,
  removed: { prompts: number; versions: number; bytes: number },
): Promise<void> {
  const subtract = (column: string, count: number) =>
    sql<number>`case when ${sql.ref(column)} > ${count} then ${sql.ref(column)} - ${count} else 0 end`;
  await transaction
    .updateTable('accounts')
    .set({
      prompt_count: subtract('prompt_count', removed.prompts),
      version_count: subtract('version_count', removed.versions),
      content_bytes: subtract('content_bytes', removed.bytes),
    })
    .where('id', '=', accountId)
    .execute();
}
