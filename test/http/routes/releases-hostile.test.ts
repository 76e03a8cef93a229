import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maxRunningReleases } from '../../../src/contract/limits.ts';
import type { SavedRelease } from '../../../src/contract/releases.ts';
import { toKeyActor } from '../../../src/domain/actor.ts';
import { resolveVersion } from '../../../src/domain/prompts/prompt-records.ts';
import { stepReleases } from '../../../src/domain/releases/release-steps.ts';
import { releasePath, startRelease } from '../../support/guarded-releases.ts';
import { assertRefused, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { releasedPrompt, startTestRelease } from '../../support/releases.ts';
import { exportText, postLines } from '../../support/transfer.ts';

describeOnEveryEngine('extreme numbers in a release', (service) => {
  it('are refused, or measured like others', async () => {
    const guards = [
      { metric: 'score:rating', margin: 1e12 },
      { metric: 'latency', margin: 1e12 },
    ];
    const released = await startTestRelease(service(), { guards, metric: 'cost', steps: [6000] });
    for (const version of [1, 2]) {
      for (const key of released.keysOf(version, 12)) {
        await released.report(released.callOf(key, { durationMs: version === 1 ? 0 : 200_000, cost: version === 1 ? 0 : 1e6 }));
        const feedback = { prompt: releasedPrompt, key, name: 'rating', value: version === 1 ? 1e12 : -1e12 };
        assert.equal((await released.call('POST', '/api/feedback', feedback)).status, 202);
      }
    }
    await stepReleases(service().ctx, service().ctx.store.statistics);
    const { progress } = await released.get<{ progress: { guards: { difference: Record<string, number> | null }[] } }>(
      releasePath(releasedPrompt),
    );
    for (const { difference } of progress.guards) {
      for (const name of ['value', 'low', 'high']) assert.ok(Number.isFinite(difference?.[name]), JSON.stringify(progress));
    }
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    await client.save('a', { template: 'two' });
    for (const metric of ['score:rating', 'latency']) {
      const body = { control: 1, arms: [{ version: 2, weight: 1 }], guards: [{ metric, margin: 1e300 }] };
      assertRefused(await client.call('PUT', releasePath('a'), body), 400, 'invalid_input', '/guards/0/margin');
    }
  });
});

describeOnEveryEngine('a read during the end of a release', (service) => {
  it('gives a key of the arm its version, even if the release is finished in the middle of the read', async () => {
    const client = await newClient(service());
    await startRelease(client, { arms: [{ version: 2, weight: 10_000 }], steps: [] });
    const { store } = service().ctx;
    const account = await store.keys.findAccount(client.token);
    const actor = toKeyActor(account ?? assert.fail('the key is unknown'), client.token);
    let isFinished = false;
    /** Finishes the release after the first query for labels or releases. */
    const finishOnce = async () => {
      if (isFinished) return;
      isFinished = true;
      assert.equal((await client.call('POST', releasePath('a', '/finish'), { version: 2 })).status, 200);
    };
    const then =
      <Args extends unknown[], Result>(query: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        const result = await query(...args);
        await finishOnce();
        return result;
      };
    const labels = { ...store.labels, list: then(store.labels.list) };
    const releases = { ...store.releases, find: then(store.releases.find) };
    const { record } = await resolveVersion({ store: { ...store, labels, releases } }, actor, 'a', {}, { key: 'u' });
    assert.deepEqual([isFinished, record.version], [true, 2]);
  });
});

describeOnEveryEngine('the releases of removed labels', (service) => {
  it('are removed too, so that their number is limited', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    await client.save('a', { template: 'two' });
    const start = { control: 1, arms: [{ version: 2, weight: 1 }] };
    for (let index = 0; index < 25; index += 1) {
      const label = `label-${index}`;
      assert.equal((await client.call('PUT', pathOf('a', `/labels/${label}/release`), start)).status, 200);
      assert.equal((await client.call('DELETE', pathOf('a', `/labels/${label}/release`))).status, 204);
      assert.equal((await client.call('DELETE', pathOf('a', `/labels/${label}`))).status, 204);
    }
    const { data } = await client.get<ListBody<{ releases?: Record<string, SavedRelease> }>>('/api/prompts');
    assert.deepEqual(
      data.map(({ releases }) => releases),
      [undefined],
    );
    assertRefused(await client.call('GET', pathOf('a', '/labels/label-0/release')), 404, 'release_not_found');
  });
});

describeOnEveryEngine('the number of running releases', (service) => {
  it('is limited in each workspace, for new, resumed and imported ones', async () => {
    const [client, other] = [await newClient(service()), await newClient(service())];
    await startRelease(client);
    const full = await startRelease(client, {}, 'b');
    assert.equal((await client.call('PATCH', releasePath('a'), { state: 'paused' })).status, 200);
    const { releases } = service().ctx.store;
    const running = (await releases.listRunning(undefined, 100)).find(({ split }) => split.id === full.id) ?? assert.fail();
    const ids = Array.from({ length: maxRunningReleases - 1 }, (_, index) => `${full.id}-${index}`);
    for (const id of ids) await releases.put({ ...running, label: id, split: { ...running.split, id } });

    assertRefused(await client.call('PATCH', releasePath('a'), { state: 'running' }), 403, 'quota_exceeded');
    const start = { control: 1, arms: [{ version: 2, weight: 1 }] };
    assertRefused(await client.call('PUT', pathOf('a', '/labels/staging/release'), start), 403, 'quota_exceeded');
    await startRelease(other, {}, 'imported');
    assertRefused(await postLines(client, await exportText(other)), 403, 'quota_exceeded');
    assert.equal((await client.call('DELETE', releasePath('b'))).status, 204);
    assert.equal((await client.call('PATCH', releasePath('a'), { state: 'running' })).status, 200);
  });
});
