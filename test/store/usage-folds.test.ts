import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Kysely } from 'kysely';
import { createAccountStore } from '../../src/store/accounts/accounts.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createKeyUseStore } from '../../src/store/statistics/key-uses.ts';
import { createPromptStatisticsStore } from '../../src/store/statistics/prompt-statistics.ts';
import { createPromptUsageStore } from '../../src/store/statistics/prompt-usage.ts';
import { createStatisticsStore } from '../../src/store/statistics/statistics.ts';
import { createUsageBatchStore } from '../../src/store/statistics/usage-batches.ts';
import type { UsageCounts } from '../../src/store/statistics/usage-counts.ts';
import { createUsageFoldStore } from '../../src/store/statistics/usage-folds.ts';
import type { Database } from '../../src/store/tables.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { readStatistics } from '../support/read-statistics.ts';
import { toLines } from '../support/usage-lines.ts';

const everything = { from: '2000-01-01', to: '2100-01-01', interval: 'day' } as const;
const times = ['2026-03-01T22', '2026-03-01T23', '2026-03-02T00'];
const start = Date.parse('2026-03-01T22:00:00Z');

for (const engine of engines) {
  describe(`folding blocks into rows (${engine.name})`, () => {
    let database: TestDatabase;
    let opened: OpenedDatabase;
    let db: Kysely<Database>;
    let sequence = 0;
    before(async () => {
      database = await engine.create();
      opened = await openDatabase({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL });
      db = opened.db;
      await migrate(db);
    });
    after(async () => {
      await opened.close();
      await database.remove();
    });

    async function write(counts: Partial<UsageCounts>, writer = 'w_1'): Promise<void> {
      sequence += 1;
      await createUsageBatchStore(db).write({ writer, sequence, ...toLines(counts), events: [] });
    }

    /** Begins a fold of all blocks, or takes over one that was given up. */
    async function startFold(holder = 'f_1') {
      const later = new Date(Date.now() + 60_000);
      return createUsageFoldStore(db).start({ holder, before: later, abandonedBefore: later });
    }

    async function foldAll(): Promise<void> {
      for (let step = await startFold(); step; step = await startFold()) while (await step());
    }

    it('gives what was counted at any moment, with folds that are interrupted and taken over anywhere', async () => {
      const seed = Date.now();
      const random = createRandom(seed);
      const ids = ['u_a', 'u_b', 'u_c', 'u_never'];
      for (const id of ids.slice(0, 3)) await insertAccount(db, id);
      const model = new Map(ids.map((id) => [id, emptyTotals()]));
      let step: Awaited<ReturnType<typeof startFold>>;
      for (let round = 0; round < 40; round += 1) {
        const counts = randomCounts(ids, random);
        addTotals(model, counts);
        await write(counts, `w_${random(3)}`);
        // Another instance takes over, in the middle of a group or of an account.
        if (!step || random(3) === 0) step = await startFold(`f_${round}`);
        for (let count = random(4); count > 0 && step; count -= 1) if (!(await step())) step = undefined;
        const id = ids[random(3)] ?? '';
        assert.deepEqual(await readTotals(db, id), model.get(id), `${id} in round ${round} of seed ${seed}`);
      }
      await foldAll();
      for (const id of ids.slice(0, 3)) assert.deepEqual(await readTotals(db, id), model.get(id), `${id} of seed ${seed}`);
      assert.deepEqual(await readTotals(db, 'u_never'), emptyTotals(), 'an account that does not exist has no rows');
      assert.equal((await createUsageFoldStore(db).measure()).count, 0);
    });

    it('never shows a call twice or not at all while it is folded, also by instances that take over from each other all the time', async () => {
      await insertAccount(db, 'u_large');
      const rows = Array.from({ length: 2200 }, (_, index) =>
        callOf('u_large', { bucket: index % 100, status: 200 + Math.floor(index / 100) }),
      );
      await write({ calls: rows.slice(0, 300) });
      await write({ calls: rows }, 'w_2');
      for (;;) {
        const steps = [await startFold('f_1'), await startFold('f_2')];
        if (!steps.some(Boolean)) break;
        const [{ calls }] = await Promise.all([readTotals(db, 'u_large'), ...steps.map((step) => step?.())]);
        assert.equal(calls, 2500);
      }
      assert.equal((await readTotals(db, 'u_large')).calls, 2500);
      assert.equal((await createUsageFoldStore(db).measure()).count, 0);
    });

    it('is waited for by whoever reads an account with very many counts', async () => {
      await insertAccount(db, 'u_busy');
      await write({ calls: Array.from({ length: 2000 }, (_, bucket) => callOf('u_busy', { bucket })) });
      const step = (await startFold()) ?? assert.fail('nothing to fold');
      let reads = 0;
      const calls = await createStatisticsStore(db).read({ accountId: 'u_busy', ...everything }, async (reader) => {
        reads += 1;
        if (reads <= 8) await step();
        let sum = 0;
        for await (const { routes } of reader.calls()) for (const row of routes) sum += row.calls;
        return sum;
      });
      assert.equal(calls, 2000);
      assert.equal(reads, 9);
      while (await step());
      assert.equal((await readTotals(db, 'u_busy')).calls, 2000);
    });

    it('leaves a group to the instance that folds it, and blocks that are new to the next group', async () => {
      await insertAccount(db, 'u_shared');
      const folds = createUsageFoldStore(db);
      const [past, future] = [new Date(0), new Date(Date.now() + 60_000)];
      await write({ calls: [callOf('u_shared', {})] });
      assert.equal(await folds.start({ holder: 'f_1', before: past, abandonedBefore: past }), undefined, 'the block is not old enough');
      const step = (await folds.start({ holder: 'f_1', before: future, abandonedBefore: past })) ?? assert.fail('nothing to fold');
      assert.equal(await folds.start({ holder: 'f_2', before: future, abandonedBefore: past }), undefined, 'another instance folds');
      await write({ calls: [callOf('u_shared', {})] });
      while (await step());
      assert.equal((await folds.measure()).count, 1);
      assert.equal((await readTotals(db, 'u_shared')).calls, 2);
      const taken = (await startFold('f_2')) ?? assert.fail('nothing to fold');
      assert.equal(await step(), false, 'who lost the group adds nothing');
      while (await taken());
      assert.equal((await readTotals(db, 'u_shared')).calls, 2);
    });

    it('goes on without accounts that are deleted meanwhile', async () => {
      const accounts = createAccountStore(db);
      for (const id of ['u_deleted', 'u_kept']) await insertAccount(db, id);
      const calls = Array.from({ length: 700 }, (_, bucket) => callOf('u_deleted', { bucket }));
      await write({ calls: [...calls, callOf('u_kept', {})], keyUses: [{ accountId: 'u_deleted', keySerial: 1, lastUsedMs: start }] });
      const step = (await startFold()) ?? assert.fail('nothing to fold');
      await step();
      await accounts.delete('u_deleted');
      while (!(await accounts.removeDeleted('u_deleted')));
      while (await step());
      assert.equal((await readTotals(db, 'u_kept')).calls, 1);
      for (const table of ['call_statistics', 'key_uses'] as const) {
        assert.deepEqual(await db.selectFrom(table).selectAll().where('account_id', '=', 'u_deleted').execute(), []);
      }
    });

    it('merges many blocks, of which each has a part of the accounts', async () => {
      const ids = Array.from({ length: 900 }, (_, index) => `u_m${String(index).padStart(3, '0')}`);
      const texts = { name: '', password_hash: '', key_cipher: '', key_created_at: '', created_at: '', updated_at: '' };
      const accounts = ids.map((id) => ({ id, email: id, key_digest: id, ...texts }));
      await db.insertInto('accounts').values(accounts).execute();
      for (let batch = 0; batch < 4; batch += 1) await write({ calls: ids.map((id) => callOf(id, { bucket: batch % 2 })) }, `w_${batch}`);
      assert.ok((await createUsageFoldStore(db).measure()).count > 8, 'a large batch is several blocks');
      assert.equal((await readTotals(db, 'u_m450')).calls, 4);
      await foldAll();
      const rows = await db.selectFrom('call_statistics').select(['account_id', 'calls']).where('account_id', 'like', 'u_m%').execute();
      assert.equal(rows.length, 2 * ids.length);
      assert.ok(rows.every(({ calls }) => calls === 2));
    });
  });
}

interface Totals {
  calls: number;
  byTime: Record<string, number>;
  prompts: number;
  usage: { calls: number; lastUsed: string | undefined };
  renderErrors: number;
  lastUsedAt: string | undefined;
}

function emptyTotals(): Totals {
  return { calls: 0, byTime: {}, prompts: 0, usage: { calls: 0, lastUsed: undefined }, renderErrors: 0, lastUsedAt: undefined };
}

/** What every reader of the statistics says. */
async function readTotals(db: Kysely<Database>, accountId: string): Promise<Totals> {
  const { series, routes, prompts } = await readStatistics(createStatisticsStore(db), { accountId, ...everything, interval: 'hour' });
  const sum = (rows: { calls: number }[]) => rows.reduce((total, { calls }) => total + calls, 0);
  const byTime: Totals['byTime'] = {};
  for (const { time, calls } of series) byTime[time] = (byTime[time] ?? 0) + calls;
  assert.equal(sum(routes), sum(series));
  const ofPrompt = await createPromptStatisticsStore(db).read({ accountId, promptId: 'p', times }, async (reader) => {
    const counted = { prompts: 0, renderErrors: 0 };
    for await (const rows of reader.rows(undefined)) counted.prompts += sum(rows);
    for await (const rows of reader.errors()) counted.renderErrors += sum(rows);
    return counted;
  });
  assert.equal(sum(prompts), ofPrompt.prompts);
  const usage = (await createPromptUsageStore(db).readUsage(accountId, ['p'], '2026-03-01T23')).get('p');
  const lastUsedAt = (await createKeyUseStore(db).findLastUses([accountId])).get(accountId);
  return { calls: sum(series), byTime, ...ofPrompt, usage: usage ?? { calls: 0, lastUsed: undefined }, lastUsedAt };
}

function addTotals(model: Map<string, Totals>, { calls, prompts, renderErrors, keyUses }: UsageCounts): void {
  const totalsOf = (accountId: string) => model.get(accountId) ?? assert.fail(accountId);
  for (const { accountId, time, calls: count } of calls) {
    const totals = totalsOf(accountId);
    totals.calls += count;
    totals.byTime[time] = (totals.byTime[time] ?? 0) + count;
  }
  for (const { accountId, time, calls: count } of prompts) {
    const totals = totalsOf(accountId);
    totals.prompts += count;
    if (time >= '2026-03-01T23') totals.usage.calls += count;
    if (totals.usage.lastUsed === undefined || time > totals.usage.lastUsed) totals.usage.lastUsed = time;
  }
  for (const { accountId, calls: count } of renderErrors) totalsOf(accountId).renderErrors += count;
  for (const { accountId, keySerial, lastUsedMs } of keyUses) {
    const totals = totalsOf(accountId);
    const lastUsedAt = new Date(lastUsedMs).toISOString();
    if (keySerial === 1 && (totals.lastUsedAt === undefined || lastUsedAt > totals.lastUsedAt)) totals.lastUsedAt = lastUsedAt;
  }
}

/** Calls of some accounts, sometimes more than one step folds. The current key of each has the serial 1. */
function randomCounts(ids: string[], random: (below: number) => number): UsageCounts {
  const counts: UsageCounts = { calls: [], prompts: [], renderErrors: [], keyUses: [] };
  for (const accountId of ids.filter(() => random(2) === 0)) {
    const time = times[random(times.length)] ?? '';
    for (let count = random(8) === 0 ? 700 : random(5); count > 0; count -= 1) {
      counts.calls.push(callOf(accountId, { time, bucket: count, status: random(2) ? 200 : 404, calls: 1 + random(9) }));
    }
    for (let count = random(8) === 0 ? 300 : random(3); count > 0; count -= 1) {
      counts.prompts.push({ accountId, time, promptId: 'p', version: count, label: 'über "a"\n', status: 200, calls: 1 + random(9) });
      counts.renderErrors.push({ accountId, time, promptId: 'p', code: 'x', name: `v${count}`, calls: 1 + random(9) });
    }
    if (random(2) === 0) counts.keyUses.push({ accountId, keySerial: random(2), lastUsedMs: start + random(10_000) });
  }
  return counts;
}

function callOf(accountId: string, fields: { time?: string; bucket?: number; status?: number; calls?: number }) {
  return { accountId, time: times[0] ?? '', route: 'GET /x', status: 200, bucket: 1, calls: 1, ...fields };
}

async function insertAccount(db: Kysely<Database>, id: string): Promise<void> {
  const texts = { email: `${id}@example.com`, name: id, passwordHash: id, keyDigest: id, keyCipher: id };
  assert.ok(await createAccountStore(db).insert({ id, ...texts }));
  const at = new Date(start).toISOString();
  const prompt = { name: 'x', search_name: 'x', type: 'text' as const, description: '', search_description: '' };
  await db
    .insertInto('prompts')
    .values({ account_id: id, id: 'p', ...prompt, latest_version: 1, created_at: at, updated_at: at, deleted_at: null })
    .execute();
}

/** A linear congruential generator, so that a failure can be repeated with its seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed % 2 ** 31;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}
