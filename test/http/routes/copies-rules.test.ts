import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CopiedPrompt } from '../../../src/contract/copies.ts';
import { call } from '../../support/client.ts';
import { copy, mustCopy, newTeam, readHistory } from '../../support/copies.ts';
import { newServiceAccount } from '../../support/members.ts';
import { asJson } from '../../support/models.ts';
import { assertRefused, type Client, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';

const checks = [{ kind: 'contains', value: 'Hello', on: 'prompt' }];

describeOnEveryEngine('POST /api/prompts/{name}/copy: the rules of both workspaces', (service) => {
  const namesIn = async (client: Client) => (await client.get<ListBody>('/api/prompts')).data.map(({ name }) => name);

  it('404: a workspace of others looks like one that does not exist, whoever asks', async () => {
    const [owner, stranger] = [await newClient(service()), await newClient(service())];
    const team = await newTeam(owner);
    await stranger.create({ name: 'p', template: 'x' });
    const attempts = [team.id, owner.userId, 'w_nobody', 'u_nobody', '', '\0', 'w_\ud800', 'ỌṢ', ' '];
    const texts = new Set<string>();
    for (const workspace of attempts) {
      const response = await copy(stranger, 'p', { workspace });
      assertRefused(response, 404, 'workspace_not_found');
      texts.add(response.text);
    }
    assert.equal(texts.size, 1, 'the responses are the same');
    assert.deepEqual(await namesIn(team.owner), []);
    assertRefused(await copy(team.as(stranger), 'p', { workspace: stranger.userId }), 404, 'workspace_not_found');
  });

  it('400: a body with invalid or unknown fields', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'p', template: 'x' });
    const team = await newTeam(owner);
    for (const body of [{}, { workspace: 1 }, { workspace: team.id, name: '' }, { workspace: team.id, name: 'a//b' }]) {
      assertRefused(await copy(owner, 'p', body), 400, 'invalid_input');
    }
    for (const name of ['a\0b', 'a\ud800', 'x'.repeat(201), '../x']) {
      assertRefused(await copy(owner, 'p', { workspace: team.id, name }), 400, 'invalid_input');
    }
    assertRefused(await copy(owner, 'p', { workspace: team.id, labels: [] }), 400, 'invalid_input');
    assertRefused(await copy(owner, 'p', { workspace: 'x'.repeat(200_000) }), 400, 'invalid_input');
    assert.deepEqual(await namesIn(team.owner), []);
    assert.equal((await mustCopy(owner, 'p', { workspace: team.id, name: 'ünï/日本語 🚢' })).name, 'ünï/日本語 🚢');
  });

  it('403: a viewer in the target workspace cannot copy, and a viewer in the source workspace can copy, but not move', async () => {
    const [owner, member] = [await newClient(service()), await newClient(service())];
    const team = await newTeam(owner);
    await team.join(member, 'viewer');
    await member.create({ name: 'mine', template: 'x' });
    const refused = assertRefused(await copy(member, 'mine', { workspace: team.id }), 403, 'forbidden');
    assert.match(refused.error, /You need the role "editor" in the target workspace\. Your role there is "viewer"\./);
    await team.owner.create({ name: 'theirs', template: 'x' });
    assertRefused(await copy(team.as(member), 'theirs', { workspace: member.userId, move: true }), 403, 'forbidden');
    await mustCopy(team.as(member), 'theirs', { workspace: member.userId });
    assert.deepEqual([await namesIn(member), await namesIn(team.owner)], [['mine', 'theirs'], ['theirs']]);
  });

  it('a service account copies only within its workspace', async () => {
    const owner = await newClient(service());
    const team = await newTeam(owner);
    await team.owner.create({ name: 'p', template: 'x' });
    const program = await newServiceAccount(team.owner, 'admin');
    const post = (workspace: string) =>
      call(service(), 'POST', '/api/prompts/p/copy', { key: program.token, body: { workspace, name: 'copy' } });
    assertRefused(await post(owner.userId), 404, 'workspace_not_found');
    assertRefused(await post(program.userId), 404, 'workspace_not_found');
    assert.equal((await post(team.id)).status, 201);
  });

  it('a protected label is left out for an editor, even in the same workspace, and stops an editor who moves the prompt away', async () => {
    const [owner, editor] = [await newClient(service()), await newClient(service())];
    const team = await newTeam(owner);
    await team.join(editor, 'editor');
    await team.owner.call('PATCH', '/api/workspace', { protectedLabels: ['production'] });
    await editor.create({ name: 'p', template: 'x', labels: ['production', 'staging'] });
    const copied = await mustCopy(editor, 'p', { workspace: team.id });
    assert.deepEqual(copied.labels, { staging: 1 });
    assert.deepEqual(
      copied.warnings.map(({ code, label }) => [code, label]),
      [['label_not_copied', 'production']],
    );
    assert.match(
      copied.warnings[0]?.message ?? '',
      /The label "production" was not copied\. .* is protected\. You need the role "deployer"/,
    );
    assertRefused(await copy(editor, 'p', { workspace: team.id, name: 'strict' }, '?strict=true'), 409, 'has_warnings');

    await team.owner.create({ name: 'deployed', template: 'x' });
    const duplicate = await mustCopy(team.as(editor), 'deployed', { workspace: team.id, name: 'duplicate' });
    assert.deepEqual(duplicate.labels, {});
    const moved = await copy(team.as(editor), 'deployed', { workspace: editor.userId, move: true });
    assert.match(assertRefused(moved, 403, 'forbidden').error, /You need the role "deployer" to move a prompt that has it/);
    assert.deepEqual(await namesIn(editor), ['p'], 'a refused move leaves nothing behind');
    assert.deepEqual((await mustCopy(team.owner, 'deployed', { workspace: team.id, name: 'by owner' })).labels, { production: 1 });
  });

  it('a gate cannot be passed by a copy: neither with the label, nor with a history made elsewhere', async () => {
    const [owner, editor] = [await newClient(service()), await newClient(service())];
    const team = await newTeam(owner);
    await team.join(editor, 'editor');
    await team.owner.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    await editor.create({ name: 'p', template: 'Bye' });
    await editor.save('p', { template: 'Bye again', labels: ['production'] });
    await editor.label('p', 'production', 1);
    await editor.call('POST', pathOf('p', '/cases'), { name: 'Greets', variables: {}, checks });
    const copied = await mustCopy(editor, 'p', { workspace: team.id });
    assert.deepEqual(copied.labels, {});
    assert.match(copied.warnings[0]?.message ?? '', /was not copied\. The label "production" requires passing checks/);
    for (const version of [1, 2]) {
      const moved = await team.as(editor).call('PUT', pathOf('p', '/labels/production'), { version });
      assertRefused(moved, 409, 'checks_required');
    }
    const again = await mustCopy(team.as(editor), 'p', { workspace: team.id, name: 'again' });
    assert.deepEqual(again.labels, {});
    assertRefused(await team.as(editor).call('PUT', pathOf('again', '/labels/production'), { version: 2 }), 409, 'checks_required');
    assert.ok((await readHistory(team.owner, 'again')).filter(({ type }) => type === 'label_moved').every((entry) => entry.copied));
  });

  it('a gate cannot be passed by entries that were imported elsewhere with ids in the future', async () => {
    const [owner, editor] = [await newClient(service()), await newClient(service())];
    const team = await newTeam(owner);
    await team.join(editor, 'editor');
    await editor.create({ name: 'p', template: 'Bye' });
    await editor.call('POST', pathOf('p', '/cases'), { name: 'Greets', variables: {}, checks });
    const { text } = await editor.call('GET', '/api/export');
    const future = text.replaceAll(/"(id|lastEvent)":"e_[0-9a-z]+_/g, '"$1":"e_zzzzzzzz_');
    const importer = await newClient(service());
    const headers = { 'content-type': 'application/x-ndjson' };
    const imported = await call(service(), 'POST', '/api/import', { key: importer.token, text: future, headers });
    assert.equal(imported.status, 200, imported.text);
    await team.join(importer, 'editor');
    await team.owner.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    assert.deepEqual((await mustCopy(importer, 'p', { workspace: team.id })).labels, {});
    assertRefused(await team.as(importer).call('PUT', pathOf('p', '/labels/production'), { version: 1 }), 409, 'checks_required');
  });

  it('a label that passed no gate in the source is set, and can be rolled back to that version later', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'p', template: 'Hello' });
    await owner.call('POST', pathOf('p', '/cases'), { name: 'Greets', variables: {}, checks });
    const team = await newTeam(owner);
    assert.deepEqual((await mustCopy(owner, 'p', { workspace: team.id })).labels, { production: 1 });
    await team.owner.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    await team.owner.save('p', { template: 'Hello again' });
    const headers = { ...asJson.headers, 'promptharbor-workspace': team.id };
    assert.equal((await team.owner.call('POST', pathOf('p', '/checks'), { version: 2 }, { headers })).status, 200);
    await team.owner.label('p', 'production', 2);
    await team.owner.label('p', 'production', 1);
  });

  it('409: a taken name, in any Unicode form, and nothing is left behind', async () => {
    const owner = await newClient(service());
    const team = await newTeam(owner);
    await team.owner.create({ name: 'caf\u00e9', template: 'theirs' });
    await owner.create({ name: 'caf\u00e9', template: 'mine' });
    const refused = assertRefused(await copy(owner, 'cafe\u0301', { workspace: team.id, move: true }), 409, 'name_taken');
    assert.match(refused.error, /already has a prompt with the name "café"\. Choose another name\./);
    assert.deepEqual([await namesIn(owner), await namesIn(team.owner)], [['caf\u00e9'], ['caf\u00e9']]);
    assert.equal((await copy(owner, 'caf\u00e9', { workspace: team.id, name: 'other', move: true })).status, 201);
  });
});

describeOnEveryEngine(
  'POST /api/prompts/{name}/copy: quotas',
  (service) => {
    it('403 beyond the quota of the other workspace, which counts what is copied and nothing that is refused', async () => {
      const owner = await newClient(service());
      const team = await newTeam(owner);
      await owner.create({ name: 'p', template: '1' });
      for (let count = 2; count <= 8; count += 1) await owner.save('p', { template: String(count) });
      await mustCopy(owner, 'p', { workspace: team.id });
      for (let attempt = 0; attempt < 3; attempt += 1) {
        assertRefused(await copy(owner, 'p', { workspace: team.id, name: 'second', move: true }), 403, 'quota_exceeded');
      }
      for (const name of ['x', 'y']) await team.owner.create({ name, template: 'x' });
      assertRefused(await team.owner.call('POST', '/api/prompts', { name: 'z', template: 'x' }), 403, 'quota_exceeded');
      assert.equal(((await owner.call('GET', '/api/prompts')).body as ListBody<CopiedPrompt>).data.length, 1);
    });
  },
  { env: { QUOTA_VERSIONS: '10' } },
);
