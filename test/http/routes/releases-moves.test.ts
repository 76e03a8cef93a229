import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReleaseFields, SavedRelease } from '../../../src/contract/releases.ts';
import { call } from '../../support/client.ts';
import { postgres, sqlite } from '../../support/engines.ts';
import { type Client, describeOnEveryEngine, type ListBody, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';
import { exportText, importText, parseExport, postLines, toLines } from '../../support/transfer.ts';
import { newMember } from '../../support/workspaces.ts';

const released = [
  ['a', 'production'],
  ['b', 'staging'],
] as const;
const keys = Array.from({ length: 40 }, (_, index) => `user ${index} Zoë`);
const releasePath = (name: string, label = 'production') => pathOf(name, `/labels/${label}/release`);
const rules = [{ if: { plan: ['internal'] }, version: 2 }];
const guards = [
  { metric: 'errorRate', margin: 0.05 },
  { metric: 'score:helpful', margin: 1 },
];
const planned = { control: 1, arms: [{ version: 2, weight: 100 }], rules, metric: 'cost', guards, steps: [500, 5000], minUnits: 7 };

async function newPrompt(client: Client, name: string): Promise<void> {
  await client.create({ name, template: 'one' });
  await client.save(name, { template: 'two' });
}

async function start(client: Client, name: string, body: object, label?: string): Promise<SavedRelease> {
  const { status, body: release, text } = await client.call('PUT', releasePath(name, label), body);
  assert.equal(status, 200, text);
  return release as SavedRelease;
}

/** Returns the version of each key, and of a caller that a rule matches. */
async function readVersions(client: Client, name: string, label = 'production'): Promise<number[]> {
  const queries = [...keys.map((key) => ({ label, key })), { label, 'ctx.plan': 'internal' }];
  const versions: number[] = [];
  for (const query of queries) {
    versions.push((await client.get<VersionBody>(pathOf(name, `?${new URLSearchParams(query as Record<string, string>)}`))).version);
  }
  return versions;
}

const getRelease = (client: Client, name: string, label?: string) => client.get<ReleaseFields>(releasePath(name, label));
/** Returns the fields of a release that an export contains. */
const kept = ({ id: _, startedBy: _by, ...release }: ReleaseFields) => {
  const { progress: _progress, ...fields } = release as typeof release & { progress?: unknown };
  return fields;
};

describe('The export of a release', () => {
  it('gives every key its version on another engine and back, and always has the same bytes', async (t) => {
    const services = [await startService({ engine: sqlite }), await startService({ engine: postgres })];
    t.after(() => Promise.all(services.map((service) => service.close())));
    const clients: Client[] = [];
    for (const index of [0, 1, 0]) clients.push(await newClient(services[index] ?? assert.fail()));
    const [first, second, third] = clients as [Client, Client, Client];
    await newPrompt(first, 'a');
    const started = await start(first, 'a', planned);
    await first.call('PATCH', releasePath('a'), { arms: [{ version: 2, weight: 5000 }] });
    await newPrompt(first, 'b');
    await start(first, 'b', { control: 2, arms: [{ version: 1, weight: 3000 }] }, 'staging');
    await first.call('PATCH', releasePath('b', 'staging'), { state: 'paused' });
    await newPrompt(first, 'ended');
    await start(first, 'ended', { control: 1, arms: [{ version: 2, weight: 10_000 }] });
    await first.call('DELETE', releasePath('ended'));
    const text = await exportText(first);
    assert.ok(!text.includes(`"id":"${started.id}","salt"`));
    let from = first;
    for (const to of [second, third]) {
      assert.deepEqual(new Set((await importText(to, await exportText(from))).map(({ status }) => status)), new Set(['created']));
      assert.equal(await exportText(to), text);
      for (const [name, label] of released) {
        const [one, other] = [await getRelease(first, name, label), await getRelease(to, name, label)];
        assert.deepEqual(kept(other), kept(one));
        assert.notEqual(other.id, one.id, 'its results are measured separately');
        assert.equal(other.startedBy.userId, to.userId, 'the importer');
        assert.deepEqual(await readVersions(to, name, label), await readVersions(first, name, label));
      }
      assert.equal((await to.call('GET', releasePath('ended'))).status, 404);
      assert.deepEqual(new Set(await readVersions(to, 'ended')), new Set([1]));
      from = to;
    }
    assert.equal(new Set(await readVersions(third, 'a')).size, 2, 'both arms');
  });
});

describeOnEveryEngine('The import of a release', (service) => {
  it('403: the same salt does not let an import divide the callers of a label with a rule in another way', async () => {
    const [source, target] = [await newClient(service()), await newClient(service())];
    await newPrompt(source, 'a');
    await start(source, 'a', planned);
    await importText(target, await exportText(source));
    const first = await getRelease(target, 'a');
    await target.call('PATCH', '/api/workspace', { labelRules: { production: { approvals: 1, override: 'owner' } } });
    const admin = await newMember(service(), target, 'admin');
    await source.call('PATCH', releasePath('a'), { arms: [{ version: 2, weight: 10_000 }] });
    const text = await exportText(source);
    const headers = { 'content-type': 'application/x-ndjson', 'promptharbor-workspace': target.userId };
    const refused = await call(service(), 'POST', '/api/import', { key: admin.token, text, headers });
    assert.equal(refused.status, 403, refused.text);
    assert.deepEqual((await getRelease(target, 'a')).arms, first.arms);
    await importText(target, text);
    assert.deepEqual((await getRelease(target, 'a')).arms, [{ version: 2, weight: 10_000 }], 'the owner may override the rule');
  });

  it('follows its source: it is widened, ended and replaced, and keeps its id while it is the same', async () => {
    const [source, target] = [await newClient(service()), await newClient(service())];
    await newPrompt(source, 'a');
    const copy = async () => {
      const [result] = await importText(target, await exportText(source));
      assert.deepEqual([result?.status, await exportText(target)], ['completed', await exportText(source)], result?.reason ?? '');
    };
    await start(source, 'a', planned);
    await importText(target, await exportText(source));
    const first = await getRelease(target, 'a');

    await source.call('PATCH', releasePath('a'), { arms: [{ version: 2, weight: 5000 }] });
    await copy();
    const wider = await getRelease(target, 'a');
    assert.deepEqual([wider.id, wider.salt, wider.arms], [first.id, first.salt, [{ version: 2, weight: 5000 }]]);
    assert.deepEqual(await readVersions(target, 'a'), await readVersions(source, 'a'));

    await source.call('POST', `${releasePath('a')}/finish`, { version: 2 });
    await copy();
    assert.deepEqual([(await getRelease(target, 'a')).state, new Set(await readVersions(target, 'a'))], ['finished', new Set([2])]);

    await start(source, 'a', { control: 2, arms: [{ version: 1, weight: 5000 }] });
    await copy();
    assert.notEqual((await getRelease(target, 'a')).id, first.id);
    await source.call('DELETE', releasePath('a'));
    await copy();
    assert.deepEqual([(await getRelease(target, 'a')).state, new Set(await readVersions(target, 'a'))], ['rolled_back', new Set([2])]);
    assert.deepEqual((await importText(target, await exportText(source)))[0]?.status, 'unchanged');
  });

  it('leaves a prompt unchanged if its release was started or changed in the target, and replaces it on request', async () => {
    const [source, target] = [await newClient(service()), await newClient(service())];
    await newPrompt(source, 'a');
    await importText(target, await exportText(source));
    const own = await start(target, 'a', { control: 1, arms: [{ version: 2, weight: 1000 }] });
    await start(source, 'a', planned);
    const text = await exportText(source);
    assert.equal((await importText(target, text))[0]?.status, 'conflict');
    assert.deepEqual((await getRelease(target, 'a')).id, own.id);
    assert.equal((await importText(target, text, '?replace=true'))[0]?.status, 'replaced');
    assert.deepEqual(kept(await getRelease(target, 'a')), kept(await getRelease(source, 'a')));
  });

  it('refuses releases that no service could have exported', async () => {
    const [source, target] = [await newClient(service()), await newClient(service())];
    await newPrompt(source, 'a');
    await start(source, 'a', planned);
    const [, line = {}, ...rest] = parseExport(await exportText(source));
    const [release] = line.releases as [Record<string, unknown>];
    const conflicts: [object, RegExp][] = [
      [{ control: 2, arms: [{ version: 1, weight: 1 }], rules: [] }, /Use the version at the label "production"/],
      [{ label: 'staging' }, /Use the version at the label "staging"/],
      [{ arms: [{ version: 7, weight: 1 }], rules: [] }, /uses version 7, which does not exist/],
      [{ arms: [{ version: 1, weight: 1 }], rules: [] }, /An arm must not be the control/],
      [{ rules: [{ if: { plan: ['a'] }, version: 9 }] }, /Use the version of an arm/],
      [{ startedAt: '2026-13-01T00:00:00.000Z' }, /not a valid time/],
    ];
    for (const [change, reason] of conflicts) {
      const text = toLines({ ...line, releases: [{ ...release, ...change }] }, ...rest);
      const [result] = await importText(target, text);
      assert.equal(result?.status, 'conflict', JSON.stringify(change));
      assert.match(result?.reason ?? '', reason);
    }
    const twice = await importText(target, toLines({ ...line, releases: [release, release] }, ...rest));
    assert.match(twice[0]?.reason ?? '', /List each label once/);
    for (const change of [{ state: 'finished' }, { salt: '' }, { salt: 'a b' }, { id: 'rel_1' }, { arms: [] }, { more: 1 }]) {
      const refused = await postLines(target, toLines({ ...line, releases: [{ ...release, ...change }] }, ...rest));
      assert.equal(refused.status, 400, JSON.stringify(change));
    }
    assert.deepEqual((await target.get<ListBody>('/api/prompts')).data, []);
  });
});

describeOnEveryEngine('A copy of a prompt with a release', (service) => {
  for (const move of [false, true]) {
    it(`${move ? 'a move' : 'a copy'} has the control for all callers, and says so`, async () => {
      const owner = await newClient(service());
      const member = await newMember(service(), owner, 'editor');
      await newPrompt(member, 'b');
      await start(member, 'b', { control: 1, arms: [{ version: 2, weight: 10_000 }] });
      const copy = (query = '') => member.call('POST', pathOf('b', `/copy${query}`), { workspace: owner.userId, move });
      const strict = await copy('?strict=true');
      assert.deepEqual([strict.status, (strict.body as { code: string }).code], [409, 'has_warnings']);
      assert.equal((await member.get<VersionBody>(pathOf('b', '?key=u'))).version, 2, 'a refused copy changes nothing');
      const copied = await copy();
      const { warnings } = copied.body as { warnings: { code: string; label?: string; message: string }[] };
      assert.deepEqual(warnings, [
        {
          code: 'release_not_copied',
          message: 'The release on the label "production" was not copied. All callers of the copy get version 1.',
          label: 'production',
        },
      ]);
      assert.equal((await owner.get<VersionBody>(pathOf('b', '?key=u'))).version, 1);
      assert.equal((await owner.call('GET', releasePath('b'))).status, 404);
      await owner.label('b', 'production', 2);
      if (move) assert.equal((await member.call('GET', pathOf('b'))).status, 404);
      else assert.equal((await member.get<VersionBody>(pathOf('b', '?key=u'))).version, 2);
    });
  }
});
