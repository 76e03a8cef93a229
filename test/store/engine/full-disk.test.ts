import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { sql } from 'kysely';
import { AppError } from '../../../src/errors.ts';
import { openSqlite } from '../../../src/store/engine/sqlite.ts';
import { runTransaction } from '../../../src/store/transaction.ts';

it('SQLite on a full disk: a write gets 503 and is undone, reads still work, and so do writes once there is space', async (test) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'promptharbor-full-'));
  const { db, close } = openSqlite(dataDir);
  test.after(async () => {
    await close();
    await rm(dataDir, { recursive: true });
  });
  await sql`create table texts (text text)`.execute(db);
  // SQLite reports the same error when a file must not grow as when the disk is full.
  const limitPages = (count: number) => sql.raw(`pragma max_page_count = ${count}`).execute(db);
  const insert = (length: number) =>
    runTransaction(db, (transaction) => sql`insert into texts values (${'x'.repeat(length)})`.execute(transaction));
  await insert(10);
  await limitPages(20);
  await assert.rejects(insert(1_000_000), (err) => err instanceof AppError && err.code === 'database_unavailable');
  const count = async () => (await sql<{ count: number }>`select count(*) as count from texts`.execute(db)).rows[0]?.count;
  assert.equal(await count(), 1);
  await limitPages(1_000_000);
  await insert(1_000_000);
  assert.equal(await count(), 2);
});
