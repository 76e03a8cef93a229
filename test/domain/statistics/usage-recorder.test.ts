import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Call } from '../../../src/domain/statistics/counters.ts';
import { createUsageRecorder, type UsageRecorderOptions } from '../../../src/domain/statistics/usage-recorder.ts';
import type { AccountEventRecord } from '../../../src/store/accounts/activity.ts';
import type { UsageBatch } from '../../../src/store/statistics/usage-counts.ts';

const call: Call = { workspaceId: 'u_1', accountId: 'u_1', keySerial: 1, route: 'GET /api/prompts', status: 200, durationMs: 1 };
const event: AccountEventRecord = {
  accountId: 'u_1',
  id: 'e_1',
  type: 'sign_in',
  at: '2026-03-01T00:00:00.000Z',
  address: null,
  userAgent: null,
};

describe('the usage recorder', () => {
  it('writes each call and event once, however many flushes there are', async () => {
    const { recorder, written, events } = start();
    for (let index = 0; index < 1000; index += 1) recorder.countCall(call);
    recorder.addEvent(event);
    await Promise.all([recorder.flush(), recorder.flush()]);
    for (let index = 0; index < 500; index += 1) recorder.countCall({ ...call, workspaceId: 'u_2', accountId: 'u_2' });
    await recorder.stop();
    await recorder.flush();
    assert.equal(callsIn(written), 1500);
    assert.deepEqual(events, [event]);
    assert.equal(recorder.metrics.waiting, 0);
  });

  it('repeats a batch with the same sequence number, and keeps what is counted in between', async () => {
    const { recorder, attempts, written, events } = start({ failing: 2 });
    recorder.countCall(call);
    await assert.rejects(recorder.flush());
    recorder.countCall(call);
    recorder.addEvent(event);
    await assert.rejects(recorder.flush());
    await recorder.flush();
    assert.deepEqual(
      attempts.map(({ sequence }) => sequence),
      [1, 1, 1, 2],
    );
    assert.equal(new Set(attempts.map(({ writer }) => writer)).size, 1);
    assert.equal(callsIn(written), 2);
    assert.deepEqual(events, [event]);
    assert.equal(recorder.metrics.failures, 2);
  });

  it('writes automatically within a second, including what is counted during a write', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const gate = Promise.withResolvers<void>();
      const second = Promise.withResolvers<void>();
      const { recorder, attempts } = start({ wait: async () => (attempts.length === 1 ? gate.promise : second.resolve()) });
      recorder.countCall(call);
      mock.timers.tick(1000);
      assert.equal(attempts.length, 1);
      recorder.countCall(call);
      mock.timers.tick(1000);
      gate.resolve();
      // The write in progress ends. The interval until the next write starts at that moment.
      await nextTurn();
      assert.equal(callsIn(attempts), 1);
      mock.timers.tick(1000);
      await second.promise;
      assert.equal(callsIn(attempts), 2);
    } finally {
      mock.timers.reset();
    }
  });

  it('flush writes everything recorded so far, including what was recorded during a write', async () => {
    const gate = Promise.withResolvers<void>();
    const { recorder, attempts } = start({ wait: async () => (attempts.length === 1 ? gate.promise : undefined) });
    recorder.countCall(call);
    const first = recorder.flush();
    await nextTurn();
    recorder.countCall(call);
    const second = recorder.flush();
    gate.resolve();
    await Promise.all([first, second]);
    assert.equal(callsIn(attempts), 2);
  });

  it('counts calls in the hour of their response', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T13:59:59.999Z') });
    try {
      const { recorder, written } = start();
      recorder.countCall(call);
      mock.timers.tick(1);
      recorder.countCall(call);
      await recorder.flush();
      assert.deepEqual(
        written.flatMap(({ calls }) => calls.map(({ time, calls: count }) => [time, count])),
        [
          ['2026-03-01T13', 1],
          ['2026-03-01T14', 1],
        ],
      );
    } finally {
      mock.timers.reset();
    }
  });

  it('stays within its limits while the database is unavailable, and counts what it dropped', async () => {
    const { recorder, written, events } = start({
      failing: 3,
      limits: { entries: 100, promptEntries: 50, events: 10, entriesPerWrite: 10 },
    });
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 200; index += 1) {
        recorder.countCall({
          ...call,
          workspaceId: `u_${round}_${index}`,
          accountId: `u_${round}_${index}`,
          servedPrompt: { promptId: `p_${index}`, version: 1, label: 'production' },
        });
        recorder.addEvent(event);
      }
      await assert.rejects(recorder.flush());
      // The batch that is being written counts in addition to the limits.
      assert.ok(recorder.metrics.waiting <= 100 + 50 + 10 + 2 * 10, `${recorder.metrics.waiting} waiting`);
    }
    await recorder.flush();
    assert.equal(callsIn(written), 110);
    assert.equal(written.flatMap(({ prompts }) => prompts).length, 60);
    assert.equal(events.length, 3 * 10, 'events go to another database');
    assert.equal(recorder.metrics.dropped, 490 + 570);
  });

  it('still counts known accounts when it is full', async () => {
    const { recorder, written } = start({ limits: { entries: 1 } });
    for (let index = 0; index < 10; index += 1) recorder.countCall(call);
    recorder.countCall({ ...call, workspaceId: 'u_2', accountId: 'u_2' });
    await recorder.flush();
    assert.equal(callsIn(written), 10);
    assert.equal(recorder.metrics.dropped, 1);
  });

  it('counts for the workspace, records the use of a key for its account, and continues to count when there are too many members to record', async () => {
    const { recorder, written } = start({ limits: { entries: 5 } });
    for (let index = 0; index < 100; index += 1) recorder.countCall({ ...call, accountId: `u_member${index}` });
    await recorder.flush();
    assert.equal(callsIn(written), 100);
    assert.deepEqual(new Set(written.flatMap(({ calls }) => calls.map(({ accountId }) => accountId))), new Set(['u_1']));
    assert.deepEqual(
      written.flatMap(({ keyUses }) => keyUses.map(({ accountId }) => accountId)),
      ['u_member0', 'u_member1', 'u_member2', 'u_member3', 'u_member4'],
    );
  });

  it('leaves space for the prompts of others when one workspace has very many', async () => {
    const { recorder, written } = start({ limits: { promptEntries: 30, promptEntriesOfWorkspace: 10 } });
    const serve = (workspaceId: string, version: number) =>
      recorder.countCall({ ...call, workspaceId, servedPrompt: { promptId: 'p_1', version, label: undefined } });
    for (let version = 1; version <= 100; version += 1) serve('u_greedy', version);
    serve('u_greedy', 1);
    serve('u_other', 1);
    await recorder.flush();
    assert.equal(callsIn(written), 102);
    const prompts = written.flatMap(({ prompts: counted }) => counted);
    assert.deepEqual(
      prompts
        .filter(({ accountId }) => accountId === 'u_greedy')
        .map(({ version, calls }) => [version, calls])
        .sort(([a = 0], [b = 0]) => a - b),
      [[1, 2], ...Array.from({ length: 9 }, (_, index) => [index + 2, 1])],
    );
    assert.equal(prompts.filter(({ accountId }) => accountId === 'u_other').length, 1);
  });

  it('limits the prompt counters of a workspace for an hour, over all writes', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T13:00:00.000Z') });
    try {
      const { recorder, written } = start({ limits: { promptEntriesOfWorkspace: 3 } });
      const serve = (version: number) => recorder.countCall({ ...call, servedPrompt: { promptId: 'p_1', version, label: undefined } });
      for (const version of [1, 2, 3, 4, 1]) {
        serve(version);
        await recorder.flush();
      }
      mock.timers.tick(3_600_000);
      serve(4);
      await recorder.flush();
      assert.equal(callsIn(written), 6);
      assert.deepEqual(
        written.flatMap(({ prompts }) => prompts.map(({ time, version }) => `${time.slice(-2)} ${version}`)),
        ['13 1', '13 2', '13 3', '13 1', '14 4'],
      );
    } finally {
      mock.timers.reset();
    }
  });

  it('writes many counters in batches of limited size, sorted, so that instances do not deadlock', async () => {
    const { recorder, written } = start({ failing: 1, limits: { entriesPerWrite: 10 } });
    recorder.countCall({ ...call, workspaceId: 'u_00', accountId: 'u_00' });
    await assert.rejects(recorder.flush());
    for (let index = 25; index > 0; index -= 1) {
      const id = `u_${String(index).padStart(2, '0')}`;
      recorder.countCall({ ...call, workspaceId: id, accountId: id });
    }
    await recorder.flush();
    assert.deepEqual(
      written.map(({ calls }) => calls.length),
      [1, 10, 10, 5],
    );
    for (const { calls } of written) {
      const ids = calls.map(({ accountId }) => accountId);
      assert.deepEqual(ids, ids.toSorted());
    }
  });

  it('writes the uses of all keys, even of more than fit into a batch', async () => {
    const { recorder, written } = start({ limits: { entriesPerWrite: 10 } });
    for (let index = 0; index < 25; index += 1) recorder.countCall({ ...call, accountId: `u_member${index}` });
    await recorder.stop();
    assert.equal(callsIn(written), 25);
    assert.equal(written.flatMap(({ keyUses }) => keyUses).length, 25);
  });

  it('reports a loss when the database does not come back before the stop', async () => {
    const { recorder, lost } = start({ failing: 100, limits: { triesAtStop: 2 } });
    recorder.countCall(call);
    await recorder.stop();
    assert.deepEqual(lost, [1]);
  });
});

function start(options: { failing?: number; wait?: () => Promise<void>; limits?: UsageRecorderOptions['limits'] } = {}) {
  const attempts: UsageBatch[] = [];
  const written: UsageBatch[] = [];
  const events: AccountEventRecord[] = [];
  const lost: number[] = [];
  let failing = options.failing ?? 0;
  const recorder = createUsageRecorder({
    async writeCounts(batch) {
      attempts.push(batch);
      await options.wait?.();
      failing -= 1;
      if (failing >= 0) throw new Error('the database is unavailable');
      written.push(batch);
    },
    writeEvents: async (added) => void events.push(...added),
    onFailure: () => undefined,
    onLoss: (_err, count) => lost.push(count),
    limits: options.limits ?? {},
  });
  return { recorder, attempts, written, events, lost };
}

function callsIn(written: UsageBatch[]): number {
  return written.flatMap(({ calls }) => calls).reduce((sum, { calls }) => sum + calls, 0);
}
