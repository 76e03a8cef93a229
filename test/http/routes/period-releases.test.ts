import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PromptResults } from '../../../src/contract/results.ts';
import type { Statistics } from '../../../src/contract/statistics.ts';
import { describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';
import { releasedPrompt, startTestRelease, type TestRelease } from '../../support/releases.ts';

const minuteMs = 60_000;
const stagingPath = pathOf(releasedPrompt, '/labels/staging/release');
const encode = encodeURIComponent;

async function statisticsOf({ service, get }: TestRelease, query = ''): Promise<Statistics> {
  await service.ctx.recorder.flush();
  return get(`/api/stats?prompt=${encode(releasedPrompt)}${query}`);
}

const resultsOf = ({ get }: TestRelease, query = '') => get<PromptResults>(pathOf(releasedPrompt, `/results${query}`));

/** Reads the prompt once for each of `count` keys of a version. */
async function read({ get, keysOf }: TestRelease, version: number, count: number): Promise<void> {
  for (const key of keysOf(version, count)) await get(pathOf(releasedPrompt, `?key=${encode(key)}`));
}

/** Returns the query for a range that begins and ends this many minutes from now. */
function rangeOf(fromMinutes: number, toMinutes: number): string {
  const time = (minutes: number) => encode(new Date(Date.now() + minutes * minuteMs).toISOString());
  return `from=${time(fromMinutes)}&to=${time(toMinutes)}`;
}

const arms = ({ weights, reads }: { weights: [number, number]; reads: [number, number] }) => [
  { arm: 'control', version: 1, weight: weights[0], reads: reads[0] },
  { arm: 'v2', version: 2, weight: weights[1], reads: reads[1] },
];

describeOnEveryEngine('GET /api/stats?prompt=: releases', (service) => {
  it('200: has the release of each label with the reads of its arms in the range', async () => {
    const test = await startTestRelease(service());
    await read(test, 1, 3);
    await read(test, 2, 2);
    await test.get(pathOf(releasedPrompt));
    await test.get(pathOf(releasedPrompt, '?version=2'));
    const { releases } = await statisticsOf(test);
    const { startedAt, changedAt, ...release } = releases?.[0] ?? assert.fail('no release');
    assert.deepEqual(release, {
      ...{ id: test.release.id, label: 'production', state: 'running', endedAt: null, readsWithoutKey: 1 },
      arms: arms({ weights: [5000, 5000], reads: [3, 2] }),
    });
    assert.ok(startedAt <= new Date().toISOString() && typeof changedAt === 'string');
    assert.equal(releases?.length, 1);
    assert.deepEqual((await test.get<Statistics>('/api/stats')).releases, undefined, 'only with a prompt');

    const started = await test.call('PUT', stagingPath, { control: 1, arms: [{ version: 3, weight: 0 }] });
    assert.equal(started.status, 200, started.text);
    const labels = (await statisticsOf(test)).releases?.map(({ label }) => label);
    assert.deepEqual(labels, ['staging', 'production'], 'the latest first');
  });

  it('200: keeps an ended release in ranges that it overlaps, and has none before its start', async () => {
    const test = await startTestRelease(service());
    await read(test, 2, 1);
    assert.equal((await test.call('DELETE', pathOf(releasedPrompt, '/labels/production/release'))).status, 204);
    const [ended] = (await statisticsOf(test)).releases ?? [];
    assert.deepEqual([ended?.state, ended?.endedAt !== null, ended?.arms[1]?.reads], ['rolled_back', true, 1]);
    assert.deepEqual((await statisticsOf(test, `&${rangeOf(-600, -300)}`)).releases, []);
    assert.deepEqual((await statisticsOf(test, `&${rangeOf(120, 240)}`)).releases, [], 'ended before the range');
  });

  it('200: has no release of another prompt or workspace', async () => {
    const test = await startTestRelease(service());
    await test.create({ name: 'other', template: 'x' });
    assert.deepEqual((await test.get<Statistics>('/api/stats?prompt=other')).releases, []);
    const stranger = await newClient(service());
    await stranger.create({ name: releasedPrompt, template: 'x' });
    assert.deepEqual((await stranger.get<Statistics>(`/api/stats?prompt=${encode(releasedPrompt)}`)).releases, []);
  });
});

describeOnEveryEngine('GET /api/prompts/{name}/results: releases', (service) => {
  it('200: has the units and calls of each arm since the weights last changed, and the reads in the range', async () => {
    const test = await startTestRelease(service());
    const [first = '', second = ''] = test.keysOf(1, 2);
    const [third = ''] = test.keysOf(2, 1);
    await read(test, 2, 1);
    await test.report(...[first, first, second, third].map((key) => test.callOf(key)));
    await service().ctx.recorder.flush();
    const counts = async (query = '') =>
      (await resultsOf(test, query)).releases.map(({ label, arms }) => [
        label,
        ...arms.map(({ arm, weight, reads, units, calls }) => [arm, weight, reads, units, calls]),
      ]);
    assert.deepEqual(await counts(), [['production', ['control', 5000, 0, 2, 3], ['v2', 5000, 1, 1, 1]]]);
    assert.deepEqual(await counts('?label=production'), await counts());
    assert.deepEqual(await counts('?label=staging'), []);
    assert.deepEqual(await counts(`?${rangeOf(-600, -300)}`), []);

    await test.change({ arms: [{ version: 2, weight: 7500 }] });
    assert.deepEqual(await counts(), [['production', ['control', 2500, 0, 0, 0], ['v2', 7500, 1, 0, 0]]]);
  });
});
