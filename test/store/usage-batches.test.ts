import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sweep } from '../../src/domain/housekeeping.ts';
import { fold } from '../../src/domain/statistics/folding.ts';
import { createUsageRecorder } from '../../src/domain/statistics/usage-recorder.ts';
import type { UsageBatch } from '../../src/store/statistics/usage-batches.ts';
import { register } from '../support/client.ts';
import { freezeClock } from '../support/clock.ts';
import { engines } from '../support/engines.ts';
import { foldAll } from '../support/fold.ts';
import { readStatistics } from '../support/read-statistics.ts';
import { type Service, startService } from '../support/service.ts';
import { toLines } from '../support/usage-lines.ts';

const everything = { from: '2000-01-01', to: '2100-01-01', interval: 'day' } as const;

for (const engine of engines) {
  describe(`usage batches (${engine.name})`, () => {
    let service: Service;
    let accountId: string;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    async function newAccount(): Promise<string> {
      return (await register(service)).userId;
    }

    async function callsOf(id: string): Promise<number> {
      const { series } = await readStatistics(service.ctx.store.statistics, { accountId: id, ...everything });
      return series.reduce((sum, { calls }) => sum + calls, 0);
    }

    async function renderErrorsOf(id: string, times: string[]): Promise<number> {
      return service.ctx.store.promptStatistics.read({ accountId: id, promptId: 'p_1', times }, async (reader) => {
        let sum = 0;
        for await (const rows of reader.errors()) for (const { calls } of rows) sum += calls;
        return sum;
      });
    }

    it('are added once when the outcome of a write is unknown and it is repeated', async () => {
      accountId = await newAccount();
      let responses = 0;
      const recorder = createUsageRecorder({
        async write(batch) {
          await service.ctx.store.usageBatches.write(batch);
          responses += 1;
          if (responses <= 3) throw new Error('the connection broke before the response to COMMIT came');
        },
        onFailure: () => undefined,
        onLoss: () => assert.fail('nothing is lost'),
      });
      for (let index = 0; index < 100; index += 1)
        recorder.countCall({ workspaceId: accountId, accountId, keySerial: 1, route: 'GET /x', status: 200, durationMs: index });
      recorder.addEvent({ accountId, id: 'e_1', type: 'sign_in', at: new Date().toISOString(), address: null, userAgent: null });
      await recorder.stop();
      assert.equal(responses, 4);
      assert.equal(await callsOf(accountId), 100);
      assert.equal((await service.ctx.store.activity.list(accountId, { beforeId: undefined, limit: 10 })).length, 2);
    });

    it('leave nothing behind when a write fails halfway, and are complete when it is repeated', async () => {
      accountId = await newAccount();
      const batch = oneCall({ writer: 'w_half', sequence: 1, accountId, time: '2026-03-01T00' });
      // The second event of the same id cannot be stored: the write fails after the counts have been added.
      const event = { accountId, id: 'e_same', type: 'sign_in', at: '2026-03-01T00:00:00.000Z', address: null, userAgent: null };
      await assert.rejects(service.ctx.store.usageBatches.write({ ...batch, events: [event, event] }));
      assert.equal(await callsOf(accountId), 0);
      await service.ctx.store.usageBatches.write(batch);
      assert.equal(await callsOf(accountId), 1);
    });

    it('of many instances at once add up', async () => {
      const accounts = [await newAccount(), await newAccount(), await newAccount()];
      const instances = Array.from({ length: 3 }, () =>
        createUsageRecorder({
          write: service.ctx.store.usageBatches.write,
          onFailure: () => undefined,
          onLoss: () => assert.fail('nothing is lost'),
        }),
      );
      for (let round = 0; round < 10; round += 1) {
        for (const [index, recorder] of instances.entries()) {
          // Each writes the accounts in another order.
          for (const id of [...accounts.slice(index), ...accounts.slice(0, index)]) {
            recorder.countCall({ workspaceId: id, accountId: id, keySerial: 1, route: 'GET /x', status: 200, durationMs: round });
          }
        }
        await Promise.all(instances.map((recorder) => recorder.flush()));
      }
      for (const id of accounts) assert.equal(await callsOf(id), 30);
    });

    it('distinguish uses of a key from those of the key before, in any order of writes', async () => {
      accountId = await newAccount();
      const { store } = service.ctx;
      const { keyDigest } = (await store.accounts.findById(accountId)) ?? assert.fail('the account was just made');
      const event = { type: 'key.reset', at: new Date().toISOString(), by: null, prompt: null, detail: '{}' };
      assert.ok(await store.keys.replace({ accountId, via: 'system' }, keyDigest, { keyDigest: 'next', keyCipher: 'next' }, event));
      const use = (sequence: number, keySerial: number, lastUsedAt: string) =>
        store.usageBatches.write({
          writer: 'w_use',
          sequence,
          ...toLines({ keyUses: [{ accountId, keySerial, lastUsedMs: Date.parse(lastUsedAt) }] }),
          events: [],
        });
      const lastUsedAt = async () => (await store.keyUses.findLastUses([accountId])).get(accountId) ?? null;

      await use(1, 1, '2026-03-01T00:00:01.000Z');
      assert.equal(await lastUsedAt(), null);
      await use(2, 2, '2026-03-01T00:00:01.000Z');
      await use(3, 1, '2026-03-01T00:00:02.000Z');
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:01.000Z');
      await use(4, 2, '2026-03-01T00:00:03.000Z');
      await use(5, 2, '2026-03-01T00:00:02.000Z');
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:03.000Z');
      await foldAll(service.ctx);
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:03.000Z');
      await use(6, 2, '2026-03-01T00:00:02.500Z');
      await use(7, 1, '2026-03-01T00:00:09.000Z');
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:03.000Z');
      await foldAll(service.ctx);
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:03.000Z');
    });

    it('are folded a minute after they were written if they are few, and counted for the operator until then', async (t) => {
      accountId = await newAccount();
      await foldAll(service.ctx);
      const clock = freezeClock(t);
      await service.ctx.store.usageBatches.write(oneCall({ writer: 'w_age', sequence: 1, accountId, time: '2026-03-01T00' }));
      clock.advance(59_000);
      await fold(service.ctx, { holder: 'f_1' });
      assert.ok(service.ctx.foldMetrics.blocks > 0 && service.ctx.foldMetrics.bytes > 0);
      clock.advance(2_000);
      await fold(service.ctx, { holder: 'f_1', signal: AbortSignal.abort() });
      assert.ok((await service.ctx.store.usageFolds.measure()).count > 0, 'a stopped fold does nothing');
      await fold(service.ctx, { holder: 'f_1' });
      assert.deepEqual(service.ctx.foldMetrics, { blocks: 0, bytes: 0 });
      assert.equal(await callsOf(accountId), 1);
    });

    it('are folded without the rows of deleted accounts', async () => {
      accountId = await newAccount();
      const gone = oneCall({ writer: 'w_gone', sequence: 1, accountId: 'u_gone_0000', time: '2026-03-01T00' });
      const kept = oneCall({ writer: 'w_gone', sequence: 1, accountId, time: '2026-03-01T00' });
      const accountIds = [...gone.accountIds, ...kept.accountIds];
      await service.ctx.store.usageBatches.write({ ...gone, accountIds, lineOf: (id) => (id === accountId ? kept : gone).lineOf(id) });
      assert.equal(await callsOf(accountId), 1);
      await foldAll(service.ctx);
      assert.equal(await callsOf('u_gone_0000'), 0);
      assert.equal(await callsOf(accountId), 1);
    });

    it('older than 90 days are rolled up into days, concurrently and repeatedly, without losing or doubling a call', async () => {
      const accounts = [await newAccount(), await newAccount()];
      const now = new Date('2026-06-30T12:00:00Z');
      const times = ['2026-03-30T00', '2026-03-30T05', '2026-03-30T23', '2026-03-31T23', '2026-04-01T00', '2026-04-01T01', '2026-06-30T11'];
      let sequence = 0;
      for (const time of times) {
        for (const id of accounts) {
          sequence += 1;
          await service.ctx.store.usageBatches.write(oneCall({ writer: 'w_roll', sequence, accountId: id, time }));
        }
      }
      await foldAll(service.ctx);
      await Promise.all([sweep(service.ctx, now), sweep(service.ctx, now), sweep(service.ctx, now)]);
      await sweep(service.ctx, now);
      // A late write of an old hour adds to the day.
      await service.ctx.store.usageBatches.write(
        oneCall({ writer: 'w_late', sequence: 1, accountId: accounts[0] ?? '', time: '2026-03-30T07' }),
      );
      await foldAll(service.ctx);
      await sweep(service.ctx, now);

      for (const [index, id] of accounts.entries()) {
        const late = index === 0 ? 1 : 0;
        const range = { from: '2026-03-30', to: '2026-04-02', interval: 'hour' } as const;
        const hours = await readStatistics(service.ctx.store.statistics, { accountId: id, ...range });
        assert.deepEqual(
          hours.series.toSorted((a, b) => (a.time < b.time ? -1 : 1)).map(({ time, calls }) => [time, calls]),
          [
            ['2026-03-30', 3 + late],
            ['2026-03-31', 1],
            ['2026-04-01T00', 1],
            ['2026-04-01T01', 1],
          ],
        );
        assert.equal(
          hours.prompts.reduce((sum, { calls }) => sum + calls, 0),
          6 + late,
        );
        assert.equal(await callsOf(id), times.length + late);
        assert.equal(await renderErrorsOf(id, ['2026-03-30', '2026-03-31', '2026-04-01T00', '2026-04-01T01']), 6 + late);
      }
    });

    it('older than 400 days are deleted, and so are account events', async () => {
      accountId = await newAccount();
      const now = new Date('2027-06-30T12:00:00Z');
      for (const [index, time] of ['2026-05-24T23', '2026-05-25T00', '2026-06-01T00'].entries()) {
        await service.ctx.store.usageBatches.write({
          ...oneCall({ writer: 'w_old', sequence: index + 1, accountId, time }),
          events: [{ accountId, id: `e_${index}`, type: 'sign_in', at: `${time}:00:00.000Z`, address: null, userAgent: null }],
        });
      }
      await foldAll(service.ctx);
      await sweep(service.ctx, now);
      assert.equal(await callsOf(accountId), 2);
      assert.equal(await renderErrorsOf(accountId, ['2026-05-24', '2026-05-25', '2026-06-01', '2026-05-24T23']), 2);
      const events = await service.ctx.store.activity.list(accountId, { beforeId: undefined, limit: 10 });
      assert.deepEqual(
        events.filter(({ type }) => type === 'sign_in').map(({ id }) => id),
        ['e_2'],
      );
    });
  });
}

function oneCall({ writer, sequence, accountId, time }: { writer: string; sequence: number; accountId: string; time: string }): UsageBatch {
  return {
    writer,
    sequence,
    ...toLines({
      calls: [{ accountId, time, route: 'GET /x', status: 200, bucket: 3, calls: 1 }],
      prompts: [{ accountId, time, promptId: 'p_1', version: 1, label: '', status: 200, calls: 1 }],
      renderErrors: [{ accountId, time, promptId: 'p_1', code: 'missing_variables', name: 'customer', calls: 1 }],
      keyUses: [{ accountId, keySerial: 1, lastUsedMs: Date.parse('2026-03-01') }],
    }),
    events: [],
  };
}
