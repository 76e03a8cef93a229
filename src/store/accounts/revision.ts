import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

// 31 bits of `revision` and 22 of salt fit into the 53 bits of a number.
const saltRange = 2 ** 22;

/**
 * The revision of a workspace: it increases with every write, and its lower bits are random. After an older backup is restored, the
 * counter repeats, but the revisions do not (docs/decisions/0014-revisions-do-not-repeat.md).
 */
export const revisionSql = revisionSqlOf('accounts');

export const revisionColumn = sql.raw<number>(revisionSql).as('revision');

/** The revision of a row of `accounts`, where a query calls that table by another name. */
export function revisionSqlOf(table: string): string {
  return `cast(${table}.revision as bigint) * ${saltRange} + ${table}.revision_salt`;
}

/**
 * Raises the revision, which invalidates every response cached for the old one, and locks the account's row until the end of the
 * transaction. Returns the usage that quotas limit, or undefined if the account is deleted.
 */
export async function raiseRevision(db: Kysely<Database>, accountId: string) {
  return db
    .updateTable('accounts')
    .set((eb) => ({ revision: eb('revision', '+', 1), revision_salt: randomInt(saltRange) }))
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .returning(['prompt_count as prompts', 'version_count as versions', 'content_bytes as contentBytes'])
    .executeTakeFirst();
}
