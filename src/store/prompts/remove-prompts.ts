import { type Kysely, sql, type Transaction } from 'kysely';
import { batchRows, deleteBatch, largeBatchRows } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { ofPrompt } from './prompt-owner.ts';
import { storeUsage } from './quota-usage.ts';

/** The maximum number of bytes that are removed in one batch. SQLite visits all pages of every large value that it deletes. */
const batchBytes = 4 * 1024 * 1024;
/** The number of prompts per batch. Each prompt has up to 20 labels and 20 tags, which are deleted with the prompt. */
const batchPrompts = 20;

/** A batch of prompts of an account whose row the transaction has locked. */
interface PromptSet {
  accountId: string;
  promptIds: string[];
}

/** Finds the account with the oldest expired prompt, and a batch of its expired prompts. */
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

/** Finds a batch of prompts of an account. If a time is given, finds only prompts that were deleted before it. */
export async function findPrompts(db: Kysely<Database>, accountId: string, deletedBefore?: Date): Promise<PromptSet> {
  let query = db.selectFrom('prompts').select('id').where('account_id', '=', accountId).limit(batchPrompts);
  if (deletedBefore) query = query.where('deleted_at', '<', deletedBefore.toISOString());
  return { accountId, promptIds: (await query.execute()).map(({ id }) => id) };
}

/**
 * Permanently removes a batch of the rows of the given prompts: references, events, comments, runs, test cases, candidates, check runs,
 * versions, search texts, and finally the prompts themselves. Call this until it returns true. The transaction must have locked the
 * account's row, because its counters change.
 */
export async function removePrompts(transaction: Transaction<Database>, { accountId, promptIds }: PromptSet): Promise<boolean> {
  if (promptIds.length === 0) return true;
  const ofPrompts = sql`account_id = ${accountId} and prompt_id in (${sql.join(promptIds)})`;
  if ((await deleteBatch(transaction, 'prompt_references', ofPrompts)) > 0) return false;
  const events = await deleteBatch(transaction, 'prompt_events', ofPrompts);
  const comments = await deleteBatch(transaction, 'comments', ofPrompts);
  const hasMoreRuns = await removeRuns(transaction, { accountId, promptIds });
  const hasMoreVersions = await removeVersions(transaction, { accountId, promptIds });
  const { hasMore: hasMoreTexts } = await removeContent(transaction, 'prompt_texts', { accountId, promptIds });
  if (hasMoreVersions || hasMoreTexts || events === batchRows || comments === batchRows || hasMoreRuns) return false;
  const result = await transaction
    .deleteFrom('prompts')
    .where('account_id', '=', accountId)
    .where('id', 'in', promptIds)
    .executeTakeFirstOrThrow();
  await storeUsage(transaction, accountId, { prompts: -Number(result.numDeletedRows) });
  return true;
}

/** Removes one batch each of the prompts' test cases, candidates, runs and check runs. Returns whether more rows may remain. */
async function removeRuns(transaction: Transaction<Database>, { accountId, promptIds }: PromptSet): Promise<boolean> {
  const ofPrompts = sql`account_id = ${accountId} and prompt_id in (${sql.join(promptIds)})`;
  const contents: number[] = [];
  for (const table of [sql.table('prompt_cases'), sql.table('prompt_candidates')]) {
    const { rows } = await sql<{ bytes: number }>`delete from ${table} where (account_id, prompt_id, id) in
      (select account_id, prompt_id, id from ${table} where ${ofPrompts} limit ${largeBatchRows}) returning bytes`.execute(transaction);
    await storeUsage(transaction, accountId, { contentBytes: -rows.reduce((sum, { bytes }) => sum + bytes, 0) });
    contents.push(rows.length);
  }
  const runs = await deleteBatch(transaction, 'prompt_runs', ofPrompts);
  const checks = await deleteBatch(transaction, 'prompt_checks', ofPrompts);
  return [...contents, runs, checks].includes(largeBatchRows);
}

/** Removes a batch of versions and their labels. Returns whether more versions may remain. */
async function removeVersions(transaction: Transaction<Database>, prompts: PromptSet): Promise<boolean> {
  const { rows, bytes, hasMore } = await removeContent(transaction, 'prompt_versions', prompts);
  if (rows > 0) await storeUsage(transaction, prompts.accountId, { versions: -rows, contentBytes: -bytes });
  return hasMore;
}

const contentSizes = {
  prompt_versions: sql<number>`octet_length(content) + octet_length(config)`,
  prompt_texts: sql<number>`octet_length(text)`,
};

/**
 * Removes rows in the order of prompts and versions, up to a number of rows and bytes. Returns the amounts that were removed, and whether
 * more rows may remain.
 */
async function removeContent(
  transaction: Transaction<Database>,
  table: keyof typeof contentSizes,
  { accountId, promptIds }: PromptSet,
): Promise<{ rows: number; bytes: number; hasMore: boolean }> {
  const found = await transaction
    .selectFrom(table)
    .select(['prompt_id', 'version', contentSizes[table].as('bytes')])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', promptIds)
    .orderBy('prompt_id')
    .orderBy('version')
    .limit(batchRows)
    .execute();
  let rows = 0;
  let bytes = 0;
  for (const row of found) {
    if (rows > 0 && bytes + row.bytes > batchBytes) break;
    rows += 1;
    bytes += row.bytes;
  }
  // There is one statement for each prompt, so that each statement uses a range of the primary key. A single statement would scan all rows.
  const lastOfEach = new Map(found.slice(0, rows).map(({ prompt_id, version }) => [prompt_id, version]));
  for (const [promptId, version] of lastOfEach) {
    await transaction.deleteFrom(table).where(ofPrompt({ accountId, promptId })).where('version', '<=', version).execute();
  }
  return { rows, bytes, hasMore: rows < found.length || found.length === batchRows };
}
