import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newTeam } from '../support/copies.ts';
import { engines } from '../support/engines.ts';
import { runProgram } from '../support/process.ts';
import { clientOf, newClient, pathOf } from '../support/prompts.ts';
import { withService } from '../support/service.ts';

describe('promptharbor teams', () => {
  for (const engine of engines) {
    it(`lists, transfers and deletes team workspaces (${engine.name})`, async (t) => {
      const database = await engine.create();
      t.after(() => database.remove());
      const { owner, other, id, second } = await withService(database, {}, async (service) => {
        const [owner, other, viewer] = [await newClient(service), await newClient(service), await newClient(service)];
        const team = await newTeam(owner, 'Support');
        await team.join(viewer, 'viewer');
        await team.owner.create({ name: 'p', template: 'x' });
        return { owner, other, id: team.id, second: (await newTeam(owner, 'Sales')).id };
      });
      const run = (...args: string[]) => runProgram(['teams', ...args], database.env);

      const listed = await run('list');
      assert.equal(listed.code, 0, listed.stderr);
      const line = (team: string, name: string, members: string) => `^${team}\t${name}\t[^\t]*Z\towner ${owner.email}\t${members}$`;
      assert.match(listed.stdout, new RegExp(line(id, 'Support', '2 members'), 'm'));
      assert.match(listed.stdout, new RegExp(line(second, 'Sales', '1 member'), 'm'));

      const transferred = await run('transfer', '--id', id, '--email', other.email);
      assert.match(transferred.stdout, new RegExp(`${other.email} is now the owner of "Support"`), transferred.stderr);
      assert.equal((await run('transfer', '--id', id, '--email', other.email)).code, 1);
      assert.equal((await run('transfer', '--id', 'w_nobody', '--email', other.email)).code, 4);
      assert.equal((await run('transfer', '--id', owner.userId, '--email', other.email)).code, 4);
      assert.equal((await run('transfer', '--id', id, '--email', 'nobody@example.com')).code, 4);

      const asked = await run('delete', '--id', second);
      assert.match(asked.stdout, new RegExp(`Nothing was deleted\\. To delete the workspace, add --confirm ${second}`));
      assert.equal((await run('delete', '--id', second, '--confirm', id)).code, 2);
      const deleted = await run('delete', '--id', second, '--confirm', second);
      assert.match(deleted.stdout, /The workspace was deleted\.$/m, deleted.stderr);
      assert.equal((await run('delete', '--id', second)).code, 4);

      await withService(database, {}, async (service) => {
        const headers = { 'promptharbor-workspace': id };
        const [was, is] = [clientOf(service, owner, { headers }), clientOf(service, other, { headers })];
        assert.equal((await is.call('GET', pathOf('p'))).status, 200);
        const { data } = await was.get<{ data: { userId: string; role: string }[] }>('/api/members');
        assert.deepEqual(
          [owner, other].map(({ userId }) => data.find((member) => member.userId === userId)?.role),
          ['admin', 'owner'],
        );
        const gone = clientOf(service, owner, { headers: { 'promptharbor-workspace': second } });
        assert.equal((await gone.call('GET', '/api/prompts')).status, 404);
      });
    });
  }
});
