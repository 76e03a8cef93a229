import { sql } from 'kysely';

/**
 * Who made the change in a row. Rows from before workspaces had members name nobody: it was the owner, who has the current name. The
 * subquery runs only for those.
 */
export function personColumns(table: 'prompt_versions' | 'prompt_events') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const ownerName = sql`(select accounts.name from accounts where accounts.id = ${column('account_id')})`;
  return [
    sql<string>`coalesce(${column('by_account_id')}, ${column('account_id')})`.as('byAccountId'),
    sql<string>`coalesce(${column('by_name')}, ${ownerName})`.as('byName'),
  ] as const;
}
