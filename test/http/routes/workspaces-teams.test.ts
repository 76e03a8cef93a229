import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maxOwnedTeams } from '../../../src/contract/limits.ts';
import type { MemberRole } from '../../../src/contract/roles.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { removeAccount } from '../../../src/domain/accounts/accounts.ts';
import { replaceAllKeys } from '../../../src/domain/accounts/keys.ts';
import { callFromPage } from '../../support/browser.ts';
import { call, register } from '../../support/client.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { codeOf, invite, type MemberListBody, newServiceAccount, openBrowser } from '../../support/members.ts';
import { assertRefused, type Client, clientOf, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';

describe('Team workspaces of a service that sends email', () => {
  it('POST /api/workspaces: 403 until the address is verified, so that no stranger keeps access through a team', async (t) => {
    const mailServer = await startMailServer();
    const service = await startService({ env: { SMTP_URL: mailServer.url } });
    t.after(async () => {
      await service.close();
      await mailServer.close();
    });
    const stranger = await register(service);
    const body = { name: 'Support' };
    assertRefused(await call(service, 'POST', '/api/workspaces', { key: stranger.token, body }), 403, 'email_not_verified');
    const verified = await newClient(service);
    assert.equal((await verified.call('POST', '/api/workspaces', body)).status, 201);
  });
});

describeOnEveryEngine('Team workspaces', (service) => {
  async function createTeam(owner: Client, name = 'Support'): Promise<{ id: string; as: (member: Client) => Client }> {
    const response = await owner.call('POST', '/api/workspaces', { name });
    assert.equal(response.status, 201, response.text);
    const { id } = response.body as Workspace;
    return { id, as: (member) => clientOf(service(), member, { headers: { 'promptharbor-workspace': id } }) };
  }

  async function join(id: string, member: Client, role: MemberRole): Promise<void> {
    await service().ctx.store.changeWorkspace(id, (stores) => stores.memberships.put(id, member.userId, role));
  }

  const fromPage = async (client: Client, method: string, path: string, body: object) =>
    callFromPage(service(), method, path, { cookie: await openBrowser(client), body: { password: client.password, ...body } });
  const transfer = (client: Client, id: string, userId: string) => fromPage(client, 'POST', `/api/workspaces/${id}/transfer`, { userId });
  const remove = (client: Client, id: string) => fromPage(client, 'DELETE', `/api/workspaces/${id}`, {});
  const rolesIn = async (client: Client) =>
    Object.fromEntries((await client.get<MemberListBody>('/api/members')).data.map(({ userId, role }) => [userId, role]));

  it('POST /api/workspaces: 201: the caller owns it, and keeps their own workspace and key', async () => {
    const owner = await newClient(service());
    const response = await owner.call('POST', '/api/workspaces', { name: ' Support ' });
    const team = response.body as Workspace;
    assert.equal(response.status, 201);
    assert.match(team.id, /^w_/);
    assert.deepEqual(team, {
      id: team.id,
      name: 'Support',
      kind: 'team',
      shared: true,
      role: 'owner',
      owner: { name: 'Test', email: owner.email },
    });
    const { data } = await owner.get<{ data: Workspace[] }>('/api/workspaces');
    assert.deepEqual(
      data.map(({ id, kind }) => [id, kind]),
      [
        [owner.userId, 'personal'],
        [team.id, 'team'],
      ],
    );
    assert.equal((await owner.get<{ token: string }>('/api/auth/token')).token, owner.token);
  });

  it('POST /api/workspaces: 400 without a name, 403 for a service account and beyond the limit', async () => {
    const owner = await newClient(service());
    assertRefused(await owner.call('POST', '/api/workspaces', { name: ' ' }), 400, 'invalid_input');
    const program = await newServiceAccount(owner, 'admin');
    const byProgram = await call(service(), 'POST', '/api/workspaces', { key: program.token, body: { name: 'Mine' } });
    assertRefused(byProgram, 403, 'forbidden');
    for (let count = 0; count < maxOwnedTeams; count += 1) await createTeam(owner, `Team ${count}`);
    assertRefused(await owner.call('POST', '/api/workspaces', { name: 'One more' }), 403, 'quota_exceeded');
  });

  it('its prompts are read with an account’s own key and the header, or with the key of a service account', async () => {
    const [owner, stranger] = [await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await team.as(owner).create({ name: 'triage', template: 'Hello' });
    const program = await newServiceAccount(team.as(owner), 'viewer');
    const read = (key: string, headers = {}) => call(service(), 'GET', '/api/prompts/triage', { key, headers });
    const header = { 'promptharbor-workspace': team.id };
    assert.equal((await read(owner.token, header)).status, 200);
    assert.equal((await read(program.token)).status, 200);
    assertRefused(await read(owner.token), 404, 'prompt_not_found');
    assertRefused(await read(stranger.token, header), 404, 'workspace_not_found');
  });

  it('PATCH /api/workspaces/{id}: the owner renames it; an admin gets 403 and a stranger 404', async () => {
    const [owner, admin, stranger] = [await newClient(service()), await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await join(team.id, admin, 'admin');
    const rename = (client: Client, id = team.id) => client.call('PATCH', `/api/workspaces/${encodeURIComponent(id)}`, { name: 'Care' });
    assertRefused(await rename(admin), 403, 'forbidden');
    assertRefused(await rename(stranger), 404, 'workspace_not_found');
    assertRefused(await rename(owner, 'w_\0'), 404, 'workspace_not_found');
    assert.equal(((await rename(owner)).body as Workspace).name, 'Care');
    assert.equal((await team.as(admin).get<{ name: string }>('/api/workspace')).name, 'Care');
    assert.equal((await owner.get<{ name: string }>('/api/account')).name, 'Test', 'the account keeps its name');
    assert.equal(((await rename(owner, owner.userId)).body as Workspace).name, 'Care');
    assert.equal((await owner.get<{ name: string }>('/api/account')).name, 'Care', 'one’s own workspace has the account’s name');
  });

  it('PATCH /api/workspaces/{id}: 404 for a service account with its own id, which keeps its name', async () => {
    const owner = await newClient(service());
    const team = await createTeam(owner);
    const program = await newServiceAccount(team.as(owner), 'viewer');
    const body = { name: 'Someone else' };
    const renamed = await call(service(), 'PATCH', `/api/workspaces/${program.userId}`, { key: program.token, body });
    assertRefused(renamed, 404, 'workspace_not_found');
    const { data } = await team.as(owner).get<MemberListBody>('/api/members');
    assert.notEqual(data.find(({ userId }) => userId === program.userId)?.name, body.name);
  });

  it('GET /api/members: the owner first, whatever the ids are', async () => {
    const [early, owner] = [await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await join(team.id, early, 'viewer');
    assert.deepEqual(Object.entries(await rolesIn(team.as(early))), [
      [owner.userId, 'owner'],
      [early.userId, 'viewer'],
    ]);
  });

  it('the owner can neither leave nor be demoted, not even by an admin', async () => {
    const [owner, admin] = [await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await join(team.id, admin, 'admin');
    for (const client of [owner, admin]) {
      const as = team.as(client);
      assertRefused(await as.call('DELETE', `/api/members/${owner.userId}`), 403, 'forbidden');
      assertRefused(await as.call('PATCH', `/api/members/${owner.userId}`, { role: 'viewer' }), 403, 'forbidden');
      assertRefused(await as.call('PATCH', `/api/members/${admin.userId}`, { role: 'owner' }), 400, 'invalid_input');
    }
    assert.deepEqual(await rolesIn(team.as(owner)), { [owner.userId]: 'owner', [admin.userId]: 'admin' });
  });

  it('POST /api/workspaces/{id}/transfer: 204: the member owns it, the former owner is an admin and may leave', async () => {
    const [owner, next] = [await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await team.as(owner).create({ name: 'triage', template: 'Hello' });
    await join(team.id, next, 'viewer');
    const before = await service().ctx.store.events.list(team.id, { after: 0, limit: 100 });
    assert.equal((await transfer(owner, team.id, next.userId)).status, 204);
    assert.deepEqual(await rolesIn(team.as(next)), { [next.userId]: 'owner', [owner.userId]: 'admin' });
    const { data } = await owner.get<{ data: Workspace[] }>('/api/workspaces');
    assert.deepEqual(data.find(({ id }) => id === team.id)?.owner, { name: 'Test', email: next.email });
    const events = await service().ctx.store.events.list(team.id, { after: 0, limit: 100 });
    assert.equal(events.length, before.length + 2);
    assert.equal((await team.as(owner).call('DELETE', `/api/members/${owner.userId}`)).status, 204);
    assert.equal((await team.as(next).call('GET', '/api/prompts/triage')).status, 200);
  });

  it('POST /api/workspaces/{id}/transfer: refused for others, to others, without the password and with a key', async () => {
    const [owner, admin, stranger] = [await newClient(service()), await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await join(team.id, admin, 'admin');
    const program = await newServiceAccount(team.as(owner));
    assertRefused(await transfer(admin, team.id, admin.userId), 403, 'forbidden');
    assertRefused(await transfer(stranger, team.id, stranger.userId), 404, 'workspace_not_found');
    assertRefused(await transfer(owner, team.id, stranger.userId), 404, 'member_not_found');
    assertRefused(await transfer(owner, team.id, owner.userId), 404, 'member_not_found');
    assertRefused(await transfer(owner, team.id, program.userId), 403, 'forbidden');
    assertRefused(await transfer(owner, owner.userId, admin.userId), 409, 'not_a_team');
    const wrong = await fromPage(owner, 'POST', `/api/workspaces/${team.id}/transfer`, { userId: admin.userId, password: 'wrong' });
    assertRefused(wrong, 401, 'invalid_credentials');
    const body = { userId: admin.userId, password: owner.password };
    assert.equal((await owner.call('POST', `/api/workspaces/${team.id}/transfer`, body)).status, 401);
    assert.deepEqual(await rolesIn(team.as(owner)), {
      [owner.userId]: 'owner',
      [admin.userId]: 'admin',
      [program.userId]: 'viewer',
    });
  });

  it('POST /api/workspaces/{id}/transfer: 403 if the member already owns as many as one account can', async () => {
    const [owner, next] = [await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await join(team.id, next, 'admin');
    for (let count = 0; count < maxOwnedTeams; count += 1) await createTeam(next, `Team ${count}`);
    assertRefused(await transfer(owner, team.id, next.userId), 403, 'quota_exceeded');
    assert.deepEqual(await rolesIn(team.as(owner)), { [owner.userId]: 'owner', [next.userId]: 'admin' });
  });

  it('DELETE /api/workspaces/{id}: 204: nothing of it is left, and the keys of its service accounts stop working before the response', async () => {
    const [owner, admin] = [await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await team.as(owner).create({ name: 'triage', template: 'Hello' });
    await join(team.id, admin, 'admin');
    const program = await newServiceAccount(team.as(owner));
    const { token } = await invite(team.as(owner), 'grace@example.com');
    assertRefused(await remove(admin, team.id), 403, 'forbidden');
    assertRefused(await remove(owner, owner.userId), 409, 'not_a_team');
    assert.equal((await remove(owner, team.id)).status, 204);
    assert.equal((await call(service(), 'GET', '/api/prompts', { key: program.token })).status, 401);
    for (const member of [owner, admin]) {
      assertRefused(await team.as(member).call('GET', '/api/prompts'), 404, 'workspace_not_found');
    }
    assertRefused(await call(service(), 'GET', `/api/invitations/${token}`), 404, 'invitation_not_found');
    assertRefused(await remove(owner, team.id), 404, 'workspace_not_found');
    assert.equal((await owner.call('GET', '/api/auth/token')).status, 200);
    assert.equal((await admin.call('GET', '/api/auth/token')).status, 200);
  });

  it('DELETE /api/account: 409 while the account owns a team, which continues to exist after the transfer', async () => {
    const [owner, next] = [await newClient(service()), await newClient(service())];
    const team = await createTeam(owner, 'Care');
    await team.as(owner).create({ name: 'triage', template: 'Hello' });
    await join(team.id, next, 'editor');
    const refused = await fromPage(owner, 'DELETE', '/api/account', {});
    assertRefused(refused, 409, 'owns_workspaces');
    assert.match(refused.text, /Care/);
    assert.equal(await codeOf(removeAccount(service().ctx, { accountId: owner.userId, name: 'Test' })), 'owns_workspaces');
    assert.equal(await codeOf(service().ctx.store.accounts.delete(owner.userId)), 'owns_workspaces');
    assert.equal((await owner.call('GET', '/api/auth/token')).status, 200, 'nothing has ended');
    assert.equal((await transfer(owner, team.id, next.userId)).status, 204);
    assert.equal((await fromPage(owner, 'DELETE', '/api/account', {})).status, 204);
    assert.equal((await team.as(next).call('GET', '/api/prompts/triage')).status, 200);
    assert.deepEqual(await rolesIn(team.as(next)), { [next.userId]: 'owner' });
    const history = await team.as(next).get<{ data: { by: { name: string } }[] }>('/api/prompts/triage/history');
    assert.equal(history.data.at(-1)?.by.name, 'Test', 'people who left keep their name');
  });

  it('of a transfer and the deletion of the new owner’s account at the same time, one succeeds', async () => {
    const [owner, next] = [await newClient(service()), await newClient(service())];
    const team = await createTeam(owner);
    await join(team.id, next, 'admin');
    const [transferred, deleted] = await Promise.all([
      transfer(owner, team.id, next.userId),
      codeOf(service().ctx.store.accounts.delete(next.userId)),
    ]);
    const roles = await rolesIn(team.as(owner));
    if (transferred.status === 204) assert.deepEqual([deleted, roles[next.userId]], ['owns_workspaces', 'owner']);
    else assert.deepEqual([deleted, roles], [undefined, { [owner.userId]: 'owner' }]);
  });

  it('a team has no key, even after the operator has reset all keys, and nobody can sign in as it', async () => {
    const owner = await newClient(service());
    const team = await createTeam(owner);
    const { store } = service().ctx;
    const before = await store.accounts.findById(team.id);
    await replaceAllKeys(service().ctx);
    assert.deepEqual(await store.accounts.findById(team.id), before);
    assert.equal(before?.keyCipher, '');
    const body = { email: before?.email, password: '' };
    for (const path of ['/api/auth/token', '/api/session/forgot-password']) {
      const { status } = await callFromPage(service(), 'POST', path, { body });
      assert.ok(status === 400 || status === 401, `${path}: ${status}`);
    }
    const { data } = await owner.get<{ data: unknown[] }>('/api/workspaces').catch(() => ({ data: [] }));
    assert.deepEqual(data, [], 'the owner’s key was reset');
  });
});
