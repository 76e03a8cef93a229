import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryEntry } from '../../../src/contract/history.ts';
import type { Proposal } from '../../../src/contract/proposals.ts';
import { callFromPage } from '../../support/browser.ts';
import { postgres } from '../../support/engines.ts';
import { type ListBody, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';
import { type Service, startService } from '../../support/service.ts';
import { inWorkspace, openTestSession } from '../../support/workspaces.ts';

const rounds = 4;

describe('two instances at once', () => {
  async function newTeamOnTwo(t: { after(done: () => Promise<void>): void }) {
    const first = await startService({ engine: postgres });
    t.after(() => first.close());
    const second = await startService({ database: first.database });
    t.after(() => second.close());
    const team = await newTeam(first);
    const [ada, ben, cem] = [await team.join('editor'), await team.join('editor'), await team.join('admin')];
    /** Sends a request from the dashboard to one of the instances. */
    const on = async (service: Service, { client }: Person) => {
      const cookie = await openTestSession(service, client);
      return (method: string, path: string, body?: unknown) =>
        callFromPage(service, method, path, { cookie, ...inWorkspace(team.client), ...(body !== undefined && { body }) });
    };
    /** Opens a proposal of a new version, which is approved. */
    const newApproved = async (): Promise<Proposal> => {
      const { version } = await team.client.save('greet', { template: `text ${Math.random()}` });
      const proposal = await propose(ada, { version });
      return (await ben.review(proposal)).body as unknown as Proposal;
    };
    const countMoves = async (id: string) => {
      const { data } = await team.client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
      return data.filter((entry) => entry.proposal?.id === id).length;
    };
    return { ...team, first, second, ada, ben, cem, on, newApproved, countMoves };
  }

  it('a proposal is either applied, withdrawn or declined', async (t) => {
    const { first, second, ada, ben, on, newApproved, countMoves } = await newTeamOnTwo(t);
    const [here, there] = [await on(first, ada), await on(second, ben)];
    for (let round = 0; round < rounds; round += 1) {
      const { id, revision } = await newApproved();
      const path = `/api/proposals/${id}`;
      const [applied, again, ended] = await Promise.all([
        here('POST', `${path}/apply`, { revision }),
        there('POST', `${path}/apply`, { revision }),
        round % 2 === 0 ? here('POST', `${path}/withdraw`) : there('POST', `${path}/reviews`, { verdict: 'decline', text: 'No', revision }),
      ]);
      const results = [applied, again, ended].map(({ status }) => status < 300);
      assert.equal(results.filter(Boolean).length, 1, [applied, again, ended].map(({ text }) => text).join('\n'));
      assert.equal(await countMoves(id), applied.status === 200 || again.status === 200 ? 1 : 0);
    }
  });

  it('a proposal is applied before the rule, a role, the label or the test cases change, or not at all', async (t) => {
    const { first, second, owner, ada, ben, on, newApproved, countMoves, live } = await newTeamOnTwo(t);
    const [here, there] = [await on(first, ada), await on(second, owner)];
    const setRule = (approvals: number) => there('PATCH', '/api/workspace', { labelRules: { production: { approvals } } });
    const changes = [
      () => setRule(2),
      () => there('PATCH', `/api/members/${ben.userId}`, { role: 'viewer' }),
      () => there('PUT', pathOf('greet', '/labels/production'), { version: 1, override: 'Hotfix' }),
      () => there('POST', pathOf('greet', '/cases'), { name: `case ${Math.random()}`, variables: {}, checks: [] }),
    ];
    assert.equal((await there('PATCH', '/api/workspace', { gatedLabels: ['production'] })).status, 200);
    for (const change of changes) {
      const { id, revision } = await newApproved();
      const apply = () => here('POST', `/api/proposals/${id}/apply`, { revision });
      const [applied, changed] = await Promise.all([apply(), change()]);
      assert.ok(changed.status < 300, changed.text);
      assert.ok([200, 409].includes(applied.status), applied.text);
      // If the service refused the proposal because of the change, it refuses the proposal again.
      if (applied.status === 409) assert.equal((await apply()).status, 409);
      assert.equal(await countMoves(id), applied.status === 200 ? 1 : 0);
      await setRule(1);
      await there('PATCH', `/api/members/${ben.userId}`, { role: 'editor' });
      const { data } = (await there('GET', pathOf('greet', '/cases'))).body as ListBody<{ id: string }>;
      for (const one of data) await there('DELETE', pathOf('greet', `/cases/${one.id}`));
      await there('PUT', pathOf('greet', '/labels/production'), { version: 1, override: 'Again' });
      assert.equal(await live(), 1);
    }
  });
});
