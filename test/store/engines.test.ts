import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { AppError } from '../../src/errors.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Database } from '../../src/store/tables.ts';
import { runTransaction } from '../../src/store/transaction.ts';
import { engines, postgres, type TestDatabase } from '../support/engines.ts';

async function openMigrated(database: TestDatabase): Promise<OpenedDatabase> {
  const opened = await openDatabase({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL });
  await migrate(opened.db);
  return opened;
}

for (const engine of engines) {
  describe(`the database (${engine.name})`, () => {
    let database: TestDatabase;
    let opened: OpenedDatabase;
    let db: Kysely<Database>;
    before(async () => {
      database = await engine.create();
      opened = await openMigrated(database);
      db = opened.db;
    });
    after(async () => {
      await opened.close();
      await database.remove();
    });

    it('lets other work run between the queries of a reader', async () => {
      let hasRun = false;
      setImmediate(() => {
        hasRun = true;
      });
      for (let queries = 0; !hasRun && queries < 1000; queries += 1) await sql`select 1`.execute(opened.reader('u_1'));
      assert.ok(hasRun);
    });

    it('sorts and compares text byte by byte, in any locale', async () => {
      const names = [
        'sort-é',
        'sort-b',
        'sort-B',
        'sort-_',
        'sort-a',
        'sort-A',
        'sort-/',
        'sort-2026-01-01T00:00:00.000Z',
        'sort-ab',
        'sort-Z',
      ];
      await db
        .insertInto('meta')
        .values(names.map((name) => ({ name, value: '' })))
        .execute();
      const rows = await db.selectFrom('meta').select('name').where('name', 'like', 'sort-%').orderBy('name').execute();
      const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(
        rows.map(({ name }) => name),
        byBytes,
      );
      const after = await db
        .selectFrom('meta')
        .select('name')
        .where('name', '>', 'sort-Z')
        .where('name', '<', 'sort-c')
        .orderBy('name')
        .execute();
      assert.deepEqual(
        after.map(({ name }) => name),
        ['sort-_', 'sort-a', 'sort-ab', 'sort-b'],
      );
    });

    it('gives counts, sums and averages as numbers', async () => {
      const { rows } =
        await sql`select count(*) as count, sum(n) as sum, avg(n) as avg from (select 1 as n union all select 2) as t`.execute(db);
      assert.deepEqual({ ...(rows[0] as object) }, { count: 2, sum: 3, avg: 1.5 });
    });

    it('400: refuses NUL', async () => {
      const insertion = db.insertInto('meta').values({ name: 'with NUL', value: 'a\0b' }).execute();
      await assert.rejects(insertion, (err) => err instanceof AppError && err.code === 'invalid_input');
      const lookup = db.selectFrom('meta').selectAll().where('name', '=', '\0').execute();
      await assert.rejects(lookup, (err) => err instanceof AppError && err.code === 'invalid_input');
    });

    it('stores every other character unchanged', async () => {
      const value = 'é ſ İ \u{1F3F3}\u{FE0F}\u{200D}\u{1F308} \u0001 \u007f \u2028 \\ \' " `; drop table meta; --';
      await db.insertInto('meta').values({ name: 'characters', value }).execute();
      const row = await db.selectFrom('meta').select('value').where('name', '=', 'characters').executeTakeFirst();
      assert.equal(row?.value, value);
    });

    it('rolls a failed transaction back', async () => {
      const failing = runTransaction(db, async (transaction) => {
        await transaction.insertInto('meta').values({ name: 'half', value: '' }).execute();
        throw new Error('out of luck');
      });
      await assert.rejects(failing, /out of luck/);
      assert.equal(await db.selectFrom('meta').selectAll().where('name', '=', 'half').executeTakeFirst(), undefined);
    });
  });
}

describe('a statement or transaction that loses a conflict (PostgreSQL)', () => {
  let database: TestDatabase;
  let opened: OpenedDatabase;
  let db: Kysely<Database>;
  before(async () => {
    database = await postgres.create();
    opened = await openMigrated(database);
    db = opened.db;
    await db
      .insertInto('meta')
      .values(['one', 'two'].map((name) => ({ name, value: '0' })))
      .execute();
    // A rollback does not reset a sequence, so the first two calls of the function fail and the third one succeeds.
    await sql`create sequence calls`.execute(db);
    await sql`create function fail_twice(state text) returns bigint language plpgsql as $$
      begin
        if nextval('calls') % 3 > 0 then raise exception using errcode = state, message = 'lost'; end if;
        return currval('calls');
      end $$`.execute(db);
  });
  after(async () => {
    await opened.close();
    await database.remove();
  });

  it('is repeated when it is a single statement: 40001 and 40P01', async () => {
    for (const state of ['40001', '40P01']) {
      const { rows } = await sql<{ calls: number }>`select fail_twice(${state}) as calls`.execute(db);
      assert.equal(Number(rows[0]?.calls) % 3, 0);
    }
  });

  it('is repeated from its start when it is a transaction', async () => {
    let runs = 0;
    await runTransaction(db, async (transaction) => {
      runs += 1;
      await transaction.updateTable('meta').set({ value: 'changed' }).where('name', '=', 'one').execute();
      await sql`select fail_twice('40001')`.execute(transaction);
    });
    assert.equal(runs, 3);
  });

  it('is repeated after a real deadlock', async () => {
    const firsts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const change = (own: number, order: string[]) =>
      runTransaction(db, async (transaction) => {
        for (const name of order) {
          await transaction
            .updateTable('meta')
            .set({ value: sql<string>`value || ${own}` })
            .where('name', '=', name)
            .execute();
          firsts[own]?.resolve();
          await Promise.all(firsts.map(({ promise }) => promise));
        }
      });
    await db.updateTable('meta').set({ value: '' }).execute();
    await Promise.all([change(0, ['one', 'two']), change(1, ['two', 'one'])]);
    const rows = await db.selectFrom('meta').selectAll().where('name', 'in', ['one', 'two']).execute();
    for (const { value } of rows) assert.deepEqual([...value].sort(), ['0', '1']);
  });

  it('503: fails when it keeps losing', async () => {
    const losing = sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(db);
    await assert.rejects(losing, (err) => err instanceof AppError && err.code === 'database_unavailable');
  });

  it('is not repeated after any other error', async () => {
    const before = await sql<{ calls: number }>`select nextval('calls') as calls`.execute(db);
    await assert.rejects(sql`select fail_twice('22012'), fail_twice('22012')`.execute(db), /lost/);
    const after = await sql<{ calls: number }>`select nextval('calls') as calls`.execute(db);
    assert.ok(Number(after.rows[0]?.calls) - Number(before.rows[0]?.calls) <= 3);
  });
});
