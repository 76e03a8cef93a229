import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, describeOnEveryEngine, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';
import type { Service } from '../../support/service.ts';

const release = pathOf('greet', '/labels/production/release');

/** Starts a release before its label gets a rule, so that nobody has approved the version of the release. */
async function prepare(service: Service) {
  const team = await newTeam(service, { approvals: 1 });
  const [ada, ben] = [await team.join('editor'), await team.join('deployer')];
  const started = { control: 1, arms: [{ version: 2, weight: 1000 }] };
  await setRules(team.owner, {});
  assert.equal((await ada.api('PUT', release, started)).status, 200);
  await setRules(team.owner, { production: { approvals: 1 } });
  return { ...team, ada, ben };
}

async function setRules(owner: Person, labelRules: object): Promise<void> {
  assert.equal((await owner.api('PATCH', '/api/workspace', { labelRules })).status, 200);
}

describeOnEveryEngine('A proposal for the version of a running release', (service) => {
  it('finishes the release when it is applied', async () => {
    const { client, ada, ben, live } = await prepare(service());
    assertRefused(await ada.api('POST', `${release}/finish`, { version: 2 }), 409, 'approval_required');
    const proposal = await propose(ada);
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
    assert.equal((await client.get<{ state: string }>(release)).state, 'running');
    await ben.review(proposal);
    assert.equal((await ben.apply(proposal)).status, 200);
    assert.deepEqual([(await client.get<{ state: string }>(release)).state, await live()], ['finished', 2]);
  });

  it('waits if the version is not part of the release', async () => {
    const { client, ada, ben, live } = await prepare(service());
    await client.save('greet', { template: 'three' });
    const proposal = await propose(ada, { version: 3 });
    await ben.review(proposal);
    assertRefused(await ben.apply(proposal), 409, 'release_running');
    assert.deepEqual([(await client.get<{ state: string }>(release)).state, await live()], ['running', 1]);
  });

  it('needs a new approval after the release was rolled back and started again', async () => {
    const { owner, ada, ben } = await prepare(service());
    const proposal = await propose(ada);
    await ben.review(proposal);
    await owner.api('DELETE', release);
    await owner.api('PUT', release, { control: 1, arms: [{ version: 2, weight: 10 }], override: 'Again' });
    assertRefused(await ben.apply(proposal), 409, 'proposal_not_approved');
  });
});
