import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';

const json = { headers: { accept: 'application/json' } };
const candidates = pathOf('greet', '/candidates');
const check = { kind: 'contains', on: 'prompt', value: 'kind' };

describeOnEveryEngine('Check runs of candidates', (service) => {
  /** Creates a team whose gate requires that the prompt contains "kind", and a candidate that passes. */
  async function newGate() {
    const team = await newTeam(service());
    const [ada, ben] = [await team.join('editor'), await team.join('editor')];
    await team.client.call('POST', pathOf('greet', '/cases'), { name: 'Is kind', checks: [check] });
    await team.owner.page('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    const create = async (template: string, more: object = {}) =>
      ((await ada.api('POST', candidates, { title: 'New', template, ...more })).body as { id: string }).id;
    const run = (subject: object, name = 'greet') => team.client.call('POST', pathOf(name, '/checks'), subject, json);
    const proposeAndReview = async (by: Person, candidate: string) => {
      const proposal = await propose(by, { candidate });
      await ben.review(proposal);
      return proposal;
    };
    return { ...team, ada, ben, create, run, proposeAndReview };
  }

  it('do not open the gate for content that was not checked', async () => {
    const { ada, ben, create, run, proposeAndReview, live } = await newGate();
    const candidate = await create('kind');
    assert.equal((await run({ candidate })).status, 200);
    // The content, the configuration or the syntax differs from what has passed.
    for (const change of [{ template: 'evil' }, { template: 'kind', config: { model: 'x' } }, { template: 'kind', syntax: 'mustache' }]) {
      const other = await create('kind');
      const changed = await ada.api('PUT', `${candidates}/${other}`, { title: 'New', revision: 1, ...change });
      assert.equal(changed.status, 200, changed.text);
      assertRefused(await ben.apply(await proposeAndReview(ada, other)), 409, 'checks_required');
    }
    assert.equal(await live(), 1);
    assert.equal((await ben.apply(await proposeAndReview(ada, candidate))).status, 200);
  });

  it('do not count if the candidate is changed while they run', async () => {
    const { ada, ben, create, run, proposeAndReview, live } = await newGate();
    const candidate = await create('kind');
    const proposal = await proposeAndReview(ada, candidate);
    const [ran, changed] = await Promise.all([
      run({ candidate }),
      ada.api('PUT', `${candidates}/${candidate}`, { title: 'New', revision: 1, template: 'evil' }),
    ]);
    assert.deepEqual([ran.status, changed.status], [200, 200]);
    assertRefused(await ben.apply(proposal), 409, 'proposal_not_approved');
    await ben.review(proposal);
    assertRefused(await ben.apply(proposal), 409, 'checks_required');
    assert.equal(await live(), 1);
  });

  it('of another prompt or workspace do not count, and nobody runs what is not theirs', async () => {
    const { client, ada, ben, create, run, proposeAndReview } = await newGate();
    const other = await newClient(service());
    await other.create({ name: 'greet', template: 'one', labels: [] });
    await other.call('POST', pathOf('greet', '/cases'), { name: 'Is kind', checks: [check] });
    const foreign = ((await other.call('POST', candidates, { title: 'New', template: 'kind' })).body as { id: string }).id;
    assert.equal((await other.call('POST', pathOf('greet', '/checks'), { candidate: foreign }, json)).status, 200);
    const own = await create('kind');
    for (const candidate of [foreign, 'cand_none']) assertRefused(await run({ candidate }), 404, 'candidate_not_found');
    assertRefused(await other.call('POST', pathOf('greet', '/checks'), { candidate: own }, json), 404, 'candidate_not_found');
    assertRefused(await other.call('POST', '/api/render', { name: 'greet', candidate: own, variables: {} }), 404, 'candidate_not_found');
    await client.create({ name: 'other', template: 'one', labels: [] });
    await client.call('POST', pathOf('other', '/cases'), { name: 'Is kind', checks: [check] });
    assertRefused(await run({ candidate: own }, 'other'), 404, 'candidate_not_found');
    const { body } = await client.call('POST', pathOf('other', '/candidates'), { title: 'New', template: 'kind' });
    assert.equal((await run({ candidate: (body as { id: string }).id }, 'other')).status, 200);
    assertRefused(await ben.apply(await proposeAndReview(ada, own)), 409, 'checks_required');
  });

  it('do not count after the test cases changed, and the approvals neither', async () => {
    const { client, ada, ben, create, run, proposeAndReview } = await newGate();
    const candidate = await create('kind');
    assert.equal((await run({ candidate })).status, 200);
    const proposal = await proposeAndReview(ada, candidate);
    await client.call('POST', pathOf('greet', '/cases'), { name: 'Is kind again', checks: [check] });
    assertRefused(await ben.apply(proposal), 409, 'proposal_not_approved');
    await ben.review(proposal);
    assertRefused(await ben.apply(proposal), 409, 'checks_required');
    assert.equal((await run({ candidate })).status, 200);
    assert.equal((await ben.apply(proposal)).status, 200);
  });
});
