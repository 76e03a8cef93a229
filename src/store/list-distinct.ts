import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './tables.ts';

interface DistinctQuery {
  table: keyof Database;
  column: string;
  /** The condition on the rows. There must be an index on its columns, followed by the listed column. */
  where: RawBuilder<unknown>;
  after?: string;
  limit: number;
}

/** Lists the distinct values of a column in order, with one index seek for each. An SQL `distinct` would read every row. */
export async function listDistinct(db: Kysely<Database>, { table, column, where, after = '', limit }: DistinctQuery): Promise<string[]> {
  const value = sql.ref(column);
  const next = (last: RawBuilder<unknown>) =>
    sql`(select ${value} from ${sql.table(table)} where ${where} and ${value} > ${last} order by ${value} limit 1)`;
  const { rows } = await sql<{ value: string }>`with recursive found(value, position) as (
      select ${next(sql`${after}`)}, 1
      union all
      select ${next(sql`found.value`)}, found.position + 1 from found where found.value is not null and found.position < ${limit}
    ) select value from found where value is not null order by position`.execute(db);
  return rows.map((row) => row.value);
}
