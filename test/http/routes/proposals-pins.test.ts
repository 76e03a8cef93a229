import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Proposal } from '../../../src/contract/proposals.ts';
import { type ApiResponse, call } from '../../support/client.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';
import { inWorkspace } from '../../support/workspaces.ts';

const pin = (name: string, version: number) => `{% render "${name}", label: "@${version}" %}`;
const rename = (by: Person, name: string, to: string) => by.api('PATCH', pathOf(name), { name: to });
const textOf = ({ body }: ApiResponse) => (body as { text?: string }).text;

/** Creates a prompt with two versions and without labels. */
async function addPair(client: Client, name: string, texts: [string, string]): Promise<void> {
  await client.create({ name, template: texts[0], labels: [] });
  await client.save(name, { template: texts[1] });
}

describeOnEveryEngine('Included versions of proposed content', (service) => {
  /** Creates a team, its prompt `tone`, which is about to be included, and a prompt with which an attacker wants to replace `tone`. */
  async function newAttack(includes: string) {
    const team = await newTeam(service());
    const [ada, ben] = [await team.join('editor'), await team.join('editor')];
    await addPair(team.client, 'tone', ['kind', 'kinder']);
    await addPair(team.client, 'evil', ['evil', 'more evil']);
    await team.client.save('greet', { template: includes });
    const render = async () => textOf(await team.client.render('greet', {}));
    const approve = async (proposal: Proposal) => assert.equal((await ben.review(proposal)).status, 201);
    const goLive = async () => {
      const proposal = await propose(ada, { version: 3 });
      await approve(proposal);
      assert.equal((await ada.apply(proposal)).status, 200);
    };
    return { ...team, ada, ben, render, approve, goLive };
  }

  it('an approval does not count if another prompt takes the name of an included one', async () => {
    const { ada, approve, render } = await newAttack(pin('tone', 2));
    const proposal = await propose(ada, { version: 3 });
    await approve(proposal);
    await rename(ada, 'tone', 'old-tone');
    assert.equal((await rename(ada, 'evil', 'tone')).status, 200);
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
    assert.equal(await render(), 'one');
    await approve(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
  });

  it('an approval does not count if an included version is saved afterwards', async () => {
    const { client, ada, approve } = await newAttack(pin('tone', 3));
    const proposal = await propose(ada, { version: 3 });
    await approve(proposal);
    await client.save('tone', { template: 'evil' });
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
  });

  it('the same holds for candidates, and for what the included versions include', async () => {
    const { client, ada, ben, approve } = await newAttack('three');
    await client.create({ name: 'mid', template: pin('tone', 3), labels: [] });
    const content = { title: 'Mid', template: pin('mid', 1) };
    const { id } = (await ada.api('POST', pathOf('greet', '/candidates'), content)).body as { id: string };
    const proposal = await propose(ada, { candidate: id });
    await approve(proposal);
    await client.save('tone', { template: 'evil' });
    assertRefused(await ada.apply(proposal), 409, 'proposal_not_approved');
    const { data } = (await ben.page('GET', '/api/proposals?waiting=true')).body as { data: Proposal[] };
    const again = (await ben.page('GET', `/api/proposals/${proposal.id}`)).body as unknown as Proposal;
    assert.deepEqual(
      data.map(({ revision }) => revision),
      [again.revision],
    );
    // An unrelated change does not affect the approval.
    await approve(proposal);
    await client.save('tone', { template: 'four' });
    assert.equal((await ada.apply(proposal)).status, 200);
  });

  it('nobody brings content to the label by a version that an included version includes', async () => {
    const { client, ada, goLive, render } = await newAttack(pin('mid', 1));
    await client.create({ name: 'mid', template: pin('tone', 3), labels: [] });
    await client.save('mid', { template: 'unrelated' });
    await goLive();
    assertRefused(await ada.api('POST', pathOf('tone', '/versions'), { template: 'evil' }), 403, 'forbidden');
    await ada.api('DELETE', pathOf('tone'));
    assertRefused(await rename(ada, 'evil', 'tone'), 403, 'forbidden');
    assert.equal(await render(), undefined);
  });

  it('nobody brings content to the callers of a release by a version that its arms include', async () => {
    const { ada, approve } = await newAttack(pin('tone', 3));
    const proposal = await propose(ada, { release: { control: 1, arms: [{ version: 3, weight: 1000 }] } });
    await approve(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    assertRefused(await ada.api('POST', pathOf('tone', '/versions'), { template: 'evil' }), 403, 'forbidden');
    await ada.api('DELETE', pathOf('greet', '/labels/production/release'));
    assert.equal((await ada.api('POST', pathOf('tone', '/versions'), { template: 'three' })).status, 201);
  });

  it('nobody brings content to the label by a version of the same prompt', async () => {
    const { ada, goLive, render } = await newAttack(pin('greet', 4));
    await goLive();
    assertRefused(await ada.api('POST', pathOf('greet', '/versions'), { template: 'evil' }), 403, 'forbidden');
    assert.notEqual(await render(), 'evil');
  });

  it('an included prompt keeps its name, so that none from the bin takes its place', async () => {
    const { client, owner, ada, goLive, render } = await newAttack(pin('tone', 2));
    await ada.api('DELETE', pathOf('tone'));
    await addPair(client, 'tone', ['kind', 'kindest']);
    await goLive();
    assert.equal(await render(), 'kindest');
    assertRefused(await rename(ada, 'tone', 'old-tone'), 403, 'forbidden');
    // An editor who deleted the prompt by mistake can restore it.
    await ada.api('DELETE', pathOf('tone'));
    assert.equal((await ada.api('POST', pathOf('tone', '/restore'))).status, 200);
    assert.equal(await render(), 'kindest');
    assert.equal((await rename(owner, 'tone', 'old-tone')).status, 200, 'those who may override the rule may do this');
  });

  it('a proposal makes its versions before its labels move, so that one can include another', async () => {
    const { client, ada, approve, render } = await newAttack(pin('tone', 3));
    const { id } = (await ada.api('POST', pathOf('tone', '/candidates'), { title: 'Kindest', template: 'kindest' })).body as { id: string };
    const changes = [
      { prompt: 'greet', label: 'production', version: 3 },
      { prompt: 'tone', label: 'production', candidate: id },
    ];
    const { body } = await ada.api('POST', '/api/proposals', { changes });
    const proposal = body as unknown as Proposal;
    await approve(proposal);
    const applied = await ada.apply(proposal);
    assert.equal(applied.status, 200, applied.text);
    assert.deepEqual((applied.body as unknown as Proposal).result, [
      { prompt: 'greet', label: 'production', version: 3, from: 1 },
      { prompt: 'tone', label: 'production', version: 3 },
    ]);
    assert.equal(await render(), 'kindest');
    assertRefused(await ada.api('POST', pathOf('tone', '/versions'), { template: 'x', labels: ['production'] }), 409, 'approval_required');
    await client.call('DELETE', pathOf('tone'));
  });

  it('an import does not bring content to the label by an included version', async () => {
    const { client, owner, join, ada, goLive, render } = await newAttack(pin('tone', 2));
    const admin = await join('admin');
    const rule = { labelRules: { production: { approvals: 1, override: 'owner' } } };
    assert.equal((await owner.page('PATCH', '/api/workspace', rule)).status, 200);
    await goLive();
    const other = await newClient(service());
    await addPair(other, 'tone', ['evil', 'more evil']);
    const { text } = await other.call('GET', '/api/export');
    await ada.api('DELETE', pathOf('tone'));
    const headers = { ...inWorkspace(client).headers, 'content-type': 'application/x-ndjson' };
    const imported = await call(service(), 'POST', '/api/import', { key: admin.client.token, text, headers });
    assertRefused(imported, 403, 'forbidden');
    assert.equal(await render(), undefined);
  });
});
