import { sql } from 'kysely';
import type { Person, Via } from '../../contract/people.ts';

/** Replaces the account id of an author from another service. No account has this id. */
export const importedAuthor = '';

/**
 * Selects the author of a row. Rows that were written before workspaces had members have no author. Their author is the owner, with the
 * owner's current name. The subquery runs only for these rows.
 */
export function personColumns(table: 'prompt_versions' | 'prompt_events') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const ownerName = sql`(select accounts.name from accounts where accounts.id = ${column('account_id')})`;
  return [
    sql<string>`coalesce(${column('by_account_id')}, ${column('account_id')})`.as('byAccountId'),
    sql<string>`coalesce(${column('by_name')}, ${ownerName})`.as('byName'),
  ] as const;
}

export interface PersonRow {
  byAccountId: string;
  byName: string;
  byVia: Via | null;
}

export function toPerson({ byAccountId, byName, byVia }: PersonRow): Person {
  const via = byVia !== null && { via: byVia };
  return byAccountId === importedAuthor ? { name: byName, ...via, imported: true } : { userId: byAccountId, name: byName, ...via };
}
