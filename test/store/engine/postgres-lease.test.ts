import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import { type Kysely, sql } from 'kysely';
import type { OpenedDatabase } from '../../../src/store/engine/opened-database.ts';
import { openPostgres } from '../../../src/store/engine/postgres.ts';
import type { Database } from '../../../src/store/tables.ts';
import { postgres, type TestDatabase } from '../../support/engines.ts';

const leaseMs = 1000;

describe('The lease of a connection to the primary', () => {
  let database: TestDatabase;
  let opened: OpenedDatabase;
  before(async () => {
    database = await postgres.createMigrated();
    opened = await openPostgres(database.env.DATABASE_URL ?? '', leaseMs);
  });
  after(async () => {
    await opened.close();
    await database.remove();
  });
  afterEach(() => mock.restoreAll());

  const query = async (db: Kysely<Database>) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows;
  function passTime(): void {
    const startedAt = performance.now();
    mock.method(performance, 'now', () => startedAt + 2 * leaseMs);
  }

  it('ends a transaction that reads after the lease has expired', async () => {
    await assert.rejects(
      opened.db.transaction().execute(async (transaction) => {
        await query(transaction);
        passTime();
        await query(transaction);
      }),
      { code: 'database_unavailable' },
    );
  });

  it('ends a snapshot that was not taken in time', async () => {
    await assert.rejects(
      opened.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          passTime();
          await query(transaction);
        }),
      { code: 'database_unavailable' },
    );
  });

  it('does not end a snapshot that was taken in time, however long an export takes, and checks the next transaction again', async () => {
    const snapshot = await opened.streamReader('').startTransaction().setIsolationLevel('repeatable read').execute();
    await query(snapshot);
    passTime();
    assert.deepEqual(await query(snapshot), [{ one: 1 }]);
    await snapshot.commit().execute();
    mock.restoreAll();

    const next = await opened.streamReader('').startTransaction().execute();
    passTime();
    await assert.rejects(query(next), { code: 'database_unavailable' });
    await next.rollback().execute();
  });

  it('does not end long work, such as a migration', async () => {
    const rows = await opened.runLong((db) =>
      db.transaction().execute(async (transaction) => {
        await query(transaction);
        passTime();
        return query(transaction);
      }),
    );
    assert.deepEqual(rows, [{ one: 1 }]);
  });
});
