import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryEntry } from '../../../src/contract/history.ts';
import { applyDueProposals } from '../../../src/domain/proposals/due-proposals.ts';
import { engines, postgres } from '../../support/engines.ts';
import { clientOf, type ListBody, pathOf } from '../../support/prompts.ts';
import { newTeam, propose } from '../../support/proposals.ts';
import { startService } from '../../support/service.ts';
import { applyAndKill, type Moment } from '../../support/stepping-process.ts';

const applyAt = '2026-01-01T00:00:00.000Z';
const isAutomatic = ({ proposal }: HistoryEntry) => proposal?.automatic === true;

describe('proposals with a time on two instances', () => {
  it('are applied once if both look at the same time', async (t) => {
    const first = await startService({ engine: postgres });
    t.after(() => first.close());
    const second = await startService({ database: first.database });
    t.after(() => second.close());
    const { client, join } = await newTeam(first);
    const [ada, ben] = [await join('editor'), await join('editor')];
    await ben.review(await propose(ada, {}, { applyAt }));
    await Promise.all([first, second, first, second].map(({ ctx }) => applyDueProposals(ctx)));
    const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
    assert.equal(data.filter(isAutomatic).length, 1);
  });
});

describe('an instance that is killed while another one looks at the same proposal', () => {
  for (const moment of ['before the commit', 'after the commit'] as const) {
    it(`${moment}: the proposal is applied exactly once`, async (t) => {
      const other = await startService({ engine: postgres });
      t.after(() => other.close());
      const { client, join, live } = await newTeam(other);
      const [ada, ben] = [await join('editor'), await join('editor')];
      await ben.review(await propose(ada, {}, { applyAt }));
      const looks: Promise<void>[] = [];
      // Before the commit, the instance that is killed holds the workspace's lock, and the other instance waits for the lock.
      await applyAndKill(other.database, moment, () => looks.push(applyDueProposals(other.ctx)));
      await Promise.all(looks);
      await applyDueProposals(other.ctx);
      const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
      assert.deepEqual([looks.length, data.filter(isAutomatic).length, await live()], [1, 1, 2]);
    });
  }
});

describe('a process that is killed while it applies a proposal', () => {
  for (const engine of engines) {
    for (const [moment, expected] of [
      ['before the commit', 0],
      ['after the commit', 1],
    ] as const satisfies [Moment, number][]) {
      it(`${moment}: nothing happens twice, and nothing is lost (${engine.name})`, async (t) => {
        const database = await engine.createMigrated();
        t.after(() => database.remove());
        const first = await startService({ database });
        t.after(() => first.close());
        const { client: account, join } = await newTeam(first);
        const [ada, ben] = [await join('editor'), await join('editor')];
        await ben.review(await propose(ada, {}, { applyAt }));
        await first.close();
        await applyAndKill(database, moment);
        const service = await startService({ database });
        t.after(() => service.close());
        const client = clientOf(service, account);
        const count = async () => (await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'))).data.filter(isAutomatic).length;
        assert.equal(await count(), expected);
        for (const _ of [1, 2]) await applyDueProposals(service.ctx);
        assert.equal(await count(), 1);
      });
    }
  }
});
