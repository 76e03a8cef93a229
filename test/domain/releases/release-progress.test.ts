import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toKeyActor } from '../../../src/domain/actor.ts';
import { getProgress } from '../../../src/domain/releases/release-progress.ts';
import { freezeClock } from '../../support/clock.ts';
import { createReaders, errorsOf, releaseOf, releasePath, startRelease } from '../../support/guarded-releases.ts';
import { describeOnEveryEngine, newClient } from '../../support/prompts.ts';

const hourMs = 60 * 60 * 1000;

describeOnEveryEngine('the progress of a release', (service) => {
  it('contains units, reads, guards and the next step, even after the end', async (t) => {
    freezeClock(t);
    const client = await newClient(service());
    const readers = createReaders();
    const release = await startRelease(client);
    readers.set(release, 1, errorsOf([1159, 0], [61, 0]));
    const account = await service().ctx.store.keys.findAccount(client.token);
    const actor = toKeyActor(account ?? assert.fail('the key is unknown'), client.token);
    const choice = { name: 'a', label: 'production' };
    const { progress, ...fields } = await getProgress(service().ctx, readers, actor, choice);
    assert.partialDeepStrictEqual(await releaseOf(client), fields);
    assert.deepEqual(progress.arms, [
      { arm: 'control', version: 1, weight: 9500, units: 1159, calls: 2318, reads: 90 },
      { arm: 'v2', version: 2, weight: 500, units: 61, calls: 122, reads: 10 },
    ]);
    assert.deepEqual([progress.readsWithoutKey, progress.guards.length, progress.metric], [12, 1, null]);
    const at = new Date(Date.parse(release.startedAt) + hourMs).toISOString();
    assert.deepEqual([progress.next?.weight, progress.next?.at, progress.next?.waitsFor[0]], [1000, at, '39 more units for v2']);
    await client.call('DELETE', releasePath('a'));
    const ended = await getProgress(service().ctx, readers, actor, choice);
    assert.deepEqual([ended.state, ended.progress.next, ended.progress.arms], ['rolled_back', null, progress.arms]);
    await assert.rejects(getProgress(service().ctx, readers, actor, { name: 'a', label: 'staging' }), { code: 'release_not_found' });
  });
});
