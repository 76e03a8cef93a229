import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PromptHarbor } from '../../../client/src/client.ts';
import { postgres, sqlite } from '../../support/engines.ts';
import {
  type Client,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  type VersionBody,
} from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { exportText, fillWorkspace, importText, parseExport, toLines } from '../../support/transfer.ts';

const clientOf = ({ service, token }: Client) => new PromptHarbor({ baseUrl: service.url, apiKey: token });

describe('GET /api/export and POST /api/import', () => {
  let services: { sqlite: Service; postgres: Service };
  before(async () => {
    services = { sqlite: await startService({ engine: sqlite }), postgres: await startService({ engine: postgres }) };
  });
  after(async () => {
    await services?.sqlite.close();
    await services?.postgres.close();
  });

  for (const [from, to] of [
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
  ] as const) {
    it(`restore random prompts exactly, from ${from} to ${to} and back`, async () => {
      const source = await newClient(services[from]);
      await fillWorkspace(source, 20);
      const text = await exportText(source);
      assert.equal(await exportText(source), text);
      const there = await newClient(services[to]);
      const results = await importText(there, text);
      assert.deepEqual(new Set(results.map(({ status, reason }) => reason ?? status)), new Set(['created']));
      assert.equal(results.length, 20);
      assert.equal(await exportText(there), text);
      const back = await newClient(services[from]);
      await importText(back, await exportText(there));
      assert.equal(await exportText(back), text);
      await assertSameHistory(source, back);
    });
  }

  it('counts what it imports for the quotas', async (t) => {
    const limited = await startService({ database: await sqlite.create(), env: { QUOTA_PROMPTS: '2' } });
    t.after(async () => {
      await limited.close();
      await limited.database.remove();
    });
    const source = await newClient(services.sqlite);
    for (const name of ['a', 'b', 'c']) await source.create({ name, template: name });
    const target = await newClient(limited);
    const text = await exportText(source);
    const refused = await fetch(`${limited.url}/api/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/x-ndjson' },
      body: text,
    });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /QUOTA_PROMPTS/);
  });
});

/** Asserts that both have the same history, apart from ids and authors. */
async function assertSameHistory(one: Client, other: Client): Promise<void> {
  const { data } = await one.get<ListBody>('/api/prompts?limit=10');
  for (const { name, latestVersion, labels, deletedVersions } of data) {
    const copy = (await other.get<ListBody>(`/api/prompts?name=${encodeURIComponent(name)}`)).data[0];
    assert.deepEqual([copy?.latestVersion, copy?.labels, copy?.deletedVersions], [latestVersion, labels, deletedVersions]);
    const withoutAuthors = async (client: Client) =>
      (await client.get<ListBody<VersionBody>>(pathOf(name, '/versions'))).data.map(({ by: { name: author, via }, ...version }) => ({
        ...version,
        author,
        via,
      }));
    assert.deepEqual(await withoutAuthors(other), await withoutAuthors(one));
  }
}

describeOnEveryEngine('POST /api/import', (service) => {
  it('keeps the names of authors, and never identifies them with members of this workspace', async () => {
    const source = await newClient(service());
    await source.create({ name: 'a', template: 'x' });
    const target = await newClient(service());
    await importText(target, await exportText(source));
    const { data } = await target.get<ListBody<VersionBody>>('/api/prompts/a/versions');
    assert.deepEqual(
      data.map(({ by }) => by),
      [{ name: 'Test', via: 'api', imported: true }],
    );
    const history = await target.get<ListBody<{ type: string; by: object }>>('/api/prompts/a/history');
    assert.deepEqual(
      history.data.map(({ type, by }) => ({ type, by })),
      ['label_moved', 'created'].map((type) => ({ type, by: { name: 'Test', via: 'api', imported: true } })),
    );
    assert.ok(!(await exportText(target)).includes(source.userId));
  });

  it('changes nothing the second time, and moves no label that was moved in the target since then', async () => {
    const source = await newClient(service());
    await fillWorkspace(source, 8, 3);
    const text = await exportText(source);
    // The export can also be imported into the workspace that it came from.
    assert.deepEqual(new Set((await importText(source, text)).map(({ status }) => status)), new Set(['unchanged']));
    const target = await newClient(service());
    await importText(target, text);
    const [moved] = (await target.get<ListBody>('/api/prompts?label=production')).data;
    assert.ok(moved);
    const saved = await target.save(moved.name, {
      [moved.type === 'text' ? 'template' : 'messages']: moved.type === 'text' ? 'mine' : [{ role: 'user', content: 'mine' }],
    });
    await target.label(moved.name, 'production', saved.version);
    const changed = await exportText(target);
    assert.deepEqual(new Set((await importText(target, text)).map(({ status }) => status)), new Set(['unchanged']));
    assert.equal(await exportText(target), changed);
  });

  it('adds new entries of the source to a prompt that nobody changed in the target, and leaves other prompts unchanged', async () => {
    const source = await newClient(service());
    for (const name of ['a', 'b', 'c']) await source.create({ name, template: name });
    const target = await newClient(service());
    await importText(target, await exportText(source));
    for (const name of ['a', 'b']) await source.save(name, { template: `${name} 2`, labels: ['production', 'beta'] });
    await source.call('PATCH', '/api/prompts/a', { description: 'New', tags: ['t'] });
    await target.save('b', { template: 'mine' });
    await target.create({ name: 'd', template: 'only here' });
    await source.create({ name: 'd', template: 'only there' });
    const before = await target.get<PromptBody>('/api/prompts/b?version=2');
    const text = await exportText(source);
    const trial = await importText(target, text, '?dryRun=true');
    const results = await importText(target, text);
    assert.deepEqual(trial, results);
    assert.deepEqual(
      results.map(({ name, status }) => [name, status]),
      [
        ['a', 'completed'],
        ['b', 'conflict'],
        ['c', 'unchanged'],
        ['d', 'conflict'],
      ],
    );
    assert.match(results[1]?.reason ?? '', /Version 2 already exists here with different content/);
    assert.match(results[3]?.reason ?? '', /Version 1 already exists here with different content/);
    assert.deepEqual(await target.get('/api/prompts/b?version=2'), before);
    const [a] = (await target.get<ListBody>('/api/prompts?name=a')).data;
    assert.deepEqual([a?.labels, a?.description, a?.tags, a?.latestVersion], [{ beta: 2, production: 2 }, 'New', ['t'], 2]);
    const lines = (all: string) => parseExport(all).filter(({ name }) => name === 'a');
    assert.deepEqual(lines(await exportText(target)), lines(text));
  });

  it('with replace, moves the conflicting prompt to the bin and restores the exported one exactly, and changes nothing else', async () => {
    const source = await newClient(service());
    for (const name of ['a', 'b', 'c']) await source.create({ name, template: `${name} {{ x }}`, tags: ['t'], config: { model: 'm' } });
    await source.save('a', { template: 'a 2', labels: ['production'] });
    const target = await newClient(service());
    await target.create({ name: 'a', template: 'mine' });
    await target.create({ name: 'mine', template: "{% render 'a' %}" });
    const text = await exportText(source);
    const before = await exportText(target);
    const trial = await importText(target, text, '?dryRun=true');
    assert.deepEqual(
      trial.map(({ name, status, replaceable }) => [name, status, replaceable]),
      [
        ['a', 'conflict', true],
        ['b', 'created', undefined],
        ['c', 'created', undefined],
      ],
    );
    assert.deepEqual((await importText(target, text, '?dryRun=true&replace=true'))[0], { name: 'a', status: 'replaced' });
    assert.equal(await exportText(target), before);
    assert.deepEqual(
      (await importText(target, text, '?replace=true')).map(({ status }) => status),
      ['replaced', 'created', 'created'],
    );
    const restored = parseExport(await exportText(target));
    const mine = restored.findIndex(({ name }) => name === 'mine');
    assert.deepEqual(restored.slice(0, mine), parseExport(text));
    assert.equal((await target.get<ListBody>('/api/prompts?deleted=true')).data[0]?.name, 'a');
    assert.match((await target.render('mine', {})).text, /"text":"a 2"/);
    assert.deepEqual(new Set((await importText(target, text, '?replace=true')).map(({ status }) => status)), new Set(['unchanged']));
  });

  it('with replace, refuses to replace a prompt whose import takes several steps', async () => {
    const source = await newClient(service());
    await source.create({ name: 'a', template: 'x' });
    for (let index = 0; index < 60; index += 1) await source.save('a', { template: `x ${index}` });
    const target = await newClient(service());
    await target.create({ name: 'a', template: 'mine' });
    const [result] = await importText(target, await exportText(source), '?replace=true');
    assert.equal(result?.status, 'conflict');
    assert.match(result?.reason ?? '', /too many versions or history entries to replace/);
    assert.equal((await target.get<VersionBody>('/api/prompts/a')).template, 'mine');
  });

  it('with replace, says why a prompt cannot be replaced', async () => {
    const source = await newClient(service());
    await source.create({ name: 'a', template: 'x' });
    await source.save('a', { template: 'y' });
    const lines = (await exportText(source)).trimEnd().split('\n');
    const target = await newClient(service());
    await target.create({ name: 'a', template: 'mine' });
    const without = (kind: string) => lines.filter((line) => !line.includes(`"kind":"${kind}"`)).join('\n');
    const importReplacing = async (text: string) => (await importText(target, text, '?replace=true'))[0];
    const lost = await importReplacing(lines.filter((line) => !line.includes('"template":"x"')).join('\n'));
    assert.deepEqual([lost?.status, lost?.replaceable], ['conflict', false]);
    assert.match(lost?.reason ?? '', /should have 2 versions, but the export has lines for 1/);
    const cut = await importReplacing(without('event'));
    assert.deepEqual([cut?.status, cut?.replaceable], ['conflict', false]);
    assert.match(cut?.reason ?? '', /incomplete/);
    assert.equal((await target.get<VersionBody>('/api/prompts/a')).template, 'mine');
  });

  const changesHere = {
    'a description': (target: Client) => target.call('PATCH', '/api/prompts/a', { description: 'mine' }),
    'a label': (target: Client) => target.label('a', 'mine', 1),
    'a case': (target: Client) => target.call('POST', '/api/prompts/a/cases', { name: 'mine', variables: {} }),
    'a version that was deleted again': async (target: Client) => {
      await target.save('a', { template: 'mine' });
      return target.call('DELETE', '/api/prompts/a/versions/3');
    },
  };
  for (const [what, change] of Object.entries(changesHere)) {
    it(`does not change a prompt if only ${what} was changed in the target`, async () => {
      const source = await newClient(service());
      await source.create({ name: 'a', template: 'x' });
      await source.save('a', { template: 'y' });
      const target = await newClient(service());
      await importText(target, await exportText(source));
      await change(target);
      await source.label('a', 'beta', 2);
      const [result] = await importText(target, await exportText(source));
      assert.equal(result?.status, 'conflict');
      assert.match(result?.reason ?? '', /was created or changed here, and the export has changes that do not exist here/);
    });
  }

  it('reports if too much was imported later to detect changes in the target', async () => {
    const source = await newClient(service());
    await source.create({ name: 'a', template: 'x' });
    const [, prompt = {}, version = {}, event = {}] = parseExport(await exportText(source));
    const target = await newClient(service());
    const importEvents = (events: Record<string, unknown>[]) =>
      importText(target, toLines({ ...prompt, lastEvent: events.at(-1)?.id }, version, ...events));
    await importEvents([event]);
    const laterId = (index: number) => `e_${(Date.now() + 60_000 + index).toString(36)}_0000000000000000000`;
    const events = Array.from({ length: 5000 }, (_, index) => ({ ...event, id: laterId(index), type: 'described', detail: {} }));
    for (let start = 0; start < events.length; start += 1000) {
      assert.deepEqual(await importEvents(events.slice(start, start + 1000)), [{ name: 'a', status: 'completed' }]);
    }
    const [result] = await importEvents([{ ...event, id: laterId(6000), type: 'described', detail: {} }]);
    assert.equal(result?.status, 'conflict');
    assert.match(result?.reason ?? '', /more than 5000 history entries since its first import, too many to tell/);
  });

  it('continues after an interruption, in the middle of a prompt that takes several requests', async () => {
    const source = await newClient(service());
    await source.create({ name: 'large', template: 'x'.repeat(200_000) });
    for (let version = 2; version <= 9; version += 1) await source.save('large', { template: `${version}`.repeat(150_000) });
    await source.label('large', 'production', 8);
    assert.equal((await source.call('DELETE', '/api/prompts/large/versions/3')).status, 204);
    const text = await exportText(source);
    const target = await newClient(service());
    let requests = 0;
    const stop = new AbortController();
    const interrupted = clientOf(target).import(text.trimEnd().split('\n'), {
      signal: stop.signal,
      onProgress() {
        requests += 1;
        stop.abort(new Error('Interrupted'));
      },
    });
    await assert.rejects(interrupted, /Interrupted/);
    assert.equal(requests, 1);
    // No reader gets a partly imported prompt.
    assert.equal((await target.call('GET', '/api/prompts/large')).status, 404);
    assert.equal((await target.call('GET', '/api/prompts/large?label=latest')).status, 200);
    const lines = clientOf(source).export();
    assert.deepEqual(await clientOf(target).import(lines), [{ name: 'large', status: 'completed' }]);
    assert.equal(await exportText(target), text);
    assert.deepEqual(await clientOf(target).import(text.trimEnd().split('\n')), [{ name: 'large', status: 'unchanged' }]);
  });

  it('accepts an export that an editor saved with other line breaks and orders of keys', async () => {
    const source = await newClient(service());
    for (const name of ['a', 'b', 'c']) {
      await source.create({ name, template: name.repeat(200_000) });
      for (const version of [2, 3]) await source.save(name, { template: `${version}`.repeat(200_000) });
    }
    const text = await exportText(source);
    const edited = parseExport(text).map((line) => (line.kind === undefined ? line : Object.fromEntries(Object.entries(line).reverse())));
    const target = await newClient(service());
    const results = await clientOf(target).import(edited.map((line) => `${JSON.stringify(line)}\r`));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['created', 'created', 'created'],
    );
    assert.equal(await exportText(target), text);
  });

  it('results in one complete prompt when two clients import it at the same time', async () => {
    const source = await newClient(service());
    await fillWorkspace(source, 10, 11);
    const text = await exportText(source);
    const target = await newClient(service());
    const all = await Promise.all([importText(target, text), importText(target, text)]);
    const statuses = all.flat().map(({ status }) => status);
    assert.deepEqual([statuses.filter((s) => s === 'created').length, statuses.filter((s) => s === 'unchanged').length], [10, 10]);
    assert.equal(await exportText(target), text);
  });

  it('notifies streams, webhooks and the owner', async () => {
    const source = await newClient(service());
    await source.create({ name: 'told', template: 'x' });
    const target = await newClient(service());
    await importText(target, await exportText(source));
    const events = await target.service.ctx.store.events.list(target.userId, { after: 0, limit: 10 });
    assert.deepEqual(
      events.map(({ type, by }) => [type, by?.userId]),
      [
        ['prompt.created', target.userId],
        ['label.moved', target.userId],
      ],
    );
    await target.service.ctx.recorder.flush();
    const activity = await target.service.ctx.store.activity.list(target.userId, { beforeId: undefined, limit: 5 });
    assert.ok(JSON.stringify(activity).includes('prompts_imported'));
  });

  it('notifies the owner of the number of replaced prompts', async () => {
    const source = await newClient(service());
    for (const name of ['a', 'b']) await source.create({ name, template: 'x' });
    const target = await newClient(service());
    await target.create({ name: 'a', template: 'mine' });
    await importText(target, await exportText(source), '?replace=true');
    await target.service.ctx.recorder.flush();
    const [entry] = await target.service.ctx.store.activity.list(target.userId, { beforeId: undefined, limit: 1 });
    assert.deepEqual(JSON.parse(entry?.detail ?? '{}').prompts, { created: 1, completed: 0, replaced: 1 });
  });
});
