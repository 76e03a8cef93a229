import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Notification } from '../../../src/contract/notifications.ts';
import { stepReleases } from '../../../src/domain/releases/release-steps.ts';
import { freezeClock } from '../../support/clock.ts';
import { automaticOf, createReaders, goodResults, releaseOf, releasePath, startRelease } from '../../support/guarded-releases.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';

const hourMs = 60 * 60 * 1000;
const wider = { arms: [{ version: 2, weight: 800 }] };

describeOnEveryEngine('an automatic step when the rules of the label became stricter after the start', (service) => {
  const settings = async (client: Client, body: object) => assert.equal((await client.call('PATCH', '/api/workspace', body)).status, 200);
  /** Adds a test case that version 1 passes and version 2 fails. */
  const addCase = (client: Client) =>
    client.call('POST', pathOf('a', '/cases'), { name: 'One', checks: [{ kind: 'contains', on: 'prompt', value: 'one' }] });
  const textOf = async (client: Client) => (await client.get<{ data: Notification[] }>('/api/notifications')).data.map(({ text }) => text);
  const stopped =
    /^The release of “a” on production in “Test” was paused: its versions do not have the checks or approvals that production/;

  const rules: [string, (client: Client) => Promise<unknown>, (client: Client) => Promise<unknown>, string][] = [
    [
      'passing checks',
      async (client) => [await addCase(client), await settings(client, { gatedLabels: ['production'] })],
      (client) => settings(client, { gatedLabels: [] }),
      'checks_required',
    ],
    [
      'approvals',
      (client) => settings(client, { labelRules: { production: { approvals: 1 } } }),
      (client) => settings(client, { labelRules: {} }),
      'approval_required',
    ],
  ];
  for (const [what, forbid, allow, code] of rules) {
    it(`pauses the release, because without ${what} a person could not widen it either`, async (t) => {
      const clock = freezeClock(t);
      const client = await newClient(service());
      const readers = createReaders();
      const release = await startRelease(client);
      await forbid(client);
      assertRefused(await client.call('PATCH', releasePath('a'), wider), 409, code);
      readers.set(release, 1, goodResults);
      clock.advance(hourMs);
      for (const _ of [1, 2]) await stepReleases(service().ctx, readers);
      const { state, cause, arms } = await releaseOf(client);
      assert.deepEqual([state, cause, arms], ['paused', 'not_allowed', release.arms]);
      const entries = await automaticOf(client);
      assert.deepEqual(
        entries.map((entry) => [entry.type, entry.release?.cause]),
        [['release_paused', 'not_allowed']],
      );
      const [text, ...others] = await textOf(client);
      assert.match(text ?? '', stopped);
      assert.deepEqual(others, []);

      await allow(client);
      assert.equal((await client.call('PATCH', releasePath('a'), { state: 'running' })).status, 200);
      readers.set(release, 2, goodResults);
      clock.advance(hourMs);
      await stepReleases(service().ctx, readers);
      const widened = await releaseOf(client);
      assert.deepEqual([widened.state, widened.arms], ['running', [{ version: 2, weight: 1000 }]]);
    });
  }

  it('widens if the version was live earlier, or if a rule was overridden at the start', async (t) => {
    const clock = freezeClock(t);
    const client = await newClient(service());
    const readers = createReaders();
    await startRelease(client);
    assert.equal((await client.call('POST', releasePath('a', '/finish'), { version: 2 })).status, 200);
    const start = { control: 1, arms: [{ version: 2, weight: 500 }], steps: [1000] };
    const again = await client.call('PUT', releasePath('a'), start);
    await addCase(client);
    await settings(client, { gatedLabels: ['production'] });
    readers.set(again.body as { id: string }, 1, goodResults);
    await client.create({ name: 'b', template: 'one' });
    await client.save('b', { template: 'two' });
    const check = { kind: 'contains', on: 'prompt', value: 'one' };
    await client.call('POST', pathOf('b', '/cases'), { name: 'One', checks: [check] });
    const overridden = await client.call('PUT', releasePath('b'), { ...start, override: 'Hotfix' });
    assert.equal(overridden.status, 200, overridden.text);
    readers.set(overridden.body as { id: string }, 1, goodResults);
    clock.advance(hourMs);
    await stepReleases(service().ctx, readers);
    for (const name of ['a', 'b']) assert.deepEqual((await releaseOf(client, name)).arms, [{ version: 2, weight: 1000 }], name);
    assert.deepEqual(await textOf(client), []);
  });
});
