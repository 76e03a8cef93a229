import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../../support/client.ts';
import { freezeClock } from '../../support/clock.ts';
import { engines } from '../../support/engines.ts';
import { type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

interface Statistics {
  totals: { calls: number; errors: number };
  byPrompt: { name: string; calls: number }[];
  keyLastUsedAt: string | null;
}

describeOnEveryEngine('Calls of members', (service) => {
  async function statisticsOf(client: Client): Promise<Statistics> {
    await service().ctx.recorder.flush();
    return client.get('/api/stats');
  }

  it('count for the workspace in which they act; the use of a key counts for its account', async () => {
    const owner = await newClient(service());
    const member = await newMember(service(), owner, 'viewer');
    await owner.create({ name: 'greeting', template: 'Hello' });
    const before = { owner: await statisticsOf(owner), member: await statisticsOf(member) };
    assert.equal(before.member.keyLastUsedAt, null);
    // The route serves the first call, and the fast path serves the others.
    for (let time = 0; time < 3; time += 1) await member.call('GET', '/api/prompts/greeting', undefined, inWorkspace(owner));
    assert.equal((await member.call('POST', '/api/prompts', {}, inWorkspace(owner))).status, 403);
    const after = { owner: await statisticsOf(owner), member: await statisticsOf(member) };
    // Reading the statistics is a call too.
    assert.equal(after.owner.totals.calls, before.owner.totals.calls + 1 + 4);
    assert.equal(after.owner.totals.errors, before.owner.totals.errors + 1);
    assert.deepEqual(
      after.owner.byPrompt.map(({ name, calls }) => [name, calls]),
      [['greeting', 3]],
    );
    assert.equal(after.member.totals.calls, 1);
    assert.ok(after.member.keyLastUsedAt);
  });

  it('in a workspace of which the caller is not a member, count for the caller’s own', async () => {
    const [owner, stranger] = [await newClient(service()), await newClient(service())];
    for (let time = 0; time < 2; time += 1) await stranger.call('GET', '/api/prompts', undefined, inWorkspace(owner));
    assert.deepEqual((await statisticsOf(stranger)).totals, { calls: 2, errors: 2 });
    assert.deepEqual((await statisticsOf(owner)).totals, { calls: 0, errors: 0 });
  });

  it('are logged with the account, and with the workspace if it is not their own', async () => {
    const owner = await newClient(service());
    const member = await newMember(service(), owner, 'viewer');
    const ids = ['route', 'fast', 'own'].map((way) => `${way}-${member.userId}`);
    for (const id of ids) {
      const headers = { 'x-request-id': id, ...(id.startsWith('own') ? {} : inWorkspace(owner).headers) };
      assert.equal((await member.call('GET', '/api/prompts', undefined, { headers })).status, 200);
    }
    const lines = service()
      .logs()
      .split('\n')
      .filter((line) => ids.some((id) => line.includes(`"id":"${id}"`)));
    assert.deepEqual(
      lines
        .map((line) => JSON.parse(line) as { account: string; workspace?: string })
        .map(({ account, workspace }) => [account, workspace]),
      [
        [member.userId, owner.userId],
        [member.userId, owner.userId],
        [member.userId, undefined],
      ],
    );
  });
});

for (const engine of engines) {
  describe(`RATE_LIMIT_PER_MINUTE in workspaces (${engine.name})`, () => {
    it('429: limits each key, wherever it acts, and nobody else in the workspace', async (t) => {
      const service = await startService({ engine, env: { RATE_LIMIT_PER_MINUTE: '3' } });
      t.after(() => service.close());
      const owner = await newClient(service);
      const [member, other] = [await newMember(service, owner, 'viewer'), await newMember(service, owner, 'viewer')];
      freezeClock(t);
      const list = async (client: Client, headers = {}) =>
        (await call(service, 'GET', '/api/prompts', { key: client.token, headers })).status;
      const unknown = { 'promptharbor-workspace': 'u_nobody' };
      assert.deepEqual(
        [await list(member, inWorkspace(owner).headers), await list(member, unknown), await list(member), await list(member, unknown)],
        [200, 404, 200, 429],
      );
      assert.equal(await list(other, inWorkspace(owner).headers), 200);
      assert.equal(await list(owner), 200);
    });
  });
}
