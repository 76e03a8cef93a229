import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Proposal } from '../../../src/contract/proposals.ts';
import type { ApiResponse } from '../../support/client.ts';
import { assertRefused, describeOnEveryEngine, type ListBody, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';

const label = '/api/prompts/greet/labels/production';
const release = pathOf('greet', '/labels/production/release');
const proposalOf = ({ body }: ApiResponse) => body as unknown as Proposal;
const given = (response: ApiResponse) => proposalOf(response).changes[0]?.approvals.given;
const noRules = { labelRules: {} };
const oneApproval = { labelRules: { production: { approvals: 1 } } };

async function send(person: Person, method: string, path: string, body?: unknown): Promise<ApiResponse> {
  const response = await person.api(method, path, body);
  assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
  return response;
}

describeOnEveryEngine('Proposals under attack', (service) => {
  it('an approval does not count for a prompt that has another name since then', async () => {
    const { client, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    await client.create({ name: 'playground', template: 'evil', labels: [] });
    const proposal = await propose(ada, { prompt: 'playground', version: 1 });
    assert.equal(proposalOf(await ben.review(proposal)).state, 'approved');
    await send(ada, 'DELETE', pathOf('greet'));
    await send(ada, 'PATCH', pathOf('playground'), { name: 'greet' });
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
    assert.equal(await live(), undefined);
    const { revision } = proposal;
    assertRefused(await ada.page('POST', `/api/proposals/${proposal.id}/apply`, { revision }), 409, 'proposal_changed');
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
  });

  it('who wrote the control of a release does not approve it, unless the control is live already', async () => {
    const { owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    await send(ben, 'POST', pathOf('greet', '/versions'), { template: 'three' });
    // The owner wrote versions 1 and 2, and version 1 is live.
    const swapped = await propose(ada, { release: { control: 2, arms: [{ version: 3, weight: 0 }] } });
    assert.equal(given(await owner.review(swapped)), 0);
    assertRefused(await ada.apply(swapped), 409, 'proposal_not_approved');
    assert.equal(await live(), 1);
    const usual = await propose(ada, { release: { control: 1, arms: [{ version: 3, weight: 0 }] } });
    assert.equal(given(await owner.review(usual)), 1);
  });

  it('a release that was proposed when the label had no rule finishes only with approvals', async () => {
    const { owner, join, live } = await newTeam(service());
    const ada = await join('editor');
    await owner.page('PATCH', '/api/workspace', noRules);
    const proposal = await propose(ada, { release: { control: 1, arms: [{ version: 2, weight: 0 }] } });
    assert.equal((await ada.apply(proposal)).status, 200);
    await owner.page('PATCH', '/api/workspace', oneApproval);
    assertRefused(await ada.api('POST', `${release}/finish`, { version: 2 }), 409, 'approval_required');
    assertRefused(await ada.api('PATCH', release, { arms: [{ version: 2, weight: 1000 }] }), 409, 'approval_required');
    assert.equal(await live(), 1);
    assert.equal((await ada.api('DELETE', release)).status, 204, 'a rollback never waits');
  });

  it('a release that was started when the label had no rule does not become wider without approvals', async () => {
    const { owner, join } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('admin')];
    await owner.page('PATCH', '/api/workspace', noRules);
    await send(ada, 'PUT', release, { control: 1, arms: [{ version: 2, weight: 0 }] });
    await owner.page('PATCH', '/api/workspace', oneApproval);
    const wider = { arms: [{ version: 2, weight: 1000 }] };
    assertRefused(await ada.api('PATCH', release, wider), 409, 'approval_required');
    await send(ada, 'PATCH', release, { state: 'paused' });
    await send(ada, 'PATCH', release, { state: 'running' });
    await send(ada, 'DELETE', release);
    // Releases that were started with an override or an approval may become wider.
    await send(ben, 'PUT', release, { control: 1, arms: [{ version: 2, weight: 0 }], override: 'Hotfix' });
    await send(ada, 'PATCH', release, wider);
    await send(ada, 'DELETE', release);
    const proposal = await propose(ada, { release: { control: 1, arms: [{ version: 2, weight: 0 }] } });
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    await send(ada, 'PATCH', release, wider);
  });

  it('nobody can delay a rollback with a long history', async () => {
    const { client, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const proposal = await propose(ada);
    await ben.review(proposal);
    await ada.apply(proposal);
    const { id: promptId } = (await client.get<ListBody>('/api/prompts')).data[0] ?? { id: '' };
    await service().ctx.store.changePrompts(client.userId, async ({ history }) => {
      const by = { userId: ada.userId, name: 'Ada', via: 'api' } as const;
      for (let index = 0; index < 2500; index += 1) {
        const id = `e_zzzzzzz${String(index).padStart(6, '0')}`;
        history.add(client.userId, promptId, { id, type: 'described', detail: '{}', by, at: new Date().toISOString() });
      }
    });
    await send(ada, 'PUT', label, { version: 1 });
    assert.equal(await live(), 1);
  });

  it('a prompt that takes the place of an included one does not bring its content to the label', async () => {
    const { client, owner, join } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    await client.create({ name: 'tone', template: 'kind', labels: [] });
    await client.save('tone', { template: 'kinder' });
    await client.save('greet', { template: '{% render "tone", label: "@2" %}' });
    const proposal = await propose(ada, { version: 3 });
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    const render = async () => ((await client.render('greet', {})).body as { text?: string }).text;
    assert.equal(await render(), 'kinder');
    await client.create({ name: 'evil', template: 'evil', labels: [] });
    await client.save('evil', { template: 'more evil' });
    await send(ada, 'DELETE', pathOf('tone'));
    assertRefused(await ada.api('PATCH', pathOf('evil'), { name: 'tone' }), 403, 'forbidden');
    const copy = { name: 'tone', workspace: client.userId };
    assertRefused(await ada.api('POST', pathOf('evil', '/copy'), copy), 403, 'forbidden');
    await send(ada, 'POST', '/api/prompts', { name: 'tone', template: 'evil', labels: [] });
    const more = { template: 'more evil' };
    assertRefused(await ada.api('POST', pathOf('tone', '/versions'), more), 403, 'forbidden');
    assertRefused(await ada.api('POST', '/api/prompts/batch', { items: [{ name: 'tone', ...more }] }), 403, 'forbidden');
    assert.equal(await render(), undefined);
    await send(ada, 'DELETE', pathOf('tone'));
    await send(owner, 'PATCH', pathOf('evil'), { name: 'tone' });
    assert.equal(await render(), 'more evil', 'those who may override the rule may do this');
  });

  it('the proposal names what its content includes at labels without a rule, and nothing else', async () => {
    const { client, join } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    await client.create({ name: 'voice', template: 'v', labels: [] });
    await client.create({ name: 'tone', template: '{% render "voice", label: "latest" %}', labels: ['staging'] });
    const includes = ['{% render "tone", label: "staging" %}', '{% render "tone", label: "@1" %}', '{% render "greet" %}'];
    await client.create({ name: 'page', template: includes.join(''), labels: [] });
    const { id, changes } = await propose(ada, { prompt: 'page', version: 1 });
    const load = async () => proposalOf(await ben.page('GET', `/api/proposals/${id}`)).changes[0]?.unruledIncludes;
    assert.deepEqual(await load(), [
      { prompt: 'tone', label: 'staging' },
      { prompt: 'voice', label: 'latest' },
    ]);
    assert.equal(changes[0]?.unruledIncludes, undefined);
    const { id: simple } = await propose(ada);
    assert.equal(proposalOf(await ben.page('GET', `/api/proposals/${simple}`)).changes[0]?.unruledIncludes, undefined);
    // The proposal also names an include that comes after many harmless ones.
    const many = Array.from({ length: 60 }, (_, index) => `{% render "many/${index}", label: "staging" %}`);
    await client.save('page', { template: `${many.join('')}{% render "tone", label: "staging" %}` });
    const { id: last } = await propose(ada, { prompt: 'page', version: 2 });
    const listed = proposalOf(await ben.page('GET', `/api/proposals/${last}`)).changes[0]?.unruledIncludes ?? [];
    assert.ok(listed.some(({ prompt }) => prompt === 'tone'));
  });

  it('400: one label of a prompt twice, under two spellings of its name', async () => {
    const { join } = await newTeam(service());
    const ada = await join('editor');
    const changes = ['greet', '/greet', 'greet/', ' greet'].map((prompt) => ({ prompt, label: 'production', version: 2 }));
    for (const other of changes.slice(1)) {
      const response = await ada.api('POST', '/api/proposals', { changes: [changes[0], other] });
      assert.ok(response.status === 400 || response.status === 404, response.text);
    }
  });

  it('4xx for texts and times that cannot be stored', async () => {
    const { join } = await newTeam(service());
    const ada = await join('editor');
    const proposal = await propose(ada);
    const reviews = `/api/proposals/${proposal.id}/reviews`;
    const changes = [{ prompt: 'greet', label: 'production', version: 2 }];
    const requests: [string, string, unknown][] = [
      ...['\u0000', '\ud800', 'a\u0000'].map((revision): [string, string, unknown] => [
        'POST',
        reviews,
        { verdict: 'approve', text: 'Fine', revision },
      ]),
      ['POST', reviews, { verdict: 'approve', text: '\u0000', revision: proposal.revision }],
      ...['2026-02-30T00:00:00Z', '2026-12-31T23:59:60Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:00', '2026-11-19t10:00:00z'].map(
        (applyAt): [string, string, unknown] => ['POST', '/api/proposals', { changes, applyAt }],
      ),
      ['POST', '/api/proposals', { changes, reviewers: ['\u0000'] }],
      ['POST', '/api/proposals', { changes: [{ prompt: '\u0000', label: 'production', version: 2 }] }],
      ['POST', '/api/proposals', { changes: [{ prompt: 'greet', label: 'production', candidate: '\u0000' }] }],
      ['POST', '/api/proposals', { changes: [{ prompt: 'greet', label: 'production', version: 2 ** 40 }] }],
      ['GET', '/api/proposals/%00', undefined],
      ['GET', '/api/proposals?prompt=%00', undefined],
      ['GET', `/api/proposals?cursor=${Buffer.from('["proposals","\\u0000"]').toString('base64url')}`, undefined],
      ['GET', '/api/proposals?state=open&waiting=true&limit=1', undefined],
      ['PUT', pathOf('greet', '/candidates/%00'), { title: 'x', template: 'x', revision: 1 }],
      ['POST', pathOf('greet', '/candidates'), { title: '\u0000', template: 'x' }],
      ['POST', pathOf('greet', '/candidates'), { title: 'x', template: 'x', baseVersion: 2 ** 31 - 1 }],
    ];
    for (const [method, path, body] of requests) {
      const { status, text } = await ada.api(method, path, body);
      assert.ok(status < 500, `${method} ${path} ${JSON.stringify(body)}: ${text}`);
    }
  });
});
