import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maxEndedProposals } from '../../../src/contract/limits.ts';
import type { Proposal } from '../../../src/contract/proposals.ts';
import { type ApiResponse, call } from '../../support/client.ts';
import { assertRefused, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';
import { inWorkspace } from '../../support/workspaces.ts';

const proposalOf = ({ body }: ApiResponse) => body as unknown as Proposal;
const given = (response: ApiResponse) => proposalOf(response).changes[0]?.approvals.given;

async function send(person: Person, method: string, path: string, body?: unknown): Promise<ApiResponse> {
  const response = await person.api(method, path, body);
  assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
  return response;
}

async function reasonFor(person: Person, { id }: Proposal): Promise<string | null> {
  return proposalOf(await person.page('GET', `/api/proposals/${id}`)).myApproval.reason;
}

describeOnEveryEngine('Those who may not approve a proposal', (service) => {
  it('everyone who changed a candidate, even if it became a version before it was proposed', async () => {
    const { join } = await newTeam(service());
    const [ada, ben, cy] = [await join('editor'), await join('editor'), await join('editor')];
    const path = pathOf('greet', '/candidates');
    const { id } = (await send(ada, 'POST', path, { title: 'Evil', template: 'evil' })).body as { id: string };
    await send(ben, 'PUT', `${path}/${id}`, { title: 'Evil', template: 'evil!', revision: 1 });
    await send(ben, 'POST', `${path}/${id}/apply`, { revision: 2 });
    const proposal = await propose(cy, { version: 3 });
    assert.deepEqual(
      [await reasonFor(ada, proposal), await reasonFor(ben, proposal), await reasonFor(cy, proposal)],
      ['wrote', 'wrote', 'opened'],
    );
    assert.equal(given(await ada.review(proposal)), 0);
    const dee = await join('editor');
    assert.equal(given(await dee.review(proposal)), 1);
  });

  for (const move of [false, true]) {
    it(`the authors of a ${move ? 'moved' : 'copied'} version, and who brought it`, async () => {
      const { client, owner, join } = await newTeam(service());
      const [ada, ben, cy] = [await join('editor'), await join('editor'), await join('editor')];
      // Ada writes the content in Ben's own workspace, and Ben brings it here.
      await service().ctx.store.memberships.put(ben.userId, ada.userId, 'editor');
      const there = inWorkspace(ben.client);
      assert.equal((await ada.client.call('POST', '/api/prompts', { name: 'evil', template: 'evil', labels: [] }, there)).status, 201);
      const copied = await ben.client.call('POST', pathOf('evil', '/copy'), { workspace: client.userId, move });
      assert.equal(copied.status, 201, copied.text);
      const proposal = await propose(cy, { prompt: 'evil', version: 1 });
      assert.deepEqual(
        [await reasonFor(ada, proposal), await reasonFor(ben, proposal), await reasonFor(owner, proposal)],
        ['wrote', 'wrote', null],
      );
      assert.equal(given(await ada.review(proposal)), 0);
      assert.equal(given(await ben.review(proposal)), 0);
      assert.equal(given(await owner.review(proposal)), 1);
    });
  }

  it('who imported a version', async () => {
    const { client, owner, join } = await newTeam(service());
    const [ada, ben] = [await join('admin'), await join('editor')];
    const elsewhere = await newClient(service());
    await elsewhere.create({ name: 'evil', template: 'evil', labels: [] });
    const { text } = await elsewhere.call('GET', '/api/export');
    const headers = { 'content-type': 'application/x-ndjson', 'promptharbor-workspace': client.userId };
    const imported = await call(service(), 'POST', '/api/import', { key: ada.client.token, text, headers });
    assert.equal(imported.status, 200, imported.text);
    const proposal = await propose(ben, { prompt: 'evil', version: 1 });
    assert.equal(await reasonFor(ada, proposal), 'wrote');
    assert.equal(given(await ada.review(proposal)), 0);
    assert.equal(given(await owner.review(proposal)), 1);
  });

  it('who has received the key of the service account that wrote the content or opened the proposal', async () => {
    const { client, owner, join } = await newTeam(service());
    const [ada, ben, cy] = [await join('admin'), await join('admin'), await join('editor')];
    const accounts = '/api/members/service-accounts';
    const { userId, token } = (await send(ada, 'POST', accounts, { name: 'CI', role: 'admin' })).body as { userId: string; token: string };
    const ci = (method: string, path: string, body: unknown) => call(service(), method, path, { key: token, body, ...inWorkspace(client) });
    assert.equal((await ci('POST', pathOf('greet', '/versions'), { template: 'evil' })).status, 201);
    const wrote = await propose(cy, { version: 3 });
    assert.deepEqual([await reasonFor(ada, wrote), await reasonFor(ben, wrote)], ['holds_key', null]);
    assert.equal(given(await ada.review(wrote)), 0);
    const opened = await ci('POST', '/api/proposals', { changes: [{ prompt: 'greet', label: 'production', version: 2 }] });
    assert.deepEqual(proposalOf(opened).myApproval, { given: false, counts: false, reason: 'program' });
    assert.equal(given(await ada.review(proposalOf(opened))), 0);
    const { id, revision } = proposalOf(opened);
    assertRefused(await ci('POST', `/api/proposals/${id}/reviews`, { verdict: 'approve', revision }), 403, 'forbidden');
    // The person also may not approve a proposal that another service account opened, if the first service account created it.
    const other = (await ci('POST', accounts, { name: 'Other', role: 'editor' })).body as { token: string };
    const hidden = await call(service(), 'POST', '/api/proposals', {
      key: other.token,
      body: { changes: [{ prompt: 'greet', label: 'production', version: 3 }] },
      ...inWorkspace(client),
    });
    assert.equal(await reasonFor(ada, proposalOf(hidden)), 'holds_key');
    assert.equal(given(await ben.review(wrote)), 1);
    await send(ben, 'POST', `/api/members/${userId}/reset-key`);
    assert.equal(await reasonFor(ben, wrote), 'holds_key', 'the new key was shown to this person');
    assert.deepEqual([given(await owner.review(wrote)), await reasonFor(owner, wrote)], [1, null]);
    // The person still may not approve after the service account is deleted.
    await send(ada, 'DELETE', `/api/members/${userId}`);
    await service().ctx.background.drain(60_000);
    assert.deepEqual([await reasonFor(ada, wrote), await reasonFor(ada, proposalOf(hidden))], ['holds_key', 'holds_key']);
    assert.equal(given(await owner.review(wrote)), 1);
  });

  it('a rule may let authors approve', async () => {
    const { join } = await newTeam(service(), { approvals: 1, authorMayApprove: true });
    const ada = await join('editor');
    const proposal = await propose(ada);
    assert.deepEqual(proposal.myApproval, { given: false, counts: true, reason: null });
    assert.deepEqual(proposalOf(await ada.review(proposal)).myApproval, { given: true, counts: true, reason: null });
  });

  it('viewers, and nobody if no approval is needed or the proposal has ended', async () => {
    const { owner, join } = await newTeam(service());
    const [ada, ben, vi] = [await join('editor'), await join('editor'), await join('viewer')];
    const proposal = await propose(ada);
    assert.equal(await reasonFor(vi, proposal), 'role');
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    const ended = proposalOf(await ben.page('GET', `/api/proposals/${proposal.id}`));
    assert.deepEqual(ended.myApproval, { given: true, counts: false, reason: 'ended' });
    assert.deepEqual([ended.reviews[0]?.current, ended.changes[0]?.approvals.given], [true, 1], 'what was approved was applied');
    assert.equal(await reasonFor(owner, await propose(ada, { label: 'staging' })), 'not_needed');
  });
});

describeOnEveryEngine('PATCH /api/workspace', (service) => {
  it('an event says which rules of labels changed, and no event if none did', async () => {
    const { client, owner, join } = await newTeam(service());
    const ada = await join('viewer');
    for (const change of [{ gatedLabels: ['staging'] }, { dailyBudget: { amount: null } }, { labelRules: {} }, { labelRules: {} }]) {
      await owner.page('PATCH', '/api/workspace', change);
    }
    const events = await service().ctx.store.events.list(client.userId, { after: 0, limit: 100 });
    const changed = events.filter(({ type }) => type === 'rules.changed').map(({ detail }) => JSON.parse(detail) as unknown);
    assert.deepEqual(changed, [{ labels: ['production'] }, { labels: ['staging'] }, { labels: ['production'] }]);
    assertRefused(await ada.api('PATCH', '/api/workspace', { gatedLabels: [] }), 403, 'forbidden');
  });
});

describeOnEveryEngine('Limits of proposals', (service) => {
  it('nobody can fill a proposal so that others cannot approve it', async () => {
    const { join } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const proposal = await propose(ada);
    for (const _ of [1, 2, 3]) await ada.review(proposal);
    const approved = proposalOf(await ben.review(proposal));
    assert.equal(approved.state, 'approved');
    assert.equal(approved.reviews.length, 2, 'one approval of each person');
  });

  it('of ended proposals, the newest of each state remain', async () => {
    const { client, join } = await newTeam(service());
    const ada = await join('editor');
    const { id, changes } = await propose(ada);
    await ada.page('POST', `/api/proposals/${id}/withdraw`);
    const record = await service().ctx.store.proposals.find(client.userId, id);
    assert.ok(record && changes);
    await service().ctx.store.changePrompts(client.userId, async ({ proposals }) => {
      for (let index = 0; index < maxEndedProposals; index += 1) {
        await proposals.insert({ ...record, id: `prop_zzzzzzzz_${String(index).padStart(6, '0')}` });
      }
      await proposals.insert({ ...record, id: 'prop_0', state: 'applied' });
    });
    const kept = await propose(ada);
    assertRefused(await ada.page('GET', `/api/proposals/${id}`), 404, 'proposal_not_found');
    for (const other of ['prop_0', 'prop_zzzzzzzz_000000', kept.id]) {
      assert.equal((await ada.page('GET', `/api/proposals/${other}`)).status, 200, other);
    }
    const { data } = (await ada.api('GET', '/api/proposals?state=ended&limit=1')).body as unknown as ListBody<Proposal>;
    assert.equal(data[0]?.id, 'prop_zzzzzzzz_000999');
  });
});
