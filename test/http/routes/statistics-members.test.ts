import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Statistics } from '../../../src/contract/statistics.ts';
import { newServiceAccount } from '../../support/members.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { inWorkspace, newMember, openTestSession } from '../../support/workspaces.ts';

describeOnEveryEngine('GET /api/stats: by member', (service) => {
  /** Reads with a session, which is not counted, after all calls so far have been written. */
  async function statisticsOf(client: Client, query = '', workspace: { userId: string } = client): Promise<Statistics> {
    await service().ctx.recorder.flush();
    const cookie = await openTestSession(service(), client);
    const response = await client.call('GET', `/api/stats${query}`, undefined, { key: undefined, cookie, ...inWorkspace(workspace) });
    assert.equal(response.status, 200, response.text);
    return response.body as Statistics;
  }

  /** Creates a workspace in which the owner, a member and a program have made calls. */
  async function prepare() {
    const owner = await newClient(service());
    const member = await newMember(service(), owner, 'editor');
    const { userId, token, name } = await newServiceAccount(owner);
    const program = await newClient(service(), { ...owner, userId, token });
    for (let index = 0; index < 3; index += 1) await member.call('GET', '/api/prompts', undefined, inWorkspace(owner));
    await member.call('GET', '/api/prompts/missing', undefined, inWorkspace(owner));
    await program.call('GET', '/api/prompts');
    await member.call('GET', '/api/prompts');
    return { owner, member, program: { ...program, name } };
  }

  it('200: the owner, members and service accounts, with names and without addresses', async () => {
    const { owner, member, program } = await prepare();
    const stats = await statisticsOf(owner);
    // One of the owner's calls created the service account.
    assert.deepEqual(
      stats.byMember.map(({ userId, kind, calls, errors }) => [userId, kind, calls, errors]),
      [
        [member.userId, 'person', 4, 1],
        [owner.userId, 'person', 1, 0],
        [program.userId, 'service', 1, 0],
      ].sort(([, , a], [, , b]) => Number(b) - Number(a)),
    );
    assert.equal(
      stats.byMember.reduce((sum, { calls }) => sum + calls, 0),
      stats.totals.calls,
    );
    assert.equal(stats.byMember.find(({ userId }) => userId === program.userId)?.name, program.name);
    assert.ok(!JSON.stringify(stats).includes('@'), 'no addresses');

    const seen = await statisticsOf(await newMember(service(), owner, 'viewer'), '', owner);
    assert.deepEqual(seen.byMember, stats.byMember, 'every member sees the same');
  });

  it('200: calls in another workspace do not count', async () => {
    const { owner, member } = await prepare();
    const own = await statisticsOf(member);
    assert.deepEqual(
      own.byMember.map(({ userId, calls }) => [userId, calls]),
      [[member.userId, 1]],
    );
    const filtered = await statisticsOf(member, `?member=${owner.userId}`);
    assert.deepEqual([filtered.totals, filtered.byMember, filtered.byRoute], [{ calls: 0, errors: 0 }, [], []]);
  });

  it('200: the routes, statuses and hours of one member, and of the owner', async () => {
    const { owner, member } = await prepare();
    const stats = await statisticsOf(owner, `?member=${member.userId}`);
    assert.deepEqual(stats.totals, { calls: 4, errors: 1 });
    assert.deepEqual(stats.byRoute, [
      { route: 'GET /api/prompts', calls: 3, errors: 0 },
      { route: 'GET /api/prompts/{name}', calls: 1, errors: 1 },
    ]);
    assert.deepEqual(stats.byStatus, [
      { status: 200, calls: 3 },
      { status: 404, calls: 1 },
    ]);
    assert.equal(
      stats.series.reduce((sum, { calls }) => sum + calls, 0),
      4,
    );
    assert.deepEqual([stats.byPrompt, stats.durationMs.p50], [[], null]);
    assert.deepEqual((await statisticsOf(owner, `?member=${member.userId}&status=404`)).totals, { calls: 1, errors: 1 });
    const own = await statisticsOf(owner, `?member=${owner.userId}`);
    assert.deepEqual(own.byRoute, [{ route: 'POST /api/members/service-accounts', calls: 1, errors: 0 }]);
    assert.deepEqual(own.totals, { calls: 1, errors: 0 });
  });

  it('200: someone who has left keeps the calls and loses the name', async () => {
    const { owner, member } = await prepare();
    await service().ctx.store.memberships.remove(owner.userId, member.userId);
    const { byMember } = await statisticsOf(owner);
    assert.deepEqual(byMember[0], { userId: member.userId, name: null, kind: null, calls: 4, errors: 1 });
  });

  it('200: in a team, everyone counts, including its owner', async () => {
    const owner = await newClient(service());
    const { body } = await owner.call('POST', '/api/workspaces', { name: 'Support' });
    const team = { userId: (body as { id: string }).id };
    await owner.call('GET', '/api/prompts', undefined, inWorkspace(team));
    const { byMember, keyLastUsedAt } = await statisticsOf(owner, '', team);
    assert.deepEqual(
      byMember.map(({ userId, kind, calls }) => [userId, kind, calls]),
      [[owner.userId, 'person', 1]],
    );
    assert.equal(keyLastUsedAt, null, 'a team has no key');
    assert.deepEqual((await statisticsOf(owner, `?member=${owner.userId}`, team)).totals, { calls: 1, errors: 0 });
  });

  it('200: calls beyond the limit of counters count as calls of others', async () => {
    const owner = await newClient(service());
    const time = new Date().toISOString().slice(0, '2026-03-01T14'.length);
    const row = { accountId: owner.userId, time, route: 'GET /x', status: 200 };
    await service().ctx.store.statistics.add({
      writer: owner.userId,
      sequence: 1,
      calls: [{ ...row, bucket: 1, calls: 10 }],
      members: [{ ...row, memberId: '', calls: 4 }],
      ...{ prompts: [], renderErrors: [], runs: [], releases: [], keyUses: [], promptKeys: [] },
    });
    const { byMember } = await statisticsOf(owner);
    assert.deepEqual(
      byMember.map(({ userId, name, kind, calls }) => [userId, name, kind, calls]),
      [
        [owner.userId, byMember[0]?.name, 'person', 6],
        [null, null, null, 4],
      ],
    );
  });

  it('400: a member that is not an id, or together with a prompt', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'greet', template: 'Hi' });
    for (const query of ['member=Ada', 'member=', 'member=u_%00', `member=u_${'a'.repeat(100)}`, `member=${owner.userId}&prompt=greet`]) {
      assertRefused(await owner.call('GET', `/api/stats?${query}`), 400, 'invalid_input');
    }
  });
});
