import assert from 'node:assert/strict';
import { it } from 'node:test';
import { workspaceTypes } from '../../../src/contract/activity-types.ts';
import { memberRoles } from '../../../src/contract/roles.ts';
import { readActivity, typesOf } from '../../support/activity.ts';
import { call, register, signIn } from '../../support/client.ts';
import { invite, newMember, newServiceAccount, origin } from '../../support/members.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient, pathOf, readAll } from '../../support/prompts.ts';
import { exportText, importText } from '../../support/transfer.ts';
import { inWorkspace } from '../../support/workspaces.ts';

const patch = (owner: Client, body: unknown) => owner.call('PATCH', '/api/workspace', body);

describeOnEveryEngine('GET /api/activity', (service) => {
  it('200: says who switched off a gate, and what it was before', async () => {
    const owner = await newClient(service());
    const admin = await newMember(owner, 'admin');
    await patch(owner, { gatedLabels: ['production', 'staging'] });
    await admin.call('PATCH', '/api/workspace', { gatedLabels: ['staging'] }, inWorkspace(owner));
    const { data } = await readActivity(owner, '?type=gates');
    assert.deepEqual(
      data.map(({ type, by, detail }) => [type, by?.userId, detail.gatedLabels, detail.previous?.gatedLabels]),
      [
        ['workspace_changed', admin.userId, ['staging'], ['production', 'staging']],
        ['workspace_changed', owner.userId, ['production', 'staging'], []],
      ],
    );
  });

  it('200: merges what happened to prompts and to the workspace, the newest first', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'support/triage', template: 'one' });
    await patch(owner, { protectedLabels: ['production'] });
    await owner.save('support/triage', { template: 'two', message: 'Shorter' });
    await owner.label('support/triage', 'production', 2);
    await owner.call('PATCH', pathOf('support/triage'), { name: 'support/first', description: 'x' });
    const program = await newServiceAccount(owner, 'viewer');
    await owner.call('POST', `/api/members/${program.userId}/reset-key`);
    const { data } = await readActivity(owner);
    assert.deepEqual(
      data.map(({ kind, type }) => `${kind} ${type}`),
      [
        'keys service_account_key_reset',
        'members service_account_created',
        'prompts described',
        'prompts renamed',
        'labels label_moved',
        'prompts version_saved',
        'settings workspace_changed',
        'labels label_moved',
        'prompts created',
      ],
    );
    const moved = data.find(({ type }) => type === 'label_moved');
    assert.deepEqual([moved?.prompt?.name, moved?.detail], ['support/first', { label: 'production', from: 1, to: 2 }]);
    assert.deepEqual(moved?.by, { userId: owner.userId, name: 'Test', via: 'api' });
    assert.deepEqual(data.find(({ type }) => type === 'renamed')?.detail, { from: 'support/triage', to: 'support/first' });
    assert.deepEqual(
      data.map(({ at }) => at),
      data.map(({ at }) => at).sort((one, other) => (one < other ? 1 : -1)),
    );
  });

  it('200: names the reason for an override', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'a', template: 'one' });
    const checks = [{ kind: 'contains', on: 'prompt', value: 'never' }];
    await owner.call('POST', pathOf('a', '/cases'), { name: 'A case', checks });
    await patch(owner, { gatedLabels: ['production'] });
    await owner.save('a', { template: 'two' });
    const reason = 'Urgent: "gatedLabels": and "override": are only text';
    await owner.call('PUT', pathOf('a', '/labels/production'), { version: 2, override: reason });
    await owner.save('a', { template: 'three', message: '"override": here too' });
    const { data } = await readActivity(owner, '?type=gates');
    assert.deepEqual(
      data.map(({ type, detail }) => [type, detail.override, detail.overridden]),
      [
        ['label_moved', reason, ['checks']],
        ['workspace_changed', undefined, undefined],
      ],
    );
  });

  it('200: filters by person, kind, type, prompt and time, and by all of them together', async () => {
    const owner = await newClient(service());
    const editor = await newMember(owner, 'editor');
    const acting = await newClient(service(), editor, inWorkspace(owner));
    await owner.create({ name: 'a', template: 'one' });
    const from = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await acting.call('POST', '/api/prompts', { name: 'b', template: 'one' });
    await acting.call('DELETE', pathOf('b'));
    await patch(owner, { name: 'Renamed' });
    assert.deepEqual(await typesOf(owner, `?by=${editor.userId}`), ['deleted', 'label_moved', 'created']);
    assert.deepEqual(await typesOf(owner, '?type=labels'), ['label_moved', 'label_moved']);
    assert.deepEqual(await typesOf(owner, '?type=settings'), ['workspace_changed']);
    assert.deepEqual(await typesOf(owner, '?type=created'), ['created', 'created']);
    assert.deepEqual(await typesOf(owner, '?prompt=a'), ['label_moved', 'created']);
    assert.deepEqual(await typesOf(owner, '?prompt=b'), ['deleted', 'label_moved', 'created'], 'while it is in the bin');
    assert.deepEqual(await typesOf(owner, '?prompt=unknown'), []);
    assert.deepEqual(await typesOf(owner, `?from=${from}`), ['workspace_changed', 'deleted', 'label_moved', 'created']);
    assert.deepEqual(await typesOf(owner, `?to=${from}`), ['label_moved', 'created']);
    assert.deepEqual(await typesOf(owner, `?by=${editor.userId}&type=prompts&prompt=b&from=${from}&to=2100-01-01`), ['deleted', 'created']);
    assert.deepEqual(await typesOf(owner, `?by=${owner.userId}&prompt=b`), []);
    const [entry] = (await readActivity(owner, '?prompt=b')).data;
    assert.deepEqual([entry?.prompt?.name, typeof entry?.prompt?.deletedAt], ['b', 'string']);
  });

  it('400: filters that cannot match anything', async () => {
    const owner = await newClient(service());
    for (const [query, path] of [
      ['type=unknown', '/type'],
      ['type=sign_in', '/type'],
      ['by=x', '/by'],
      ['from=yesterday', '/from'],
      ['to=2026-02-30', '/to'],
      ['from=2026-02-02&to=2026-02-01', '/from'],
      ['format=xml', '/format'],
      ['cursor=x', '/cursor'],
      ['search=x', '/search'],
    ] as const) {
      assertRefused(await owner.call('GET', `/api/activity?${query}`), 400, 'invalid_input', path);
    }
  });

  it('200: pages are complete and without repetition while others write', async () => {
    const owner = await newClient(service());
    for (const name of ['a', 'b', 'c']) {
      await owner.create({ name, template: 'one' });
      await patch(owner, { protectedLabels: [name] });
    }
    const everything = (await readActivity(owner)).data.map(({ id }) => id);
    assert.equal(everything.length, 9);
    for (const limit of [1, 2, 4]) {
      const paged = await readAll<{ id: string }>(owner, `/api/activity?limit=${limit}`, async () => {
        await owner.save('a', { template: `${limit} ${Math.random()}` });
      });
      const ids = paged.map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id) => everything.includes(id)),
        everything,
      );
      assert.equal(new Set(ids).size, ids.length);
    }
  });

  it('200: has no entry that concerns only an account, and nobody’s address or browser', async () => {
    const account = await register(service());
    const owner = await newClient(service(), account);
    const cookie = await signIn(service(), account);
    await call(service(), 'POST', '/api/auth/token', { body: { email: account.email, password: 'wrong password' } });
    await call(service(), 'POST', '/api/session/change-password', {
      cookie,
      body: { currentPassword: account.password, newPassword: 'another long password' },
      headers: { origin: service().url, 'user-agent': 'Secret Browser/1.0' },
    });
    const { body } = await call(service(), 'DELETE', '/api/auth/token', {
      key: owner.token,
      headers: { 'user-agent': 'Secret Browser/1.0' },
    });
    const renewed = await newClient(service(), { ...account, token: (body as { token: string }).token });
    for (const type of ['sign_in', 'password_reset', 'two_factor_enabled', 'email_changed', 'team_created', 'prompt_moved'] as const) {
      service().ctx.audit({ type, accountId: owner.userId, client: origin, detail: { email: 'private@example.com' } });
    }
    const page = await readActivity(renewed);
    assert.deepEqual(
      page.data.map(({ type, by }) => [type, by?.userId]),
      [['key_reset', owner.userId]],
    );
    assert.doesNotMatch(JSON.stringify(page), /127\.0\.0\.1|Browser|@example\.com|address|userAgent/);
  });

  it('ASVS 8.2.2: no account reads the activity of a workspace of which it is not a member', async () => {
    const [owner, stranger] = [await newClient(service()), await newClient(service())];
    await owner.create({ name: 'secret', template: 'one' });
    await patch(owner, { gatedLabels: ['production'] });
    const refused = await stranger.call('GET', '/api/activity', undefined, inWorkspace(owner));
    assertRefused(refused, 404, 'workspace_not_found');
    assert.deepEqual(await typesOf(stranger), []);
    assert.deepEqual(await typesOf(stranger, `?prompt=secret&by=${owner.userId}`), []);
    const { nextCursor } = await readActivity(owner, '?limit=1');
    assert.deepEqual(await typesOf(stranger, `?cursor=${nextCursor}`), []);
  });

  it('ASVS 8.3.1: a member sees entries about what the role may read elsewhere, and no others', async () => {
    const owner = await newClient(service());
    for (const type of Object.keys(workspaceTypes) as (keyof typeof workspaceTypes)[]) {
      const by = { userId: owner.userId, name: 'Test' };
      service().ctx.audit({ type, accountId: owner.userId, by, client: origin, detail: { email: 'invited@example.com' } });
    }
    const seen = new Map<string, string[]>();
    for (const role of memberRoles) {
      const member = await newMember(owner, role);
      seen.set(role, await typesOf(member, '', inWorkspace(owner)));
      assert.deepEqual(await typesOf(member, '?type=member_invited', inWorkspace(owner)), role === 'admin' ? ['member_invited'] : []);
      assert.deepEqual(await typesOf(member, '?type=webhooks&format=json', inWorkspace(owner)), role === 'admin' ? webhookTypes : []);
    }
    const hidden = (role: string) => Object.keys(workspaceTypes).filter((type) => !seen.get(role)?.includes(type));
    const forAdmins = ['member_invited', 'invitation_removed', ...webhookTypes.toReversed(), 'prompt_copied'];
    assert.deepEqual(hidden('admin'), []);
    assert.deepEqual(hidden('deployer'), forAdmins);
    assert.deepEqual(hidden('editor'), forAdmins);
    assert.deepEqual(hidden('viewer').sort(), [...forAdmins, 'model_created', 'model_changed', 'model_deleted'].sort());
  });

  it('200: a team workspace has its own activity, with its invitations and transfers', async () => {
    const owner = await newClient(service());
    const created = await owner.call('POST', '/api/workspaces', { name: 'Team' });
    const team = { userId: (created.body as { id: string }).id };
    const acting = await newClient(service(), owner, inWorkspace(team));
    await invite(acting, 'new@example.com', 'deployer');
    await acting.call('POST', '/api/prompts', { name: 'a', template: 'one' });
    const { data } = await readActivity(acting);
    assert.deepEqual(
      data.map(({ type }) => type),
      ['label_moved', 'created', 'member_invited', 'workspace_created'],
    );
    assert.deepEqual(data[2]?.detail, { email: 'new@example.com', role: 'deployer' });
    assert.deepEqual(await typesOf(owner), [], 'the owner’s personal workspace is another one');
  });

  it('200: lists what happened in the workspace, and not the history that an import or a copy brought along', async () => {
    const [source, target] = [await newClient(service()), await newClient(service())];
    await source.create({ name: 'a', template: 'one' });
    await source.save('a', { template: 'two' });
    await importText(target, await exportText(source));
    assert.deepEqual(await typesOf(target), ['prompts_imported']);
    const copied = await source.call('POST', pathOf('a', '/copy'), { workspace: source.userId, name: 'b' });
    assert.equal(copied.status, 201, copied.text);
    assert.deepEqual(await typesOf(source), ['label_moved', 'copied', 'version_saved', 'label_moved', 'created']);
    assert.deepEqual(await typesOf(source, '?prompt=b'), ['label_moved', 'copied']);
  });
});

const webhookTypes = ['webhook_deleted', 'webhook_disabled', 'webhook_secret_rotated', 'webhook_changed', 'webhook_created'];
