import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assign, type Split } from '../../../src/contract/release-assignment.ts';
import type { ReleaseFields, SavedRelease } from '../../../src/contract/releases.ts';
import { assertRefused, describeOnEveryEngine, type ListBody, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';

const path = (name: string, rest = '') => pathOf(name, `/labels/production/release${rest}`);
const keys = Array.from({ length: 60 }, (_, index) => `user ${index} Zoë&=?`);
const half = { control: 1, arms: [{ version: 2, weight: 5000 }] };

interface Read extends VersionBody {
  release?: { id: string; arm: string; reason: string };
}

/** Creates a prompt with three versions, the first of which is labeled. */
async function newPrompt(service: Service, name = 'a') {
  const client = await newClient(service);
  await client.create({ name, template: 'one {{ x }}' });
  await client.save(name, { template: 'two {{ x }}' });
  await client.save(name, { template: 'three {{ x }}' });
  const start = (body: object) => client.call('PUT', path(name), body);
  const read = (query: Record<string, string>) => client.get<Read>(pathOf(name, `?${new URLSearchParams(query)}`));
  return { ...client, start, read };
}

const toSplit = ({ id, salt, control, arms, rules }: ReleaseFields): Split => ({ id, salt, control, arms, rules });

describeOnEveryEngine('releases', (service) => {
  it('gives each key its version, in reads and renders, before and after the response is cached', async () => {
    const client = await newPrompt(service());
    const release = (await client.start(half)).body as SavedRelease;
    assert.deepEqual([release.state, release.salt, release.warnings], ['running', release.id, []]);
    for (const _ of [1, 2]) {
      for (const key of keys) {
        const { version } = assign(toSplit(release), { key });
        const arm = version === 1 ? 'control' : 'v2';
        const read = await client.read({ label: 'production', key });
        assert.deepEqual([read.version, read.release], [version, { id: release.id, arm, reason: 'SPLIT' }]);
        const rendered = (await client.call('POST', pathOf('a', '/render'), { variables: { x: '!' }, key })).body as Read & {
          text: string;
        };
        assert.deepEqual([rendered.version, rendered.text, rendered.release], [version, version === 1 ? 'one !' : 'two !', read.release]);
      }
    }
  });

  it('gives callers without a key the control, and says so', async () => {
    const client = await newPrompt(service());
    const { id } = (await client.start({ control: 1, arms: [{ version: 2, weight: 10_000 }] })).body as SavedRelease;
    for (const _ of [1, 2]) {
      const read = await client.read({});
      assert.deepEqual([read.version, read.release], [1, { id, arm: 'control', reason: 'NO_KEY' }]);
      assert.equal((await client.read({ key: 'anyone' })).version, 2);
    }
    const langfuse = await client.get<{ version: number }>('/api/public/v2/prompts/a');
    assert.equal(langfuse.version, 1);
  });

  it('ignores keys where there is no release, or a version is named', async () => {
    const client = await newPrompt(service());
    const before = await client.read({ key: 'u' });
    await client.start({ control: 1, arms: [{ version: 2, weight: 10_000 }] });
    const fixed = await client.read({ key: 'u', version: '3' });
    const newest = await client.read({ key: 'u', label: 'latest' });
    assert.deepEqual([before.release, fixed.version, fixed.release, newest.version], [undefined, 3, undefined, 3]);
  });

  it('uses rules before the weights, with a context in the query or the body', async () => {
    const client = await newPrompt(service());
    const rules = [{ if: { plan: ['internal'] }, version: 2 }];
    const { id } = (await client.start({ control: 1, arms: [{ version: 2, weight: 0 }], rules })).body as SavedRelease;
    const rule = { id, arm: 'v2', reason: 'RULE' };
    for (const _ of [1, 2]) {
      assert.deepEqual((await client.read({ 'ctx.plan': 'internal' })).release, rule);
      assert.deepEqual((await client.read({ key: 'u', 'ctx.plan': 'internal' })).release, rule);
      assert.deepEqual((await client.read({ key: 'u', 'ctx.plan': 'free' })).release, { id, arm: 'control', reason: 'SPLIT' });
    }
    const rendered = await client.call('POST', pathOf('a', '/render'), { variables: { x: '' }, context: { plan: 'internal' } });
    assert.deepEqual((rendered.body as Read).release, rule);
  });

  it('moves the label to the control first, and refuses other moves until the release has ended', async () => {
    const client = await newPrompt(service());
    await client.start({ ...half, control: 3 });
    assert.equal((await client.read({})).version, 3);
    assertRefused(await client.call('PUT', pathOf('a', '/labels/production'), { version: 1 }), 409, 'release_running');
    assertRefused(await client.call('DELETE', pathOf('a', '/labels/production')), 409, 'release_running');
    assertRefused(await client.call('DELETE', pathOf('a', '/versions/2')), 409, 'release_running');
    assertRefused(await client.call('POST', pathOf('a', '/versions'), { template: 'x', labels: ['production'] }), 409, 'release_running');
    assertRefused(await client.start(half), 409, 'release_running');
    await client.label('a', 'staging', 2);
    assert.equal((await client.call('DELETE', path('a'))).status, 204);
    await client.label('a', 'production', 1);
    assert.equal((await client.call('DELETE', pathOf('a', '/versions/2'))).status, 204);
  });

  it('widens, pauses and resumes, and keeps the salt', async () => {
    const client = await newPrompt(service());
    const started = (await client.start(half)).body as SavedRelease;
    const change = (body: object) => client.call('PATCH', path('a'), body);
    const wider = (await change({ arms: [{ version: 2, weight: 6000 }] })).body as ReleaseFields;
    assert.deepEqual([wider.arms, wider.salt, wider.state], [[{ version: 2, weight: 6000 }], started.salt, 'running']);
    const paused = (await change({ state: 'paused' })).body as ReleaseFields;
    assert.deepEqual([paused.state, paused.cause], ['paused', 'person']);
    const key = keys.find((one) => assign(toSplit(wider), { key: one }).version === 2) ?? '';
    assert.equal((await client.read({ key })).version, 2);
    assertRefused(await change({ arms: [{ version: 2, weight: 5999 }] }), 400, 'invalid_input', '/arms');
    assertRefused(await change({ arms: [{ version: 3, weight: 6000 }] }), 400, 'invalid_input', '/arms');
    assertRefused(await change({}), 400, 'invalid_input');
    assert.equal(((await change({ state: 'running' })).body as ReleaseFields).cause, null);
    const history = await client.get<ListBody<{ type: string; release?: object }>>(pathOf('a', '/history?limit=4'));
    assert.deepEqual(
      history.data.map(({ type }) => type),
      ['release_resumed', 'release_paused', 'release_widened', 'release_started'],
    );
  });

  it('tells how many steps it has reached', async () => {
    const client = await newPrompt(service());
    const started = (await client.start({ control: 1, arms: [{ version: 2, weight: 100 }], steps: [500, 1000] })).body as SavedRelease;
    const wider = (await client.call('PATCH', path('a'), { arms: [{ version: 2, weight: 500 }] })).body as ReleaseFields;
    assert.deepEqual([started.step, wider.step], [0, 1]);
  });

  it('is part of the list of prompts, even after it has ended', async () => {
    const client = await newPrompt(service());
    await client.create({ name: 'other', template: 'x' });
    const list = async (query = '') => {
      const { data } = await client.get<ListBody<{ name: string; releases?: object }>>(`/api/prompts${query}`);
      return Object.fromEntries(data.map(({ name, releases }) => [name, releases]));
    };
    assert.deepEqual(await list(), { a: undefined, other: undefined });
    const { id, control, arms, changedAt } = (await client.start(half)).body as SavedRelease;
    assert.deepEqual(await list(), {
      a: { production: { id, state: 'running', control, arms, changedAt } },
      other: undefined,
    });
    assert.deepEqual(await list('?include=content'), { a: undefined, other: undefined });
    await client.call('DELETE', path('a'));
    assert.deepEqual(
      Object.entries((await list()).a ?? {}).map(([label, { state }]) => [label, state]),
      [['production', 'rolled_back']],
    );
    await client.call('DELETE', pathOf('a'));
    assert.deepEqual(await list('?deleted=true'), { a: undefined });
  });

  it('does not record a change that changes nothing', async () => {
    const client = await newPrompt(service());
    await client.start(half);
    const before = await client.get<ListBody>(pathOf('a', '/history'));
    await client.call('PATCH', path('a'), { state: 'running', arms: half.arms });
    assert.deepEqual(await client.get<ListBody>(pathOf('a', '/history')), before);
  });

  it('finishes with a move of the label, and gives everyone the control after a rollback', async () => {
    const client = await newPrompt(service());
    await client.start({ control: 1, arms: [{ version: 2, weight: 10_000 }] });
    assertRefused(await client.call('POST', path('a', '/finish'), { version: 3 }), 400, 'invalid_input', '/version');
    const finished = (await client.call('POST', path('a', '/finish'), { version: 2 })).body as ReleaseFields;
    assert.equal(finished.state, 'finished');
    const read = await client.read({ key: 'u' });
    assert.deepEqual([read.version, read.release], [2, undefined]);
    assertRefused(await client.call('DELETE', path('a')), 409, 'release_ended');
    await client.start({ control: 2, arms: [{ version: 3, weight: 10_000 }] });
    assert.equal((await client.read({ key: 'u' })).version, 3);
    assert.equal((await client.call('DELETE', path('a'))).status, 204);
    assert.equal((await client.read({ key: 'u' })).version, 2);
    const { state, cause, endedAt } = await client.get<ReleaseFields>(path('a'));
    assert.deepEqual([state, cause, typeof endedAt], ['rolled_back', 'person', 'string']);
  });

  it('ends with the prompt, and the restored prompt has the control', async () => {
    const client = await newPrompt(service());
    await client.start({ control: 1, arms: [{ version: 2, weight: 10_000 }] });
    await client.call('DELETE', pathOf('a'));
    await client.call('POST', pathOf('a', '/restore'));
    assert.equal((await client.read({ key: 'u' })).version, 1);
    assert.equal((await client.get<ReleaseFields>(path('a'))).cause, 'deleted');
  });

  it('follows the prompt when it is renamed', async () => {
    const client = await newPrompt(service());
    await client.start({ control: 1, arms: [{ version: 2, weight: 10_000 }] });
    await client.call('PATCH', pathOf('a'), { name: 'b' });
    assert.equal((await client.get<Read>(pathOf('b', '?key=u'))).version, 2);
  });

  it('400, 404: says what is wrong', async () => {
    const client = await newPrompt(service());
    const invalid: [object, string][] = [
      [{ control: 1, arms: [] }, '/arms'],
      [{ control: 1, arms: [{ version: 1, weight: 1 }] }, '/arms/0/version'],
      [{ control: 1, arms: [half.arms[0], half.arms[0]] }, '/arms/1/version'],
      [
        {
          control: 1,
          arms: [
            { version: 2, weight: 9000 },
            { version: 3, weight: 1001 },
          ],
        },
        '/arms',
      ],
      [{ ...half, rules: [{ if: { plan: ['a'] }, version: 3 }] }, '/rules/0/version'],
      [{ ...half, rules: [{ if: {}, version: 2 }] }, '/rules/0/if'],
      [{ ...half, rules: Array(20).fill({ if: { plan: Array(10).fill('x'.repeat(100)) }, version: 2 }) }, '/rules'],
      [{ ...half, steps: [5000] }, '/steps/0'],
      [{ ...half, steps: [6000, 6000] }, '/steps/1'],
      [
        {
          control: 1,
          arms: [
            { version: 2, weight: 1 },
            { version: 3, weight: 1 },
          ],
          steps: [10],
        },
        '/steps',
      ],
      [{ ...half, guards: [{ metric: 'score:helpful' }] }, '/guards/0/margin'],
      [{ ...half, guards: [{ metric: 'errorRate' }, { metric: 'errorRate' }] }, '/guards/1/metric'],
      [{ ...half, guards: [{ metric: 'speed' }] }, '/guards/0/metric'],
      [{ ...half, guards: [{ metric: 'cost', better: 'higher' }] }, '/guards/0/better'],
      [{ ...half, steps: [10_000], minUnits: 50_001 }, '/minUnits'],
      [{ control: 1, arms: [{ version: 2, weight: 9 }], steps: [5000] }, '/minUnits'],
    ];
    for (const [body, pointer] of invalid) assertRefused(await client.start(body), 400, 'invalid_input', pointer);
    assertRefused(await client.start({ ...half, control: 9 }), 404, 'version_not_found');
    assertRefused(await client.call('PUT', pathOf('a', '/labels/latest/release'), half), 400, 'invalid_input', '/label');
    assertRefused(await client.call('GET', path('a')), 404, 'release_not_found');
    assertRefused(await client.call('PATCH', path('a'), { state: 'paused' }), 404, 'release_not_found');
    assertRefused(await client.call('GET', path('nothing')), 404, 'prompt_not_found');
    assert.equal((await client.read({ key: 'u' })).release, undefined);
    assert.equal((await client.start({ ...half, minUnits: 1_000_000 })).status, 200, 'without steps, nothing waits for units');
  });

  it('400: invalid keys and contexts, even if the response for other callers is cached', async () => {
    const client = await newPrompt(service());
    await client.start(half);
    const attributes = (count: number) => Array.from({ length: count }, (_, index) => `ctx.a${index}=1`).join('&');
    assert.equal((await client.call('GET', pathOf('a', '?key=u'))).status, 200);
    for (const query of ['key=', 'key', 'key=a&key=b', 'ctx.=1', 'ctx.a=1&ctx.a=2', `key=${'x'.repeat(1001)}`, attributes(11), 'keys=a']) {
      assertRefused(await client.call('GET', pathOf('a', `?${query}`)), 400, 'invalid_input');
      assertRefused(await client.call('GET', pathOf('a', `/versions?${query}`)), 400, 'invalid_input');
    }
    assert.equal((await client.call('GET', pathOf('a', `?${attributes(10)}`))).status, 200);
    assertRefused(await client.call('POST', pathOf('a', '/render'), { key: 'u', context: { a: [] } }), 400, 'invalid_input');
  });

  it('reads a key in whatever way it is encoded', async () => {
    const client = await newPrompt(service());
    const release = (await client.start(half)).body as SavedRelease;
    for (const key of ['a b', 'ü', '%', '+', '😀']) {
      const { version } = assign(toSplit(release), { key });
      const encoded = encodeURIComponent(key);
      for (const query of [`key=${encoded}`, `k%65y=${encoded}`, `label=production&key=${encoded.replaceAll('%20', '+')}`]) {
        for (const _ of [1, 2]) assert.equal((await client.get<Read>(pathOf('a', `?${query}`))).version, version, query);
      }
    }
  });
});

describeOnEveryEngine('the rules of a workspace', (service) => {
  it('hold for releases: protected labels need a deployer, gated labels passing checks', async () => {
    const client = await newPrompt(service());
    await client.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    await client.call('POST', pathOf('a', '/cases'), { name: 'one', variables: { x: '1' }, checks: [{ kind: 'contains', value: 'two' }] });
    assertRefused(await client.start(half), 409, 'checks_required');
    const overridden = await client.start({ ...half, override: 'urgent' });
    assert.equal(overridden.status, 200, overridden.text);
    const { data } = await client.get<ListBody<{ type: string; override?: string }>>(pathOf('a', '/history?limit=2'));
    assert.ok(data.some(({ type, override }) => type === 'release_started' && override === 'urgent'));
    assertRefused(await client.call('POST', path('a', '/finish'), { version: 2 }), 409, 'checks_required');
    assert.equal((await client.get<ReleaseFields>(path('a'))).state, 'running');
  });
});
