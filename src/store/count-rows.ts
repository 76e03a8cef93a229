import { type SelectQueryBuilder, sql } from 'kysely';

/** Counts the rows that a query finds. */
export async function countRows<DB, Tables extends keyof DB>(query: SelectQueryBuilder<DB, Tables, object>): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll<number>().as('count')).$castTo<{ count: number }>();
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

/** Returns whether a query finds any rows. */
export async function hasRows<DB, Tables extends keyof DB>(query: SelectQueryBuilder<DB, Tables, object>): Promise<boolean> {
  return (await query.select(sql`1`.as('found')).limit(1).executeTakeFirst()) !== undefined;
}
