import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PromptHarbor } from '../../../client/src/client.ts';
import { ApiError } from '../../../client/src/errors.ts';
import type { HistoryEntry } from '../../../src/contract/history.ts';
import type { Proposal } from '../../../src/contract/proposals.ts';
import type { ApiResponse } from '../../support/client.ts';
import { assertRefused, describeOnEveryEngine, type ListBody, pathOf, type VersionBody } from '../../support/prompts.ts';
import { newTeam, propose } from '../../support/proposals.ts';

const label = '/api/prompts/greet/labels/production';
const proposalOf = ({ body }: ApiResponse) => body as unknown as Proposal;

describeOnEveryEngine('Proposals', (service) => {
  it('move a label after others have approved', async () => {
    const { client, join, live } = await newTeam(service(), { approvals: 2 });
    const [ada, ben, cy] = [await join('editor'), await join('editor'), await join('editor')];
    const proposal = await propose(ada, {}, { message: 'Shorter', reviewers: [ben.userId] });
    assert.deepEqual([proposal.state, proposal.changes[0]?.from, proposal.changes[0]?.approvals], ['open', 1, { required: 2, given: 0 }]);
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
    assert.equal(proposalOf(await ben.review(proposal)).state, 'open');
    const approved = proposalOf(await cy.review(proposal));
    assert.deepEqual([approved.state, approved.changes[0]?.approvals.given], ['approved', 2]);
    assert.equal(await live(), 1, 'an approval alone changes nothing');
    const applied = proposalOf(await ada.apply(proposal));
    assert.deepEqual([applied.state, applied.endedBy?.userId], ['applied', ada.userId]);
    assert.deepEqual(applied.result, [{ prompt: 'greet', label: 'production', version: 2, from: 1 }]);
    assert.equal(await live(), 2);
    assertRefused(await ada.apply(proposal), 409, 'proposal_ended');
    const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
    assert.deepEqual([data[0]?.type, data[0]?.to, data[0]?.by.userId], ['label_moved', 2, ada.userId]);
  });

  it('409: a direct move says what to propose, and the body can be sent as it is', async () => {
    const { join, live } = await newTeam(service());
    const ada = await join('deployer');
    const response = await ada.page('PUT', label, { version: 2 });
    const { proposal } = assertRefused(response, 409, 'approval_required') as unknown as { proposal: object };
    assert.deepEqual(proposal, { changes: [{ prompt: 'greet', label: 'production', version: 2 }] });
    assert.equal((await ada.api('POST', '/api/proposals', proposal)).status, 201);
    assert.equal(await live(), 1);
  });

  it('a release of the label is refused with the proposal of the release, which the client can open', async () => {
    const { client, join } = await newTeam(service());
    const ada = await join('editor');
    const ph = new PromptHarbor({ baseUrl: service().url, apiKey: ada.client.token, workspace: client.userId });
    const release = { control: 1, arms: [{ version: 2, weight: 500 }] };
    const refused = await ph.releases.start('greet', { label: 'production', ...release }).catch((err: unknown) => err);
    assert.ok(refused instanceof ApiError && refused.proposal, String(refused));
    assert.deepEqual(refused.proposal, { changes: [{ prompt: 'greet', label: 'production', release }] });
    const opened = await ph.proposals.open(refused.proposal);
    assert.deepEqual([opened.changes[0]?.release?.arms, opened.myApproval.reason], [release.arms, 'opened']);
  });

  it('a label returns to every version that was live, at once and by everyone', async () => {
    const { owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const proposal = await propose(ada);
    await ben.review(proposal);
    await ada.apply(proposal);
    for (const version of [1, 2, 1]) {
      assert.equal((await ada.api('PUT', label, { version })).status, 200);
      assert.equal(await live(), version);
    }
    await owner.client.save('greet', { template: 'three' });
    assertRefused(await ada.api('PUT', label, { version: 3 }), 409, 'approval_required');
  });

  it('the approvals of those who wrote the content or opened the proposal do not count, unless the rule allows it', async () => {
    const { owner, join } = await newTeam(service());
    const ada = await join('editor');
    const proposal = await propose(ada);
    assert.equal(proposalOf(await owner.review(proposal)).changes[0]?.approvals.given, 0, 'the owner wrote version 2');
    assert.equal(proposalOf(await ada.review(proposal)).changes[0]?.approvals.given, 0);
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
    await owner.page('PATCH', '/api/workspace', { labelRules: { production: { approvals: 1, authorMayApprove: true } } });
    assert.equal((await ada.apply(proposal)).status, 200);
  });

  it('keys propose, but neither approve nor decline, and apply only if the rule allows it', async () => {
    const { owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const proposal = await propose(ada);
    const reviews = `/api/proposals/${proposal.id}/reviews`;
    const { revision } = proposal;
    for (const verdict of ['approve', 'decline']) assertRefused(await ben.api('POST', reviews, { verdict, revision }), 403, 'forbidden');
    await ben.review(proposal);
    assertRefused(await ada.api('POST', `/api/proposals/${proposal.id}/apply`, { revision }), 403, 'forbidden');
    assert.equal(await live(), 1);
    await owner.page('PATCH', '/api/workspace', { labelRules: { production: { approvals: 1, keysMayApply: true } } });
    assert.equal((await ada.api('POST', `/api/proposals/${proposal.id}/apply`, { revision })).status, 200);
  });

  it('an approval counts only for what was approved', async () => {
    const { client, owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const path = pathOf('greet', '/candidates');
    const candidate = (await ada.api('POST', path, { title: 'Kinder', template: 'harmless' })).body as { id: string };
    const proposal = await propose(ada, { candidate: candidate.id });
    assert.equal(proposalOf(await ben.review(proposal)).state, 'approved');
    const { body } = await ada.page('GET', `/api/proposals/${proposal.id}`);
    await ada.api('PUT', `${path}/${candidate.id}`, { title: 'Kinder', template: 'evil', revision: 1 });
    const stale = (await ada.page('GET', `/api/proposals/${proposal.id}`)).body as unknown as Proposal;
    assert.deepEqual([stale.state, stale.reviews[0]?.current], ['stale', false]);
    assert.notEqual(stale.revision, (body as { revision: string }).revision);
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
    const old = { verdict: 'approve', revision: (body as { revision: string }).revision };
    assertRefused(await ben.page('POST', `/api/proposals/${proposal.id}/reviews`, old), 409, 'proposal_changed');
    assert.equal(await live(), 1);
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    const { version, template, by } = await client.get<VersionBody>(pathOf('greet'));
    assert.deepEqual([version, template, by.userId], [3, 'evil', ada.userId]);

    const next = await propose(ada, { version: 2 });
    await owner.review(next);
    await ben.review(next);
    await ada.api('PUT', label, { version: 1 });
    assertRefused(await ada.apply(next), 409, 'proposal_not_approved');
    assert.equal(await live(), 1, 'the label has moved since the approval');
  });

  it('an approval counts only as long as the reviewer has the role', async () => {
    const { owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const proposal = await propose(ada);
    await ben.review(proposal);
    await owner.page('PATCH', `/api/members/${ben.userId}`, { role: 'viewer' });
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
    assert.equal(await live(), 1);
  });

  it('only those who may move a protected label approve, decline or apply', async () => {
    const { owner, join, live } = await newTeam(service());
    const [ada, ben, dee] = [await join('editor'), await join('editor'), await join('deployer')];
    await owner.page('PATCH', '/api/workspace', { protectedLabels: ['production'] });
    // An editor may propose to move the label, but not move it.
    const moved = await ada.api('PUT', label, { version: 2 });
    assertRefused(moved, 409, 'approval_required');
    assert.deepEqual((moved.body as { proposal?: { changes: unknown } }).proposal?.changes, [
      { prompt: 'greet', label: 'production', version: 2 },
    ]);
    assertRefused(await ada.api('PUT', label, { version: 2, override: 'Hotfix' }), 403, 'forbidden');
    const proposal = await propose(ada);
    for (const verdict of ['approve', 'decline']) assertRefused(await ben.review(proposal, verdict), 403, 'forbidden');
    await dee.review(proposal);
    assertRefused(await ada.apply(proposal), 403, 'forbidden');
    assert.equal(await live(), 1);
    assert.equal((await dee.apply(proposal)).status, 200);
  });

  it('no other way brings content to the label', async () => {
    const { client, owner, join, live } = await newTeam(service(), { approvals: 1, override: 'owner' });
    const ada = await join('admin');
    await client.create({ name: 'other', template: 'evil', labels: [] });
    const refused: [string, string, unknown, number, string][] = [
      ['PUT', label, { version: 2 }, 409, 'approval_required'],
      ['PUT', label, { version: 2, override: 'Hotfix' }, 403, 'forbidden'],
      ['POST', pathOf('greet', '/versions'), { template: 'evil', labels: ['production'] }, 409, 'approval_required'],
      ['POST', '/api/prompts', { name: 'new', template: 'evil', labels: ['production'] }, 409, 'approval_required'],
      ['POST', '/api/prompts/batch', { items: [{ name: 'greet', template: 'evil', labels: ['production'] }] }, 409, 'approval_required'],
      ['PUT', pathOf('greet', '/labels/production/release'), { control: 1, arms: [{ version: 2, weight: 1 }] }, 409, 'approval_required'],
      ['PUT', pathOf('greet', '/labels/production/release'), { control: 2, arms: [{ version: 1, weight: 1 }] }, 409, 'approval_required'],
      ['PATCH', pathOf('greet'), { name: 'renamed' }, 403, 'forbidden'],
      ['PATCH', '/api/workspace', { labelRules: {} }, 403, 'forbidden'],
      ['PATCH', '/api/workspace', { labelRules: { production: { approvals: 0, override: 'owner' } } }, 403, 'forbidden'],
      ['POST', '/api/public/v2/prompts', { name: 'greet', type: 'text', prompt: 'evil', labels: ['production'] }, 409, ''],
      ['PATCH', '/api/public/v2/prompts/greet/versions/2', { newLabels: ['production'] }, 409, ''],
    ];
    for (const [method, path, body, status, code] of refused) {
      for (const send of [ada.api, ada.page]) {
        if (path.startsWith('/api/public') && send === ada.page) continue;
        const response = await send(method, path, body);
        if (code === '') assert.equal(response.status, status, response.text);
        else assertRefused(response, status, code);
        assert.equal(await live(), 1, `${method} ${path}`);
      }
    }
    // Nobody can avoid the rule by removing the label, or by renaming a prompt that was once live under another name.
    await owner.page('DELETE', label);
    assertRefused(await ada.api('PUT', label, { version: 2 }), 409, 'approval_required');
    await ada.api('PATCH', pathOf('greet'), { name: 'renamed' });
    assertRefused(await ada.api('PUT', '/api/prompts/renamed/labels/production', { version: 1 }), 409, 'approval_required');
  });

  it('those who may override give a reason, which the history shows', async () => {
    const { client, join, live } = await newTeam(service());
    const [ada, ben] = [await join('admin'), await join('deployer')];
    assertRefused(await ben.api('PUT', label, { version: 2, override: 'Hotfix' }), 403, 'forbidden');
    assert.equal((await ada.api('PUT', label, { version: 2, override: 'Hotfix' })).status, 200);
    assert.equal(await live(), 2);
    const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history'));
    assert.deepEqual([data[0]?.override, data[0]?.overridden], ['Hotfix', ['approval']]);
  });

  it('move several labels together, or none', async () => {
    const { client, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    await client.create({ name: 'tone', template: 'kind', labels: [] });
    const { body } = await ada.api('POST', pathOf('tone', '/candidates'), { title: 'Kinder', template: 'very kind' });
    const changes = [
      { prompt: 'greet', label: 'production', version: 2 },
      { prompt: 'tone', label: 'production', candidate: (body as { id: string }).id },
    ];
    const proposal = (await ada.api('POST', '/api/proposals', { changes })).body as unknown as Proposal;
    await ben.review(proposal);
    await client.save('tone', { template: 'rude' });
    assertRefused(await ada.apply(proposal), 409, 'version_conflict');
    assert.equal(await live(), 1, 'the first change was not made either');
    const change = { title: 'Kinder', template: 'very kind', revision: 1, baseVersion: 2 };
    await ada.api('PUT', `${pathOf('tone', '/candidates')}/${(body as { id: string }).id}`, change);
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    assert.equal(await live(), 2);
    assert.equal(await live('tone'), 3);
  });

  it('start releases', async () => {
    const { client, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const release = { control: 1, arms: [{ version: 2, weight: 500 }] };
    const proposal = await propose(ada, { release });
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    const started = await client.get<{ state: string; arms: unknown }>(pathOf('greet', '/labels/production/release'));
    assert.deepEqual([started.state, started.arms, await live()], ['running', release.arms, 1]);
    const finish = await ada.api('POST', pathOf('greet', '/labels/production/release/finish'), { version: 2 });
    assert.equal(finish.status, 200, 'the arm was approved');
    assert.equal(await live(), 2);
  });

  it('a candidate that has passed its checks opens the gate for its version', async () => {
    const { client, owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const check = { kind: 'contains', on: 'prompt', value: 'kind' };
    await client.call('POST', pathOf('greet', '/cases'), { name: 'Is kind', checks: [check] });
    await owner.page('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    const { body } = await ada.api('POST', pathOf('greet', '/candidates'), { title: 'Kinder', template: 'kind' });
    const candidate = (body as { id: string }).id;
    const proposal = await propose(ada, { candidate });
    await ben.review(proposal);
    assertRefused(await ada.apply(proposal), 409, 'checks_required');
    const json = { headers: { accept: 'application/json' } };
    const run = await client.call('POST', pathOf('greet', '/checks'), { candidate }, json);
    const { version, passed } = run.body as { version: null; passed: number };
    assert.deepEqual([run.status, version, passed], [200, null, 1]);
    assert.equal((await ada.apply(proposal)).status, 200);
    assert.equal(await live(), 3);
    const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history?limit=2'));
    assert.deepEqual(
      data.map(({ type, proposal }) => [type, proposal?.id]),
      [
        ['label_moved', proposal.id],
        ['version_saved', proposal.id],
      ],
    );
  });

  it('an override says whether it left out the approval, the checks, or both', async () => {
    const { client, owner, live } = await newTeam(service());
    const check = { kind: 'contains', on: 'prompt', value: 'kind' };
    await client.call('POST', pathOf('greet', '/cases'), { name: 'Is kind', checks: [check] });
    await owner.page('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    const move = async (version: number) => {
      assert.equal((await owner.api('PUT', label, { version, override: 'Hotfix' })).status, 200);
      const { data } = await client.get<ListBody<HistoryEntry>>(pathOf('greet', '/history?limit=1'));
      return data[0]?.overridden;
    };
    assert.deepEqual(await move(2), ['approval', 'checks']);
    await client.save('greet', { template: 'three' });
    await owner.page('PATCH', '/api/workspace', { labelRules: {} });
    assert.deepEqual(await move(3), ['checks']);
    await owner.page('PATCH', '/api/workspace', { labelRules: { production: { approvals: 1 } } });
    assert.equal(await move(1), undefined, 'it was live before the rules');
    assert.deepEqual(await move(2), ['approval', 'checks'], 'the earlier override is repeated');
    assert.equal(await live(), 2);
  });

  it('end when they are declined or withdrawn', async () => {
    const { join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const declined = await propose(ada);
    assert.equal(proposalOf(await ben.review(declined, 'decline')).state, 'declined');
    const withdrawn = await propose(ada);
    assert.equal(proposalOf(await ada.page('POST', `/api/proposals/${withdrawn.id}/withdraw`)).state, 'withdrawn');
    for (const proposal of [declined, withdrawn]) {
      assertRefused(await ben.review(proposal), 409, 'proposal_ended');
      assertRefused(await ada.apply(proposal), 409, 'proposal_ended');
    }
    assert.equal(await live(), 1);
    const { data } = (await ada.api('GET', '/api/proposals?state=ended')).body as unknown as ListBody<Proposal>;
    assert.deepEqual(
      data.map(({ id }) => id),
      [withdrawn.id, declined.id],
    );
  });

  it('are listed for each person whose action they wait for', async () => {
    const { owner, join } = await newTeam(service());
    const [ada, ben, vi] = [await join('editor'), await join('editor'), await join('viewer')];
    const proposal = await propose(ada);
    const waiting = async (person: typeof ada) =>
      ((await person.api('GET', '/api/proposals?waiting=true')).body as unknown as ListBody<Proposal>).data.map(({ id }) => id);
    assert.deepEqual([await waiting(ada), await waiting(ben), await waiting(vi), await waiting(owner)], [[], [proposal.id], [], []]);
    await ben.review(proposal);
    assert.deepEqual(await waiting(ben), []);
  });

  it('400, 403 and 404: refuses invalid proposals, callers without the role, and what does not exist', async () => {
    const { owner, join } = await newTeam(service());
    const [ada, vi] = [await join('editor'), await join('viewer')];
    const send = (change: object, more: object = {}) =>
      ada.api('POST', '/api/proposals', { changes: [{ prompt: 'greet', label: 'production', ...change }], ...more });
    assertRefused(await send({}), 400, 'invalid_input', '/changes/0');
    assertRefused(await send({ version: 1, candidate: 'x' }), 400, 'invalid_input', '/changes/0');
    assertRefused(await send({ version: 9 }), 404, 'version_not_found');
    assertRefused(await send({ candidate: 'cand_none' }), 404, 'candidate_not_found');
    assertRefused(await send({ version: 1, label: 'latest' }), 400, 'invalid_input', '/changes/0/label');
    assertRefused(await send({ version: 1, prompt: 'none' }), 404, 'prompt_not_found');
    assertRefused(await send({ version: 2 }, { reviewers: ['u_nobody'] }), 400, 'invalid_input', '/reviewers/0');
    const twice = [{ prompt: 'greet', label: 'production', version: 2 }];
    assertRefused(await ada.api('POST', '/api/proposals', { changes: [...twice, ...twice] }), 400, 'invalid_input', '/changes/1/label');
    assertRefused(await vi.api('POST', '/api/proposals', { changes: twice }), 403, 'forbidden');
    assertRefused(await ada.api('GET', '/api/proposals/prop_none'), 404, 'proposal_not_found');
    const proposal = await propose(ada);
    const { client: stranger } = await newTeam(service());
    assertRefused(await stranger.call('GET', `/api/proposals/${proposal.id}`), 404, 'proposal_not_found');
    assertRefused(
      await owner.page('PATCH', '/api/workspace', { labelRules: { production: { approvals: 6 } } }),
      400,
      'invalid_input',
      '/labelRules/production/approvals',
    );
  });
});
