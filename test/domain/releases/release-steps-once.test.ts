import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Notification } from '../../../src/contract/notifications.ts';
import { startSteppingReleases, stepReleases } from '../../../src/domain/releases/release-steps.ts';
import { engines, postgres } from '../../support/engines.ts';
import { automaticOf, badResults, createReaders, releaseOf, releasePath, startRelease } from '../../support/guarded-releases.ts';
import { type Client, clientOf, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { retryUntil } from '../../support/retry.ts';
import { startService } from '../../support/service.ts';
import { type Moment, stepAndKill } from '../../support/stepping-process.ts';

const notificationsOf = async (client: Client) => (await client.get<{ data: Notification[] }>('/api/notifications')).data;

describeOnEveryEngine('guarded steps beside other changes', (service) => {
  const step = (readers: ReturnType<typeof createReaders>) => stepReleases(service().ctx, readers);

  it('changes nothing if the transaction fails, and the next look acts once', async () => {
    const client = await newClient(service());
    const readers = createReaders();
    readers.set(await startRelease(client), 1, badResults);
    const { store } = service().ctx;
    const changePrompts: typeof store.changePrompts = (accountId, change) =>
      store.changePrompts(accountId, async (stores) => {
        await change(stores);
        throw new Error('interrupted');
      });
    await assert.rejects(stepReleases({ ...service().ctx, store: { ...store, changePrompts } }, readers));
    assert.deepEqual([(await releaseOf(client)).state, await automaticOf(client), await notificationsOf(client)], ['running', [], []]);
    await step(readers);
    assert.deepEqual([(await automaticOf(client)).length, (await notificationsOf(client)).length], [1, 1]);
  });

  it('acts once if several look at the same time, and again and again', async (t) => {
    const client = await newClient(service());
    const readers = createReaders();
    const names = ['a', 'b', 'c'];
    for (const name of names) readers.set(await startRelease(client, {}, name), 1, badResults);
    await Promise.all([step(readers), step(readers), step(readers)]);
    const stepping = startSteppingReleases(service().ctx, readers, { intervalMs: 5, onError: (err) => t.diagnostic(String(err)) });
    const release = await startRelease(client, {}, 'd');
    readers.set(release, 1, badResults);
    await retryUntil('the release is rolled back', async () => (await releaseOf(client, 'd')).state === 'rolled_back');
    await stepping.stop();
    for (const name of [...names, 'd']) assert.equal((await automaticOf(client, name)).length, 1, name);
    assert.equal((await notificationsOf(client)).length, 4);
  });

  it('does nothing if someone changes the release while it is measured', async () => {
    const client = await newClient(service());
    const changes: [string, (name: string) => Promise<unknown>][] = [
      ['a', (name) => client.call('PATCH', releasePath(name), { arms: [{ version: 2, weight: 600 }] })],
      ['b', (name) => client.call('PATCH', releasePath(name), { state: 'paused' })],
      ['c', (name) => client.call('DELETE', releasePath(name))],
      ['d', (name) => client.call('DELETE', pathOf(name))],
      [
        'e',
        async (name) => {
          await client.call('DELETE', releasePath(name));
          await client.call('PUT', releasePath(name), { control: 1, arms: [{ version: 2, weight: 500 }] });
        },
      ],
    ];
    for (const [name, change] of changes) {
      const { id } = await startRelease(client, {}, name);
      const readers = createReaders();
      const readReleaseResults: typeof readers.readReleaseResults = async ({ releaseId }) => {
        if (releaseId !== id) return [];
        await change(name);
        return badResults;
      };
      await step({ ...readers, readReleaseResults });
      const { data } = await client.get<ListBody<{ release?: { automatic?: boolean } }>>('/api/activity?limit=100');
      assert.deepEqual(
        data.filter(({ release }) => release?.automatic),
        [],
        name,
      );
    }
    assert.deepEqual(await notificationsOf(client), []);
  });
});

describe('guarded steps on two instances', () => {
  it('act once if both look at the same time', async (t) => {
    const first = await startService({ engine: postgres });
    t.after(() => first.close());
    const second = await startService({ database: first.database });
    t.after(() => second.close());
    const client = await newClient(first);
    const readers = createReaders();
    for (const name of ['a', 'b']) readers.set(await startRelease(client, {}, name), 1, badResults);
    await Promise.all([first, second, first, second].map(({ ctx }) => stepReleases(ctx, readers)));
    for (const name of ['a', 'b']) {
      assert.equal((await automaticOf(client, name)).length, 1);
      assert.equal((await releaseOf(client, name)).state, 'rolled_back');
    }
    assert.equal((await client.get<{ data: Notification[] }>('/api/notifications')).data.length, 2);
  });
});

describe('guarded steps of a process that is killed', () => {
  for (const engine of engines) {
    for (const [moment, expected] of [
      ['before the commit', { state: 'running', changes: 0 }],
      ['after the commit', { state: 'rolled_back', changes: 1 }],
    ] as const satisfies [Moment, object][]) {
      it(`${moment}: nothing happens twice, and nothing is lost (${engine.name})`, async (t) => {
        const database = await engine.createMigrated();
        t.after(() => database.remove());
        const first = await startService({ database });
        t.after(() => first.close());
        const account = await newClient(first);
        const { id } = await startRelease(account);
        await first.close();
        await stepAndKill(database, moment);
        const service = await startService({ database });
        t.after(() => service.close());
        const client = clientOf(service, account);
        const count = async () => [(await automaticOf(client)).length, (await notificationsOf(client)).length];
        assert.deepEqual([(await releaseOf(client)).state, await count()], [expected.state, [expected.changes, expected.changes]]);
        const readers = createReaders();
        readers.set({ id }, 1, badResults);
        for (const _ of [1, 2]) await stepReleases(service.ctx, readers);
        assert.deepEqual([(await releaseOf(client)).state, await count()], ['rolled_back', [1, 1]]);
      });
    }
  }
});
