import { randomInt } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

// The range of the salt: 31 bits of `revision` and 22 bits of salt fit into the 53 bits of a number.
export const saltRange = 2 ** 22;

/**
 * The SQL of a workspace's revision. A revision increases with every write, and its lower bits are random. After an older backup is
 * restored, the counter repeats, but the revisions do not (docs/decisions/0014-revisions-do-not-repeat.md).
 */
export const revisionSql = revisionSqlOf('accounts');

/** Returns the number of the write that led to a revision. */
export function countOf(revision: number): number {
  return Math.floor(revision / saltRange);
}

export const revisionColumn = sql.raw<number>(revisionSql).as('revision');

/** Returns a higher revision, which invalidates every response that was cached for the old revision. */
export function nextRevision(eb: ExpressionBuilder<Database, 'accounts'>) {
  return { revision: eb('revision', '+', 1), revision_salt: randomInt(saltRange) };
}

/** Assigns revisions to the events of a transaction, in which raiseRevision has locked the account's row. */
export function createRevisionClaims(accountId: string, raised: { revision: number; salt: number }) {
  let claimed = 0;
  return {
    claim(): number {
      claimed += 1;
      return (raised.revision + claimed - 1) * saltRange + raised.salt;
    },
    /** Stores the last assigned revision. Call it before the commit. */
    async store(db: Kysely<Database>): Promise<void> {
      if (claimed <= 1) return;
      await db
        .updateTable('accounts')
        .set({ revision: raised.revision + claimed - 1 })
        .where('id', '=', accountId)
        .execute();
    },
  };
}

/** Counts the writes to a workspace. */
export async function countChanges(db: Kysely<Database>, accountId: string): Promise<number> {
  const row = await db.selectFrom('accounts').select('revision').where('id', '=', accountId).executeTakeFirst();
  return row?.revision ?? 0;
}

/** Returns the SQL of the revision for a query that uses another name for the table `accounts`. */
export function revisionSqlOf(table: string): string {
  return `cast(${table}.revision as bigint) * ${saltRange} + ${table}.revision_salt`;
}

const workspaceColumns = [
  'revision',
  'revision_salt as salt',
  'prompt_count as prompts',
  'version_count as versions',
  'content_bytes as contentBytes',
  'protected_labels as protectedLabels',
  'gated_labels as gatedLabels',
  'label_rules as labelRules',
  'enabled_webhooks as enabledWebhooks',
] as const;

/**
 * Raises the revision and locks the account's row until the end of the transaction. Returns the data that a change needs: the usage that
 * quotas limit, and the rules of labels (as JSON). Returns undefined if the account is deleted.
 */
export async function raiseRevision(db: Kysely<Database>, accountId: string) {
  return db
    .updateTable('accounts')
    .set(nextRevision)
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .returning(workspaceColumns)
    .executeTakeFirst();
}
