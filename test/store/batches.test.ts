import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { createAccountStore } from '../../src/store/accounts/accounts.ts';
import { batchRows, deleteBefore } from '../../src/store/delete-batch.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { findExpiredPrompts, removePrompts } from '../../src/store/prompts/remove-prompts.ts';
import { createPromptStatisticsStore } from '../../src/store/statistics/prompt-statistics.ts';
import { createRetentionStore } from '../../src/store/statistics/retention.ts';
import { createStatisticsStore } from '../../src/store/statistics/statistics.ts';
import type { StatisticsDatabase } from '../../src/store/statistics/tables.ts';
import { createUsageCountStore } from '../../src/store/statistics/usage-counts.ts';
import type { Database } from '../../src/store/tables.ts';
import { runTransaction } from '../../src/store/transaction.ts';
import { engines, type TestDatabase } from '../support/engines.ts';

const rowCount = 2 * batchRows + 100;
const old = '2020-01-01T00:00:00.000Z';
const recent = '2026-01-01T00:00:00.000Z';
const between = new Date('2024-01-01T00:00:00.000Z');

const tables = [
  'sessions',
  'verifications',
  'throttles',
  'account_events',
  'events',
  'webhook_deliveries',
  'prompt_events',
  'prompt_references',
  'prompt_versions',
  'prompt_labels',
  'prompt_tags',
  'prompts',
] as const;
const statisticsTables = ['call_statistics', 'prompt_statistics', 'render_errors', 'statistics_writers'] as const;
type Counts = Record<string, number>;

for (const engine of engines) {
  describe(`deleting in batches (${engine.name})`, () => {
    let database: TestDatabase;
    let opened: OpenedDatabase;
    let db: Kysely<Database>;
    let statistics: Kysely<StatisticsDatabase>;
    before(async () => {
      database = await engine.create();
      opened = await openDatabase({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL });
      ({ db, statistics } = opened);
      await migrate(db);
      opened.prepareStatistics();
      await insertAccount(db, 'u_kept');
      await insertRows(opened, 'u_kept', { count: 3, time: recent });
    });
    after(async () => {
      await opened.close();
      await database.remove();
    });

    /** Runs batches until nothing is left. Returns the largest number of rows that one batch deleted. */
    async function runAll(runBatch: () => Promise<boolean | number>): Promise<number> {
      let most = 0;
      for (let left = await countAll(opened); await runBatch(); ) {
        const now = await countAll(opened);
        most = Math.max(most, left - now);
        left = now;
      }
      return most;
    }

    it('expired rows are deleted a batch at a time, until only current ones are left', async () => {
      const kept = await countRows(opened);
      await insertAccount(db, 'u_expired');
      await insertRows(opened, 'u_expired', { count: rowCount, time: old });
      const sweeps = {
        sessions: () => deleteBefore(db, 'sessions', between),
        verifications: () => deleteBefore(db, 'verifications', between),
        throttles: () => deleteBefore(db, 'throttles', between),
        account_events: () => deleteBefore(db, 'account_events', between),
        events: () => deleteBefore(db, 'events', between),
        webhook_deliveries: () => deleteBefore(db, 'webhook_deliveries', between),
        statistics: () => createRetentionStore(statistics).deleteBefore('2024-01-01'),
        statistics_writers: () => createUsageCountStore(statistics).deleteWritersUnusedSince(between),
      };
      for (const [name, runBatch] of Object.entries(sweeps)) assert.equal(await runAll(runBatch), batchRows, name);

      const mostPromptRows = await runAll(async () => {
        const expired = await findExpiredPrompts(db, between);
        if (!expired) return false;
        await runTransaction(db, (transaction) => removePrompts(transaction, expired));
        return true;
      });
      assert.ok(mostPromptRows <= 2 * batchRows + 100, `${mostPromptRows} rows in one batch`);
      assert.deepEqual(await countRows(opened), kept);
      const usage = await db
        .selectFrom('accounts')
        .select(['prompt_count', 'version_count', 'content_bytes'])
        .where('id', '=', 'u_expired')
        .executeTakeFirst();
      assert.deepEqual({ ...usage }, { prompt_count: 0, version_count: 0, content_bytes: 0 });
    });

    it('large versions are removed a few at a time', async () => {
      await insertAccount(db, 'u_large');
      await insertPrompt(db, 'u_large', old);
      for (let version = 1; version <= 10; version += 1) await insertVersion(db, 'u_large', version, 'x'.repeat(2 ** 20));
      const expired = await findExpiredPrompts(db, between);
      assert.ok(expired);
      assert.equal(await runTransaction(db, (transaction) => removePrompts(transaction, expired)), false);
      const { left } = await db
        .selectFrom('prompt_versions')
        .select((eb) => eb.fn.countAll<number>().as('left'))
        .where('account_id', '=', 'u_large')
        .executeTakeFirstOrThrow();
      assert.equal(left, 7, 'three of a bit more than 1 MiB fit into 4 MiB');
    });

    it('large search texts are removed a few at a time', async () => {
      await insertAccount(db, 'u_texts');
      await insertPrompt(db, 'u_texts', old);
      for (let version = 0; version < 10; version += 1) {
        const row = { account_id: 'u_texts', prompt_id: 'p', version, text: 'x'.repeat(2 ** 20) };
        await db.insertInto('prompt_texts').values(row).execute();
      }
      const prompts = { accountId: 'u_texts', promptIds: ['p'] };
      assert.equal(await runTransaction(db, (transaction) => removePrompts(transaction, prompts)), false);
      const { left } = await db
        .selectFrom('prompt_texts')
        .select((eb) => eb.fn.countAll<number>().as('left'))
        .where('account_id', '=', 'u_texts')
        .executeTakeFirstOrThrow();
      assert.equal(left, 6, 'four of 1 MiB fit into 4 MiB');
    });

    it('a deleted account is inaccessible at once, its rows are deleted in batches, and no rows of others are', async () => {
      const accounts = createAccountStore(db);
      const kept = await countRows(opened);
      await insertAccount(db, 'u_gone');
      await insertRows(opened, 'u_gone', { count: rowCount, time: recent });
      // These rows have no foreign key to an account.
      await db.deleteFrom('throttles').where('name', 'like', 'u_gone%').execute();
      await statistics.deleteFrom('statistics_writers').where('id', 'like', 'u_gone%').execute();
      await db.deleteFrom('verifications').where('id', 'like', 'u_gone%').execute();
      assert.deepEqual(await accounts.delete('u_gone'), ['u_gone']);
      assert.deepEqual(await accounts.delete('u_gone'), [], 'only once');
      assert.equal(await accounts.findById('u_gone'), undefined);
      assert.equal(await accounts.findByEmail('u_gone@example.com'), undefined);
      assert.ok((await accounts.list('', 10)).every(({ id }) => id !== 'u_gone'));
      const left = { ...(await db.selectFrom('accounts').selectAll().where('id', '=', 'u_gone').executeTakeFirst()) };
      assert.doesNotMatch(JSON.stringify(left), /example\.com|secret of/, 'nothing personal and no credential is left');

      assert.equal(await accounts.removeDeleted('u_kept'), true, 'an account that is not deleted loses nothing');
      assert.equal(await accounts.findDeleted(), 'u_gone');
      const most = await runAll(async () => !(await accounts.removeDeleted('u_gone')));
      assert.ok(most <= 2 * batchRows + 100, `${most} rows in one batch`);
      assert.equal(await accounts.findDeleted(), undefined);
      assert.equal(await runAll(() => createRetentionStore(statistics).deleteAccount('u_gone')), batchRows);
      assert.deepEqual(await countRows(opened), kept);
    });

    it('statistics of many rows are complete, and list the most called', async () => {
      for (const hour of ['00', '05', '06', '23'])
        await insertStatistics(statistics, 'u_many', { count: 3000, time: `2025-01-01T${hour}` });
      await insertStatistics(statistics, 'u_many', { count: 6000, time: '2025-01-02' });
      await insertStatistics(statistics, 'u_many', { count: 10, time: '2025-01-03T00' });
      for (const interval of ['hour', 'day'] as const) {
        const range = { accountId: 'u_many', from: '2025-01-01', to: '2025-01-03', interval };
        const { series, routes, statuses, buckets, prompts, versions } = await createStatisticsStore(db, statistics).readWorkspace(range);
        for (const rows of [series, routes, statuses, buckets]) {
          assert.equal(
            rows.reduce((sum, { calls }) => sum + calls, 0),
            4 * 3000 + 6000,
          );
        }
        assert.deepEqual(
          versions.map(({ version }) => version),
          Array.from({ length: 5000 }, (_, index) => index + 1),
        );
        assert.deepEqual(
          prompts.map((prompt) => ({ ...prompt })),
          [{ promptId: 'p', calls: 18_000, errors: 0 }],
        );
        assert.equal(versions[0]?.calls, 5);
      }
      const range = { accountId: 'u_many', promptId: 'p', from: '2025-01-01T05', to: '2025-01-03', interval: 'hour' } as const;
      const store = createPromptStatisticsStore(statistics);
      const ofPrompt = await store.readPrompt({ ...range, status: 200 });
      assert.deepEqual(ofPrompt.series.map(({ time, calls }) => `${time} ${calls}`).sort(), [
        '2025-01-01T05 3000',
        '2025-01-01T06 3000',
        '2025-01-01T23 3000',
        '2025-01-02 6000',
      ]);
      assert.equal(ofPrompt.versions.length, 20);
      assert.equal(ofPrompt.versionSeries.length, 20 * 4);
      assert.equal(ofPrompt.errors.length, 100);
      assert.deepEqual((await store.readPrompt({ ...range, status: 404 })).series, []);
      const usage = await store.readUsage('u_many', ['p', 'p_unknown'], '2025-01-01T05');
      assert.deepEqual([...usage], [['p', { calls: 3 * 3000 + 6000 + 10, lastUsed: '2025-01-03T00' }]]);
    });

    it('hours are rolled up into days, an account and day at a time, and no call is lost or counted twice', async () => {
      const rollups = createRetentionStore(statistics);
      for (const id of ['u_hours', 'u_others']) {
        for (const time of ['2020-01-01', '2020-01-01T05', '2020-01-01T06', '2020-01-02T05'])
          await insertStatistics(statistics, id, { count: 50, time });
      }
      const count = async () => {
        const rows = await statistics.selectFrom('prompt_statistics').select(['time', 'calls']).where('time', '<', '2020-02-01').execute();
        return { hours: rows.filter(({ time }) => time.includes('T')).length, calls: rows.reduce((sum, { calls }) => sum + calls, 0) };
      };
      const { calls } = await count();
      let batches = 0;
      for (; await rollups.rollUp('2020-02-01'); batches += 1) assert.equal((await count()).calls, calls);
      assert.equal(batches, 3 * 2 * 2, 'three tables, two accounts, two days');
      assert.deepEqual(await count(), { hours: 0, calls });
      const days = await statistics.selectFrom('call_statistics').select(['time', 'calls']).where('account_id', '=', 'u_hours').execute();
      assert.deepEqual(new Set(days.map((day) => `${day.time} ${day.calls}`)), new Set(['2020-01-01 3', '2020-01-02 1']));
    });
  });
}

async function countRows({ db, statistics }: OpenedDatabase): Promise<Counts> {
  const counts: Counts = {};
  for (const table of tables) {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    counts[table] = count;
  }
  for (const table of statisticsTables) {
    const { count } = await statistics
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    counts[table] = count;
  }
  return counts;
}

async function countAll(opened: OpenedDatabase): Promise<number> {
  return Object.values(await countRows(opened)).reduce((sum, count) => sum + count, 0);
}

async function insertAccount(db: Kysely<Database>, id: string): Promise<void> {
  const secret = `secret of ${id}`;
  const inserted = await createAccountStore(db).insert({
    id,
    email: `${id}@example.com`,
    name: secret,
    passwordHash: secret,
    keyDigest: secret,
    keyCipher: secret,
  });
  assert.ok(inserted);
}

/** Inserts `count` rows into every table, and a prompt in the bin with as many versions and events. */
async function insertRows({ db, statistics }: OpenedDatabase, id: string, { count, time }: { count: number; time: string }): Promise<void> {
  const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})`;
  const name = sql`${sql.lit(`${id}_`)} || n`;
  const at = sql.lit(time);
  const account = sql.lit(id);
  for (const rows of [
    sql`insert into sessions (id, token, account_id, expires_at, created_at, updated_at) ${numbers} select ${name}, ${name}, ${account}, ${at}, ${at}, ${at} from numbers`,
    sql`insert into verifications (id, identifier, value, expires_at, created_at, updated_at) ${numbers} select ${name}, ${name}, ${account}, ${at}, ${at}, ${at} from numbers`,
    sql`insert into throttles (name, failures, blocked_until, updated_at) ${numbers} select ${name}, 1, '', ${at} from numbers`,
    sql`insert into account_events (account_id, id, type, at) ${numbers} select ${account}, ${name}, 'sign_in', ${at} from numbers`,
    sql`insert into events (account_id, revision, type, at, detail) ${numbers} select ${account}, n, 'x', ${at}, '{}' from numbers`,
    sql`insert into webhook_deliveries (account_id, webhook_id, revision, type, state, failures, attempts, created_at) ${numbers} select ${account}, 'w', n, 'x', 'delivered', 0, '[]', ${at} from numbers`,
  ]) {
    await rows.execute(db);
  }
  const writers = sql`insert into statistics_writers (id, sequence, updated_at) ${numbers} select ${name}, 1, ${at} from numbers`;
  await writers.execute(statistics);
  await insertStatistics(statistics, id, { count, time: time.slice(0, 10) });
  await insertPrompt(db, id, time);
  await sql`insert into prompt_versions (account_id, prompt_id, version, content, config, variables, partials, message, created_at)
    ${numbers} select ${account}, 'p', n, '"x"', '{}', '[]', '[]', '', ${at} from numbers`.execute(db);
  await sql`insert into prompt_references (account_id, prompt_id, version, name, label)
    ${numbers} select ${account}, 'p', n, 'x', 'production' from numbers`.execute(db);
  await sql`insert into prompt_events (account_id, prompt_id, id, type, detail, "by", at)
    ${numbers} select ${account}, 'p', ${name}, 'described', '{}', 'api', ${at} from numbers`.execute(db);
  await db.insertInto('prompt_labels').values({ account_id: id, prompt_id: 'p', label: 'production', version: count }).execute();
  await db.insertInto('prompt_tags').values({ account_id: id, prompt_id: 'p', tag: 't' }).execute();
  await db
    .updateTable('accounts')
    .set({ prompt_count: 1, version_count: count, content_bytes: count * 5 })
    .where('id', '=', id)
    .execute();
}

async function insertStatistics(
  db: Kysely<StatisticsDatabase>,
  id: string,
  { count, time }: { count: number; time: string },
): Promise<void> {
  const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})`;
  const key = sql`${sql.lit(id)}, ${sql.lit(time)}`;
  await sql`insert into call_statistics (account_id, time, route, status, bucket, calls) ${numbers} select ${key}, 'x', 200, n, 1 from numbers`.execute(
    db,
  );
  await sql`insert into prompt_statistics (account_id, time, prompt_id, version, label, status, calls) ${numbers} select ${key}, 'p', n, '', 200, 1 from numbers`.execute(
    db,
  );
  await sql`insert into render_errors (account_id, time, prompt_id, code, name, calls) ${numbers} select ${key}, 'p', 'x', 'v' || n, 1 from numbers`.execute(
    db,
  );
}

async function insertPrompt(db: Kysely<Database>, accountId: string, time: string): Promise<void> {
  const texts = { name: 'x', search_name: 'x', type: 'text' as const, description: '', search_description: '' };
  const times = { created_at: time, updated_at: time, deleted_at: time };
  await db
    .insertInto('prompts')
    .values({ account_id: accountId, id: 'p', ...texts, latest_version: 1, ...times })
    .execute();
}

async function insertVersion(db: Kysely<Database>, accountId: string, version: number, content: string): Promise<void> {
  const texts = { content, config: '{}', variables: '[]', partials: '[]', message: '', created_at: old };
  await db
    .insertInto('prompt_versions')
    .values({ account_id: accountId, prompt_id: 'p', version, ...texts })
    .execute();
}
