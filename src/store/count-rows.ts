import type { SelectQueryBuilder } from 'kysely';

/** Counts the rows that a query finds. */
export async function countRows<DB, Tables extends keyof DB>(query: SelectQueryBuilder<DB, Tables, object>): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll<number>().as('count')).$castTo<{ count: number }>();
  return Number((await counted.executeTakeFirstOrThrow()).count);
}
