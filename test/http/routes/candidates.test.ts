import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Candidate, SavedCandidate } from '../../../src/contract/candidates.ts';
import type { HistoryEntry } from '../../../src/contract/history.ts';
import { assertRefused, describeOnEveryEngine, type ListBody, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const title = 'A warmer tone';
const content = { title, template: 'Dear {{ name }}', config: { temperature: 1 }, message: 'Warmer' };

async function prepare(service: Service) {
  const client = await newClient(service);
  await client.create({ name: 'greet', template: 'Hello {{ name }}' });
  const create = async (body: object = content) =>
    (await client.call('POST', pathOf('greet', '/candidates'), body)).body as unknown as SavedCandidate;
  const at = ({ id }: { id: string }, rest = '') => pathOf('greet', `/candidates/${id}${rest}`);
  const list = () => client.get<ListBody<Candidate>>(pathOf('greet', '/candidates'));
  return { client, create, at, list };
}

describeOnEveryEngine('Candidates', (service) => {
  it('have content but no version number, and change nothing that callers see', async () => {
    const { client, create, at, list } = await prepare(service());
    const history = () => client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
    const before = await history();
    const created = await create();
    assert.match(created.id, /^cand_/);
    assert.deepEqual(
      [created.title, created.revision, created.baseVersion, created.template, created.config, created.message],
      [title, 1, 1, content.template, content.config, 'Warmer'],
    );
    assert.deepEqual(created.variables, [{ name: 'name', required: true, kind: 'text' }]);
    const { warnings, ...saved } = created;
    assert.deepEqual(warnings, []);
    assert.deepEqual(await client.get(at(created)), saved);
    assert.deepEqual((await list()).data, [saved]);
    assert.equal((await client.get<VersionBody>(pathOf('greet', '?label=latest'))).version, 1);
    assert.equal((await client.get<ListBody>(pathOf('greet', '/versions'))).data.length, 1);
    assert.deepEqual(await history(), before);
  });

  it('are changed by several people, each of whom must have seen the last change', async () => {
    const { client, create, at } = await prepare(service());
    const editor = await newMember(service(), client, 'editor');
    const created = await create();
    const change = { ...content, template: 'Dearest {{ name }}' };
    const changed = (await editor.call('PUT', at(created), { ...change, revision: 1 }, inWorkspace(client))).body as unknown as Candidate;
    assert.deepEqual([changed.revision, changed.template, changed.changedBy.userId], [2, change.template, editor.userId]);
    assert.equal(changed.createdBy.userId, created.createdBy.userId);
    assertRefused(await client.call('PUT', at(created), { ...content, revision: 1 }), 409, 'candidate_changed');
    assert.equal((await client.get<Candidate>(at(created))).template, change.template);
  });

  it('become versions by the person who wrote the content, and not by the one who applied it', async () => {
    const { client, create, at, list } = await prepare(service());
    const editor = await newMember(service(), client, 'editor');
    const created = await create();
    await editor.call('PUT', at(created), { ...content, revision: 1 }, inWorkspace(client));
    assertRefused(await client.call('POST', at(created, '/apply'), { revision: 1 }), 409, 'candidate_changed');
    const applied = await client.call('POST', at(created, '/apply'), { revision: 2, labels: ['staging'] });
    const version = applied.body as unknown as VersionBody;
    assert.deepEqual(
      [applied.status, version.version, version.template, version.message, version.labels],
      [201, 2, content.template, 'Warmer', ['staging']],
    );
    assert.equal(version.by.userId, editor.userId);
    assert.deepEqual((await list()).data, []);
    assertRefused(await client.call('POST', at(created, '/apply'), { revision: 2 }), 404, 'candidate_not_found');
    const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
    const entry = data.find(({ type }) => type === 'version_saved');
    assert.notEqual(entry?.by.userId, editor.userId, 'the history says who applied it');
  });

  it('409: a version has been saved since the candidate was started', async () => {
    const { client, create, at } = await prepare(service());
    const created = await create();
    await client.save('greet', { template: 'Hi {{ name }}' });
    assertRefused(await client.call('POST', at(created, '/apply'), { revision: 1 }), 409, 'version_conflict');
    await client.call('PUT', at(created), { ...content, revision: 1, baseVersion: 2 });
    assert.equal((await client.call('POST', at(created, '/apply'), { revision: 2 })).status, 201);
  });

  it('obey the same rules as versions', async () => {
    const { client, create, at } = await prepare(service());
    const path = pathOf('greet', '/candidates');
    assertRefused(await client.call('POST', path, { ...content, template: '{% if %}' }), 400, 'invalid_template', '/template');
    assertRefused(await client.call('POST', path, { ...content, title: ' ' }), 400, 'invalid_input', '/title');
    assertRefused(await client.call('POST', path, { ...content, labels: ['production'] }), 400, 'invalid_input', '/labels');
    assertRefused(
      await client.call('POST', path, { title, messages: [{ role: 'user', content: 'x' }] }),
      400,
      'invalid_input',
      '/messages',
    );
    assertRefused(await client.call('POST', path, { ...content, baseVersion: 7 }), 404, 'version_not_found');
    const missing = await create({ ...content, template: '{% render "missing" %}' });
    assert.equal(missing.warnings[0]?.code, 'unknown_partial');
    await client.call('PATCH', '/api/workspace', { protectedLabels: ['production'] });
    const editor = await newMember(service(), client, 'editor');
    const apply = { revision: 1, labels: ['production'] };
    assertRefused(await editor.call('POST', at(missing, '/apply'), apply, inWorkspace(client)), 403, 'forbidden');
    assert.equal((await client.call('GET', at(missing))).status, 200, 'it is still there');
  });

  it('403 and 404: viewers only read, and other workspaces find nothing', async () => {
    const { client, create, at, list } = await prepare(service());
    const created = await create();
    const viewer = await newMember(service(), client, 'viewer');
    const there = inWorkspace(client);
    assert.equal((await viewer.call('GET', at(created), undefined, there)).status, 200);
    for (const [method, path, body] of [
      ['POST', pathOf('greet', '/candidates'), content],
      ['PUT', at(created), { ...content, revision: 1 }],
      ['POST', at(created, '/apply'), { revision: 1 }],
      ['DELETE', at(created), undefined],
    ] as const) {
      assertRefused(await viewer.call(method, path, body, there), 403, 'forbidden');
    }
    const { client: other } = await prepare(service());
    assertRefused(await other.call('GET', at(created)), 404, 'candidate_not_found');
    assertRefused(await other.call('DELETE', at(created)), 404, 'candidate_not_found');
    assert.equal((await list()).data.length, 1);
    assert.equal((await client.call('DELETE', at(created))).status, 204);
    assert.equal((await list()).data.length, 0);
  });

  it('have a limit per prompt', async () => {
    const { client, create } = await prepare(service());
    for (let count = 0; count < 50; count += 1) await create();
    assertRefused(await client.call('POST', pathOf('greet', '/candidates'), content), 403, 'quota_exceeded');
    const page = await client.get<ListBody<Candidate>>(pathOf('greet', '/candidates?limit=30'));
    assert.equal(page.data.length, 30);
    const rest = await client.get<ListBody<Candidate>>(pathOf('greet', `/candidates?limit=30&cursor=${page.nextCursor}`));
    assert.deepEqual([rest.data.length, rest.nextCursor], [20, null]);
  });
});
