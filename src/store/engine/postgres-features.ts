import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';
import { openPostgres } from './postgres.ts';

const table = 'promptharbor_doctor';

/** The features that the service needs of a server besides tables, each with a statement that tests it. */
const features: Record<string, string> = {
  'partial indexes': `create index ${table}_partial on ${table} (number, id) where number is not null`,
  'insert … on conflict … returning': `insert into ${table} (id, number) values ('a', 1), ('B', 2)
    on conflict (id) do update set number = excluded.number returning number`,
  'sorting by byte': `select 1 / (case when (select id from ${table} order by id limit 1) = 'B' then 1 else 0 end)`,
  'lateral joins': `select x.id from ${table} as t left join lateral (select id from ${table} as s where s.id = t.id limit 1) as x on true`,
  'arrays of values': `select value from unnest(array['a', 'b']) as value where value = any(array['a'])`,
  'lists of rows': `select column1 from (values ('a', 1), ('b', 2)) as given`,
  'window functions': `select id, row_number() over (partition by number order by id) from ${table}`,
};

export interface MissingFeature {
  name: string;
  message: string;
}

/** Tries each feature on the server, and changes nothing there. Returns the features that are missing. */
export async function findMissingFeatures(url: string): Promise<MissingFeature[]> {
  const opened = await openPostgres(url);
  try {
    const missing: MissingFeature[] = [];
    const attempt = async (name: string, work: () => Promise<unknown>): Promise<boolean> => {
      try {
        await work();
        return true;
      } catch (err) {
        missing.push({ name, message: err instanceof Error ? err.message : String(err) });
        return false;
      }
    };
    await rolledBack(opened.db, (db) =>
      attempt('snapshots (repeatable read)', () => sql`set transaction isolation level repeatable read`.execute(db)),
    );
    await rolledBack(opened.db, async (db) => {
      // The columns have the types and the collation of the service's own tables.
      const create = db.schema
        .createTable(table)
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('number', 'bigint');
      if (!(await attempt('tables in a transaction', () => create.execute()))) return;
      for (const [name, statement] of Object.entries(features)) {
        await sql`savepoint feature`.execute(db);
        const isThere = await attempt(name, () => sql.raw(statement).execute(db));
        if (!isThere) await sql`rollback to savepoint feature`.execute(db);
      }
    });
    return missing;
  } finally {
    await opened.close();
  }
}

async function rolledBack(db: Kysely<Database>, work: (db: Kysely<Database>) => Promise<unknown>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      await work(connection);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}
