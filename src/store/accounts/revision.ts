import { randomInt } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

// 31 bits of `revision` and 22 of salt fit into the 53 bits of a number.
export const saltRange = 2 ** 22;

/**
 * The revision of a workspace: it increases with every write, and its lower bits are random. After an older backup is restored, the
 * counter repeats, but the revisions do not (docs/decisions/0014-revisions-do-not-repeat.md).
 */
export const revisionSql = revisionSqlOf('accounts');

/** The number of the write that led to a revision. */
export function countOf(revision: number): number {
  return Math.floor(revision / saltRange);
}

export const revisionColumn = sql.raw<number>(revisionSql).as('revision');

/** Sets a higher revision, which invalidates every response cached for the old one. */
export function nextRevision(eb: ExpressionBuilder<Database, 'accounts'>) {
  return { revision: eb('revision', '+', 1), revision_salt: randomInt(saltRange) };
}

/** The revisions that a transaction gives to its events, from a row that raiseRevision has locked. */
export function createRevisionClaims(accountId: string, raised: { revision: number; salt: number }) {
  let claimed = 0;
  return {
    claim(): number {
      claimed += 1;
      return (raised.revision + claimed - 1) * saltRange + raised.salt;
    },
    /** Stores how far they have come. Call it before the commit. */
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

/** How often a workspace was written to. */
export async function countChanges(db: Kysely<Database>, accountId: string): Promise<number> {
  const row = await db.selectFrom('accounts').select('revision').where('id', '=', accountId).executeTakeFirst();
  return row?.revision ?? 0;
}

/** The revision of a row of `accounts`, where a query calls that table by another name. */
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
  'enabled_webhooks as enabledWebhooks',
] as const;

/**
 * Raises the revision and locks the account's row until the end of the transaction. Returns what a change needs to know: the usage that
 * quotas limit, and the labels (JSON) that only deployers may move or that require passing checks. Undefined if the account is deleted.
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
