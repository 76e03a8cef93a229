import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Context } from '../../src/domain/context.ts';
import { startHousekeeping, sweep } from '../../src/domain/housekeeping.ts';
import { register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';
import { getProof } from '../support/workspaces.ts';

const hourMs = 60 * 60 * 1000;

for (const engine of engines) {
  describe(`sweep (${engine.name})`, () => {
    let service: Service;
    let accountId: string;
    before(async () => {
      service = await startService({ engine });
      accountId = (await register(service)).userId;
    });
    after(() => service.close());

    const at = (ms: number) => new Date(Date.now() + ms);

    it('deletes expired sessions, and no others', async () => {
      const { sessions } = service.ctx.store;
      const proof = await getProof(service.ctx, accountId);
      const insert = (id: string, expiresAt: Date) =>
        sessions.insert(
          {
            id,
            tokenDigest: `digest of ${id}`,
            accountId,
            expiresAt: expiresAt.toISOString(),
            createdAt: at(0).toISOString(),
            updatedAt: at(0).toISOString(),
            address: null,
            userAgent: null,
            provedAt: null,
          },
          proof,
        );
      await insert('s_expired', at(-hourMs));
      await insert('s_active', at(hourMs));
      await sweep(service.ctx);
      // The test lists the sessions as of a time before either of them expired.
      const left = await sessions.list(accountId, { now: at(-2 * hourMs), createdAfter: at(-2 * hourMs) });
      assert.deepEqual(
        left.map(({ id }) => id),
        ['s_active'],
      );
    });

    it('an account keeps its 100 newest sessions', async () => {
      const { sessions } = service.ctx.store;
      const other = (await register(service)).userId;
      const proof = await getProof(service.ctx, other);
      for (let index = 0; index < 103; index += 1) {
        const id = `s_many_${String(index).padStart(3, '0')}`;
        const times = { createdAt: at(index * 1000).toISOString(), updatedAt: at(0).toISOString(), expiresAt: at(hourMs).toISOString() };
        await sessions.insert({ id, tokenDigest: id, accountId: other, ...times, address: null, userAgent: null, provedAt: null }, proof);
      }
      const left = await sessions.list(other, { now: at(0), createdAfter: at(-hourMs) });
      assert.deepEqual([left.length, left[0]?.id, left.at(-1)?.id], [100, 's_many_102', 's_many_003']);
      assert.equal((await sessions.list(accountId, { now: at(0), createdAfter: at(-hourMs) })).length, 1, 'those of others stay');
    });

    it('deletes expired reset links, and no others', async (t) => {
      const { mailedLinks } = service.ctx.store;
      const kind = 'reset-password';
      await mailedLinks.insert({ kind, digest: 'expired', accountId, expiresAt: at(-hourMs) });
      await mailedLinks.insert({ kind, digest: 'valid', accountId, expiresAt: at(hourMs) });
      await sweep(service.ctx);
      t.mock.timers.enable({ apis: ['Date'], now: at(-2 * hourMs) });
      assert.equal(await mailedLinks.findAccountId(kind, 'expired'), undefined);
      assert.equal(await mailedLinks.findAccountId(kind, 'valid'), accountId);
    });

    it('deletes throttles that were not used for a day, and no others', async (t) => {
      const { throttles } = service.ctx.store;
      // The second attempt starts a wait.
      const count = async (name: string) => throttles.count([{ name, freeAttempts: 2, waitsMs: [1000], forgetAfterMs: 100 * hourMs }]);
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
      await count('old');
      t.mock.timers.tick(23 * hourMs);
      await count('recent');
      t.mock.timers.tick(2 * hourMs);
      await sweep(service.ctx);
      assert.equal((await count('old'))?.[0]?.blockedUntil, '', 'starts again');
      assert.notEqual((await count('recent'))?.[0]?.blockedUntil, '');
    });

    it('deletes the record of a deleted account after 400 days, and not before', async () => {
      const { accounts } = service.ctx.store;
      const { userId } = await register(service);
      assert.deepEqual(await accounts.delete(userId), [userId]);
      const inDays = (days: number) => new Date(Date.now() + days * 24 * hourMs);
      await sweep(service.ctx, inDays(399));
      assert.ok((await accounts.listDeletedSince(new Date(0))).includes(userId));
      await sweep(service.ctx, inDays(401));
      assert.ok(!(await accounts.listDeletedSince(new Date(0))).includes(userId));
    });
  });
}

describe('startHousekeeping', () => {
  /** Creates a context whose sweep has endless batches. The test finishes the first batches one by one, and then all remaining ones. */
  function createSlowSweep(ctx: Context) {
    const calls: { finish(): void }[] = [];
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const deleteBefore = () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      calls.push({ finish: () => resolve(500) });
      onStart();
      return promise;
    };
    return { calls, started, ctx: { ...ctx, store: { ...ctx.store, deleteBefore } } };
  }

  it('does not start a sweep while one is running, and its stop waits for the current batch and starts no other', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { calls, started, ctx } = createSlowSweep(service.ctx);
    const housekeeping = startHousekeeping(ctx, { onError: assert.fail, intervalMs: 1000 });
    await started;
    t.mock.timers.tick(5000);
    assert.equal(calls.length, 1, 'no second sweep');

    const events: string[] = [];
    const stopped = housekeeping.stop().then(() => events.push('stopped'));
    await new Promise(setImmediate);
    events.push('batch finished');
    calls[0]?.finish();
    await stopped;
    assert.deepEqual(events, ['batch finished', 'stopped']);
    t.mock.timers.tick(5000);
    assert.equal(calls.length, 1, 'no further batch');
  });

  it('sweeps the other tables when one of them fails, and reports the error', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const { throttles } = service.ctx.store;
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 48 * hourMs });
    // The second attempt starts a wait.
    const count = () => throttles.count([{ name: 'old', freeAttempts: 2, waitsMs: [1000], forgetAfterMs: 100 * hourMs }]);
    await count();
    t.mock.timers.reset();
    const { store } = service.ctx;
    const deleteBefore: typeof store.deleteBefore = (table, time) =>
      table === 'sessions' ? Promise.reject(new Error('out of luck')) : store.deleteBefore(table, time);
    await assert.rejects(sweep({ ...service.ctx, store: { ...store, deleteBefore } }), AggregateError);
    assert.equal((await count())?.[0]?.blockedUntil, '', 'starts again');
  });
});
