import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Case } from '../../../src/contract/cases.ts';
import type { HistoryEntry } from '../../../src/contract/history.ts';
import { assertLangfuseError, callLangfuse, langfusePath, promptsPath } from '../../support/langfuse.ts';
import { asJson } from '../../support/models.ts';
import { assertRefused, type Client, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const label = pathOf('greet', '/labels/production');

describeOnEveryEngine('Gated labels', (service) => {
  /** Creates a prompt with a test case that version 1 passes and version 2 fails. */
  async function prepare(): Promise<{ client: Client; caseId: string }> {
    const client = await newClient(service());
    await client.create({ name: 'greet', template: 'Hello {{ name }}' });
    const body = { name: 'Ada', variables: { name: 'Ada' }, checks: [{ kind: 'contains', value: 'Hello', on: 'prompt' }] };
    const { id } = (await client.call('POST', pathOf('greet', '/cases'), body)).body as Case;
    await client.save('greet', { template: 'Bye {{ name }}' });
    const settings = await client.call('PATCH', '/api/workspace', { gatedLabels: ['production', 'production'] });
    assert.deepEqual((settings.body as { gatedLabels: string[] }).gatedLabels, ['production']);
    return { client, caseId: id };
  }

  const findId = async (client: Client) => (await client.get<ListBody>('/api/prompts')).data[0]?.id ?? '';
  const check = (client: Client, version: number) => client.call('POST', pathOf('greet', '/checks'), { version }, asJson);

  it('409: the label moves only to a version that has passed the current cases', async () => {
    const { client, caseId } = await prepare();
    const refused = assertRefused(await client.call('PUT', label, { version: 2 }), 409, 'checks_required');
    assert.match(
      refused.error,
      /version 2 has not passed the current test case of this prompt\. Run it with POST \/api\/prompts\/greet\/checks/,
    );
    assert.equal((await check(client, 2)).status, 200);
    assertRefused(await client.call('PUT', label, { version: 2 }), 409, 'checks_required');
    assert.equal((await client.call('PUT', pathOf('greet', '/labels/staging'), { version: 2 })).status, 200, 'other labels are free');

    await client.save('greet', { template: 'Hello again {{ name }}' });
    await check(client, 3);
    assert.equal((await client.call('PUT', label, { version: 3 })).status, 200);
    await client.save('greet', { template: 'Hello once more {{ name }}' });
    await check(client, 4);
    await client.call('PATCH', `${pathOf('greet', '/cases')}/${caseId}`, { name: 'Renamed' });
    assert.equal((await client.call('PUT', label, { version: 4 })).status, 200, 'a name changes no result');
    await client.save('greet', { template: 'Hello to {{ name }}' });
    await check(client, 5);
    await client.call('PATCH', `${pathOf('greet', '/cases')}/${caseId}`, { variables: { name: 'Bob' } });
    assertRefused(await client.call('PUT', label, { version: 5 }), 409, 'checks_required');
    assert.equal((await client.call('PUT', label, { version: 4 })).status, 200, 'it is there already');
    assert.equal((await client.call('DELETE', label)).status, 204);
  });

  it('200: rolling back to a version that the label pointed at before requires no checks, and neither does an undo', async () => {
    const { client } = await prepare();
    await client.save('greet', { template: 'Hello again {{ name }}' });
    await check(client, 3);
    await client.label('greet', 'production', 3);
    await client.label('greet', 'production', 1);
    await client.label('greet', 'production', 3);
    assert.equal((await client.call('DELETE', label)).status, 204);
    await client.label('greet', 'production', 1);
    await client.label('greet', 'staging', 2);
    assertRefused(await client.call('PUT', label, { version: 2 }), 409, 'checks_required');
  });

  it('everyone may roll back to a version that the label reached only by an override, which the history shows again', async () => {
    const { client } = await prepare();
    const there = inWorkspace(client);
    const [editor, admin] = [await newMember(service(), client, 'editor'), await newMember(service(), client, 'admin')];
    const move = (by: Client, version: number, override?: string) =>
      by.call('PUT', label, { version, ...(override !== undefined && { override }) }, there);
    const override = 'The server of the model is down';
    assertRefused(await move(editor, 2), 409, 'checks_required');
    assert.equal((await move(admin, 2, override)).status, 200);
    assert.equal((await move(editor, 1)).status, 200);
    assert.equal((await move(editor, 2)).status, 200);
    const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
    assert.equal(data[0]?.override, override, 'the version has still not passed its checks');
    assert.equal((await move(editor, 1)).status, 200);
    const batch = { items: [{ name: 'greet', template: 'Bye {{ name }}', labels: ['production'] }], skipUnchanged: true };
    assert.equal((await editor.call('POST', '/api/prompts/batch', batch, there)).status, 200, 'version 2 has the same content');

    await client.call('PATCH', '/api/workspace', { gatedLabels: [] });
    for (const version of [1, 2]) assert.equal((await move(editor, version)).status, 200);
    await client.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    for (const version of [1, 2]) assert.equal((await move(editor, version)).status, 200);
    const { data: after } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
    assert.equal(after[0]?.override, undefined, 'it was also deployed when the label was not gated');
  });

  it('409: an earlier move of a label with a similar name, or to a version with a similar number, does not count', async () => {
    const { client } = await prepare();
    await client.call('PATCH', '/api/workspace', { gatedLabels: [] });
    for (let version = 3; version <= 21; version += 1) await client.save('greet', { template: `Bye ${version} {{ name }}` });
    await client.label('greet', 'a-b', 2);
    await client.label('greet', 'a_b', 21);
    await client.call('PATCH', '/api/workspace', { gatedLabels: ['a_b'] });
    assertRefused(await client.call('PUT', pathOf('greet', '/labels/a_b'), { version: 2 }), 409, 'checks_required');
  });

  it('200: a batch that moves the label back requires no checks either', async () => {
    const { client } = await prepare();
    await client.call('PATCH', '/api/workspace', { gatedLabels: [] });
    await client.label('greet', 'production', 2);
    await client.label('greet', 'production', 1);
    await client.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    const item = { name: 'greet', template: 'Bye {{ name }}', labels: ['production'] };
    const saved = await client.call('POST', '/api/prompts/batch', { items: [item], skipUnchanged: true });
    assert.deepEqual([saved.status, saved.body], [200, { data: [{ name: 'greet', version: 2, status: 'changed' }] }]);
  });

  it('409: a version that is saved with the label needs passing checks too', async () => {
    const { client } = await prepare();
    const saved = await client.call('POST', pathOf('greet', '/versions'), { template: 'Hello', labels: ['production'] });
    const { error } = assertRefused(saved, 409, 'checks_required');
    assert.match(error, /a new version has not passed any\. Save it without the label, run the test cases with POST/);
    assert.doesNotMatch(error, /version \d/, 'no version was saved');
    assert.equal((await client.get<{ version: number }>(pathOf('greet', '?label=latest'))).version, 2);
  });

  it('200: a label of a prompt without test cases moves freely', async () => {
    const { client } = await prepare();
    await client.create({ name: 'other', template: 'x' });
    await client.save('other', { template: 'y', labels: ['production'] });
    assert.equal((await client.get<{ version: number }>(pathOf('other'))).version, 2);
  });

  it('an admin may override with a reason, which history and events show', async () => {
    const { client } = await prepare();
    const there = inWorkspace(client);
    const deployer = await newMember(service(), client, 'deployer');
    const override = 'The server of the model is down';
    const refused = assertRefused(await deployer.call('PUT', label, { version: 2, override }, there), 403, 'forbidden');
    assert.match(refused.error, /You need the role "admin" to move the label "production" without passing checks/);
    const admin = await newMember(service(), client, 'admin');
    for (const reason of ['', 'a\0', 7]) {
      assertRefused(await admin.call('PUT', label, { version: 2, override: reason }, there), 400, 'invalid_input', '/override');
    }
    assert.equal((await admin.call('PUT', label, { version: 2, override }, there)).status, 200);
    const { data } = await client.get<ListBody<{ type: string; override?: string }>>(pathOf('greet', '/history'));
    assert.equal(data[0]?.override, override);
    const events = await service().ctx.store.events.list(client.userId, { after: 0, limit: 100 });
    assert.equal(JSON.parse(events.at(-1)?.detail ?? '').override, override);

    await check(client, 1);
    assert.equal((await client.call('PUT', label, { version: 1, override: 'Not needed' })).status, 200);
    const after = await client.get<ListBody<{ override?: string }>>(pathOf('greet', '/history'));
    assert.equal(after.data[0]?.override, undefined, 'nothing was overridden');
  });

  it('400: through the endpoints of Langfuse, whose SDKs retry requests that get 409', async () => {
    const { client } = await prepare();
    const body = { newLabels: ['production'] };
    const moved = await callLangfuse(client, 'PATCH', langfusePath('greet', '/versions/2'), { body });
    assertLangfuseError(moved, 400, 'InvalidRequestError');
    await client.create({ name: 'port', template: 'Hello', syntax: 'mustache', labels: [] });
    const check = { kind: 'contains', value: 'Hello', on: 'prompt' };
    assert.equal((await client.call('POST', pathOf('port', '/cases'), { name: 'One', checks: [check] })).status, 201);
    const saved = { name: 'port', prompt: 'Hello again', labels: ['production'] };
    assertLangfuseError(await callLangfuse(client, 'POST', promptsPath, { body: saved }), 400, 'InvalidRequestError');
  });

  it('the history and events show who added, changed or deleted test cases', async () => {
    const { client, caseId } = await prepare();
    const editor = await newMember(service(), client, 'editor');
    const there = inWorkspace(client);
    const path = `${pathOf('greet', '/cases')}/${caseId}`;
    await client.call('POST', pathOf('greet', '/cases/import'), { data: [{ name: 'One' }, { name: 'Two' }] });
    await editor.call('PATCH', path, { checks: [] }, there);
    await editor.call('DELETE', path, undefined, there);
    assertRefused(await editor.call('DELETE', path, undefined, there), 404, 'case_not_found');
    const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
    const shown = data.filter(({ type }) => type === 'cases_changed');
    assert.deepEqual(
      shown.map(({ cases, by }) => [cases, by.userId === client.userId]),
      [
        [{ action: 'deleted', name: 'Ada', count: 1 }, false],
        [{ action: 'changed', name: 'Ada', count: 1 }, false],
        [{ action: 'added', name: 'One', count: 2 }, true],
        [{ action: 'added', name: 'Ada', count: 1 }, true],
      ],
    );
    const last = (await service().ctx.store.events.list(client.userId, { after: 0, limit: 100 })).at(-1);
    assert.deepEqual([last?.type, JSON.parse(last?.detail ?? '').cases], ['prompt.changed', shown[0]?.cases]);
  });

  it('409: a prompt with the label on a version that has not passed is restored by an admin, with a reason that the history shows', async () => {
    const { client } = await prepare();
    const [editor, admin] = [await newMember(service(), client, 'editor'), await newMember(service(), client, 'admin')];
    const restore = (by: Client, body?: object) => by.call('POST', pathOf('greet', '/restore'), body, inWorkspace(client));
    const override = 'Deleted by mistake';
    await client.call('DELETE', pathOf('greet'));
    for (const anyone of [editor, admin]) {
      const { error } = assertRefused(await restore(anyone), 409, 'checks_required');
      assert.match(
        error,
        /"production" requires passing checks, but version 1 has not passed the current test case .* An admin can restore the prompt/,
      );
    }
    assert.match(assertRefused(await restore(editor, { override }), 403, 'forbidden').error, /You need the role "admin" to restore/);
    for (const reason of ['', 'a\0', 7]) assertRefused(await restore(admin, { override: reason }), 400, 'invalid_input', '/override');
    assertRefused(await restore(admin, { reason: override }), 400, 'invalid_input', '/reason');
    assert.equal((await restore(admin, { override })).status, 200);
    const newest = async () => (await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'))).data[0];
    assert.deepEqual([(await newest())?.type, (await newest())?.override], ['restored', override]);
    const events = await service().ctx.store.events.list(client.userId, { after: 0, limit: 100 });
    assert.equal(JSON.parse(events.findLast(({ type }) => type === 'prompt.restored')?.detail ?? '').override, override);

    await check(client, 1);
    await client.call('DELETE', pathOf('greet'));
    assert.equal((await restore(editor)).status, 200);
    assert.equal((await newest())?.override, undefined, 'nothing was overridden');
  });

  it('403 and 400: only admins change which labels are gated', async () => {
    const { client } = await prepare();
    const deployer = await newMember(service(), client, 'deployer');
    assertRefused(await deployer.call('PATCH', '/api/workspace', { gatedLabels: [] }, inWorkspace(client)), 403, 'forbidden');
    const refused = (gatedLabels: unknown) => client.call('PATCH', '/api/workspace', { gatedLabels });
    assertRefused(await refused(['latest']), 400, 'invalid_input', '/gatedLabels/0');
    assertRefused(await refused('production'), 400, 'invalid_input', '/gatedLabels');
    assert.equal((await refused([])).status, 200);
    assert.equal((await client.call('PUT', label, { version: 2 })).status, 200);
  });

  it('removing the account or the prompt removes test cases, runs and results', async () => {
    const { client } = await prepare();
    await check(client, 1);
    const { store } = service().ctx;
    const owner = { accountId: client.userId, promptId: await findId(client) };
    assert.equal((await store.cases.listDigests(owner)).length, 1);
    await client.call('DELETE', pathOf('greet'));
    while (await store.removeExpiredPrompts(new Date(Date.now() + 1000)));
    assert.deepEqual(await store.cases.listDigests(owner), []);
    assert.deepEqual(await store.checks.list(owner, { limit: 10 }), []);
    assert.deepEqual((await client.get<ListBody>('/api/prompts?deleted=true')).data, []);

    const { client: leaving } = await prepare();
    await check(leaving, 1);
    const left = { accountId: leaving.userId, promptId: await findId(leaving) };
    await store.accounts.delete(leaving.userId);
    while (!(await store.accounts.removeDeleted(leaving.userId)));
    assert.deepEqual(await store.cases.listDigests(left), []);
    assert.deepEqual(await store.checks.list(left, { limit: 10 }), []);
  });
});
