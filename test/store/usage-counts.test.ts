import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sweep } from '../../src/domain/housekeeping.ts';
import { createUsageRecorder } from '../../src/domain/statistics/usage-recorder.ts';
import type { UsageBatch } from '../../src/store/statistics/usage-counts.ts';
import { register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const everything = { from: '2000-01-01', to: '2100-01-01', interval: 'day' } as const;

for (const engine of engines) {
  describe(`usage counts (${engine.name})`, () => {
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
      const { series } = await service.ctx.store.statistics.readWorkspace({ accountId: id, ...everything });
      return series.reduce((sum, { calls }) => sum + calls, 0);
    }

    async function renderErrorsOf(id: string): Promise<number> {
      const { errors } = await service.ctx.store.statistics.readPrompt({ accountId: id, promptId: 'p_1', ...everything });
      return errors.reduce((sum, { calls }) => sum + calls, 0);
    }

    it('are added once when a write with an unknown outcome is repeated', async () => {
      accountId = await newAccount();
      let responses = 0;
      const recorder = createUsageRecorder({
        async writeCounts(batch) {
          await service.ctx.store.statistics.add(batch);
          responses += 1;
          if (responses <= 3) throw new Error('the connection broke before the response to COMMIT came');
        },
        async writeEvents(events) {
          await service.ctx.store.activity.add(events);
          if (responses <= 2) throw new Error('the connection broke here as well');
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
      // A string that contains NUL cannot be stored, so the write fails after the counts have been added.
      const broken = [{ accountId: 'u_\0', keySerial: 1, lastUsedMs: 0 }];
      await assert.rejects(service.ctx.store.statistics.add({ ...batch, keyUses: broken }));
      assert.equal(await callsOf(accountId), 0);
      await service.ctx.store.statistics.add(batch);
      assert.equal(await callsOf(accountId), 1);
    });

    it('of many instances at once add up', async () => {
      const accounts = [await newAccount(), await newAccount(), await newAccount()];
      const instances = Array.from({ length: 3 }, () =>
        createUsageRecorder({
          writeCounts: service.ctx.store.statistics.add,
          writeEvents: service.ctx.store.activity.add,
          onFailure: () => undefined,
          onLoss: () => assert.fail('nothing is lost'),
        }),
      );
      for (let round = 0; round < 10; round += 1) {
        for (const [index, recorder] of instances.entries()) {
          // Each writer updates the accounts in a different order.
          for (const id of [...accounts.slice(index), ...accounts.slice(0, index)]) {
            recorder.countCall({ workspaceId: id, accountId: id, keySerial: 1, route: 'GET /x', status: 200, durationMs: round });
          }
        }
        await Promise.all(instances.map((recorder) => recorder.flush()));
      }
      for (const id of accounts) assert.equal(await callsOf(id), 30);
    });

    it('distinguish uses of a key from uses of the previous key, in any order of writes', async () => {
      accountId = await newAccount();
      const { store } = service.ctx;
      const { keyDigest } = (await store.accounts.findById(accountId)) ?? assert.fail('the account was just made');
      const event = { type: 'key.reset', at: new Date().toISOString(), by: null, prompt: null, detail: '{}' };
      assert.ok(await store.keys.replace({ accountId, via: 'system' }, keyDigest, { keyDigest: 'next', keyCipher: 'next' }, event));
      const use = (sequence: number, keySerial: number, lastUsedAt: string) =>
        store.statistics.add({
          writer: 'w_use',
          sequence,
          ...{ calls: [], prompts: [], renderErrors: [], members: [], runs: [], releases: [], promptKeys: [] },
          keyUses: [{ accountId, keySerial, lastUsedMs: Date.parse(lastUsedAt) }],
        });
      const lastUsedAt = async () => (await store.statistics.findKeyUses([accountId])).get(accountId) ?? null;

      await use(1, 1, '2026-03-01T00:00:01.000Z');
      assert.equal(await lastUsedAt(), null);
      await use(2, 2, '2026-03-01T00:00:01.000Z');
      await use(3, 1, '2026-03-01T00:00:02.000Z');
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:01.000Z');
      await use(4, 2, '2026-03-01T00:00:03.000Z');
      await use(5, 2, '2026-03-01T00:00:02.000Z');
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:03.000Z');
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:03.000Z');
      await use(6, 2, '2026-03-01T00:00:02.500Z');
      await use(7, 1, '2026-03-01T00:00:09.000Z');
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:03.000Z');
      assert.equal(await lastUsedAt(), '2026-03-01T00:00:03.000Z');
    });

    it('of an account that was deleted are gone, including those that another instance wrote after the deletion', async () => {
      const account = await register(service);
      accountId = account.userId;
      await service.ctx.store.statistics.add(oneCall({ writer: 'w_gone', sequence: 1, accountId, time: '2026-03-01T00' }));
      assert.deepEqual(await service.ctx.store.accounts.delete(accountId), [accountId]);
      await sweep(service.ctx);
      assert.equal(await callsOf(accountId), 0);
      assert.equal(await service.ctx.store.accounts.findDeleted(), undefined);
      await service.ctx.store.statistics.add(oneCall({ writer: 'w_gone', sequence: 2, accountId, time: '2026-03-01T01' }));
      assert.equal(await callsOf(accountId), 1);
      await sweep(service.ctx);
      assert.equal(await callsOf(accountId), 0);
      assert.equal(await renderErrorsOf(accountId), 0);
    });

    it('older than 90 days are rolled up into days, concurrently and repeatedly, without losing or doubling a call', async () => {
      const accounts = [await newAccount(), await newAccount()];
      const now = new Date('2026-06-30T12:00:00Z');
      const times = ['2026-03-30T00', '2026-03-30T05', '2026-03-30T23', '2026-03-31T23', '2026-04-01T00', '2026-04-01T01', '2026-06-30T11'];
      let sequence = 0;
      for (const time of times) {
        for (const id of accounts) {
          sequence += 1;
          await service.ctx.store.statistics.add(oneCall({ writer: 'w_roll', sequence, accountId: id, time }));
        }
      }
      await Promise.all([sweep(service.ctx, now), sweep(service.ctx, now), sweep(service.ctx, now)]);
      await sweep(service.ctx, now);
      // A late write for an old hour is added to the day.
      await service.ctx.store.statistics.add(
        oneCall({ writer: 'w_late', sequence: 1, accountId: accounts[0] ?? '', time: '2026-03-30T07' }),
      );
      await sweep(service.ctx, now);

      for (const [index, id] of accounts.entries()) {
        const late = index === 0 ? 1 : 0;
        const range = { from: '2026-03-30', to: '2026-04-02', interval: 'hour' } as const;
        const hours = await service.ctx.store.statistics.readWorkspace({ accountId: id, ...range });
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
        assert.equal(await renderErrorsOf(id), times.length + late);
      }
    });

    it('older than 400 days are deleted, and so are account events', async () => {
      accountId = await newAccount();
      const now = new Date('2027-06-30T12:00:00Z');
      for (const [index, time] of ['2026-05-24T23', '2026-05-25T00', '2026-06-01T00'].entries()) {
        await service.ctx.store.statistics.add(oneCall({ writer: 'w_old', sequence: index + 1, accountId, time }));
        const event = { accountId, id: `e_${index}`, type: 'sign_in', at: `${time}:00:00.000Z`, address: null, userAgent: null };
        await service.ctx.store.activity.add([event]);
      }
      await sweep(service.ctx, now);
      assert.equal(await callsOf(accountId), 2);
      assert.equal(await renderErrorsOf(accountId), 2);
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
    calls: [{ accountId, time, route: 'GET /x', status: 200, bucket: 3, calls: 1 }],
    prompts: [{ accountId, time, promptId: 'p_1', version: 1, label: '', status: 200, calls: 1 }],
    renderErrors: [{ accountId, time, promptId: 'p_1', code: 'missing_variables', name: 'customer', calls: 1 }],
    members: [{ accountId, time, memberId: 'u_other', route: 'GET /x', status: 200, calls: 1 }],
    runs: [
      {
        accountId,
        time,
        memberId: accountId,
        model: 'm',
        hasFailed: 0,
        bucket: 3,
        calls: 1,
        inputTokens: 2,
        outputTokens: 3,
        cost: 0.5,
        unpriced: 0,
      },
    ],
    releases: [{ accountId, time, releaseId: 'rel_1', version: 1, reason: 'SPLIT', calls: 1 }],
    keyUses: [{ accountId, keySerial: 1, lastUsedMs: Date.parse('2026-03-01') }],
    promptKeys: [{ accountId, promptId: 'p_1', day: time.slice(0, 10), sketch: { hashes: Uint32Array.of(7), size: 1 } }],
  };
}
