import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../../support/client.ts';
import { postgres } from '../../support/engines.ts';
import { newClient } from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

describe('Members on two instances', () => {
  it('a changed role applies on both as soon as the response has arrived', async (t) => {
    const first = await startService({ engine: postgres });
    const second = await startService({ database: first.database });
    t.after(async () => {
      await second.close();
      await first.close();
    });
    const owner = await newClient(first);
    await owner.create({ name: 'greeting', template: 'Hello' });
    const { userId, token: key } = await newMember(first, owner, 'editor');
    const statuses = async () => {
      const options = { key, ...inWorkspace(owner) };
      const pairs = [first, second].map(async (service) => [
        (await call(service, 'GET', '/api/prompts', options)).status,
        (await call(service, 'PATCH', '/api/prompts/greeting', { ...options, body: { tags: [] } })).status,
      ]);
      return (await Promise.all(pairs)).flat();
    };
    for (const [changing, role, expected] of [
      [second, 'viewer', [200, 403]],
      [first, 'editor', [200, 200]],
      [second, undefined, [404, 404]],
      [first, 'deployer', [200, 200]],
      [first, undefined, [404, 404]],
    ] as const) {
      const { memberships } = changing.ctx.store;
      if (role) await memberships.put(owner.userId, userId, role);
      else await memberships.remove(owner.userId, userId);
      assert.deepEqual(await statuses(), [...expected, ...expected], `${role}`);
    }
  });
});
