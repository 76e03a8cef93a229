import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toKeyActor } from '../../../src/domain/actor.ts';
import { publishCopy } from '../../../src/domain/copies/publish-copy.ts';
import { stageCopy } from '../../../src/domain/copies/stage-copy.ts';
import type { ApiResponse } from '../../support/client.ts';
import { assertRefused, describeOnEveryEngine, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';

const label = pathOf('greet', '/labels/production');
const rollBack = (by: Person) => by.api('PUT', label, { version: 3 });

async function send(person: Person, method: string, path: string, body?: unknown): Promise<ApiResponse> {
  const response = await person.api(method, path, body);
  assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
  return response;
}

describeOnEveryEngine('A rollback to a version that includes others by their numbers', (service) => {
  /** Creates a team whose version 3 of `greet` was live and includes version 2 of `tone`. The label has since moved to version 2. */
  async function newAttack(include = '{% render "tone", label: "@2" %}') {
    const team = await newTeam(service());
    const { client } = team;
    const [ada, ben] = [await team.join('editor'), await team.join('editor')];
    for (const [name, text] of [
      ['tone', 'kind'],
      ['evil', 'evil'],
    ] as const) {
      await client.create({ name, template: text, labels: [] });
      await client.save(name, { template: `more ${text}` });
    }
    await client.save('greet', { template: include });
    for (const version of [3, 2]) {
      const proposal = await propose(ada, { version });
      await ben.review(proposal);
      assert.equal((await ada.apply(proposal)).status, 200);
    }
    const render = async () => ((await client.render('greet', {})).body as { text?: string }).text;
    return { ...team, ada, ben, render };
  }

  it('needs no approval if the included versions are the same as before', async () => {
    const { ada, render } = await newAttack();
    await send(ada, 'POST', pathOf('tone', '/versions'), { template: 'kindest' });
    await send(ada, 'PATCH', pathOf('evil'), { name: 'other' });
    await rollBack(ada);
    assert.equal(await render(), 'more kind');
  });

  it('needs an approval if another prompt has taken the name of an included one', async () => {
    const { ada, ben, render } = await newAttack();
    await send(ada, 'DELETE', pathOf('tone'));
    await send(ada, 'PATCH', pathOf('evil'), { name: 'tone' });
    assertRefused(await rollBack(ada), 409, 'approval_required');
    const release = pathOf('greet', '/labels/production/release');
    assertRefused(await ada.api('PUT', release, { control: 2, arms: [{ version: 3, weight: 1000 }] }), 409, 'approval_required');
    assert.equal(await render(), 'two');
    const proposal = await propose(ada, { version: 3 });
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    assert.equal(await render(), 'more evil');
  });

  it('needs an approval if an included prompt was created again, copied, or restored over another one', async () => {
    const { client, ada, render } = await newAttack();
    await send(ada, 'DELETE', pathOf('tone'));
    await send(ada, 'POST', pathOf('evil', '/copy'), { name: 'tone', workspace: client.userId });
    assertRefused(await rollBack(ada), 409, 'approval_required');
    await send(ada, 'DELETE', pathOf('tone'));
    await send(ada, 'POST', '/api/prompts', { name: 'tone', template: 'evil', labels: [] });
    await send(ada, 'POST', pathOf('tone', '/versions'), { template: 'more evil' });
    assertRefused(await rollBack(ada), 409, 'approval_required');
    assert.equal(await render(), 'two');
  });

  it('needs an approval if a copy was begun before the version was live, and took the name of an included prompt afterwards', async () => {
    const { client, ada, ben, render } = await newAttack();
    const { ctx } = service();
    const actor = toKeyActor((await ctx.store.keys.findAccount(client.token)) ?? assert.fail(), client.token);
    const source = (await ctx.store.prompts.find(client.userId, 'evil')) ?? assert.fail();
    const copy = { source, actor, target: actor, name: 'tone', isMove: false };
    const staged = await stageCopy(ctx, copy);
    for (const version of [3, 2]) {
      const proposal = await propose(ada, { version });
      await ben.review(proposal);
      await ada.apply(proposal);
    }
    await rollBack(ada);
    await send(ada, 'PUT', label, { version: 2 });
    await send(ada, 'DELETE', pathOf('tone'));
    assert.ok(await publishCopy(ctx, copy, { staged, warnings: [], check: () => undefined }));
    assertRefused(await rollBack(ada), 409, 'approval_required');
    assert.equal(await render(), 'two');
  });

  it('needs an approval if an included version was saved in the meantime, even if it is included indirectly', async () => {
    const { ada, render } = await newAttack('{% render "tone", label: "@3" %}');
    await send(ada, 'POST', pathOf('tone', '/versions'), { template: 'evil' });
    assertRefused(await rollBack(ada), 409, 'approval_required');
    assert.equal(await render(), 'two');
    const more = await newAttack('{% render "mid", label: "@1" %}');
    await send(more.ada, 'POST', '/api/prompts', { name: 'mid', template: '{% render "tone", label: "@2" %}', labels: [] });
    assertRefused(await rollBack(more.ada), 409, 'approval_required');
  });

  it('also needs an approval if the label was removed in between', async () => {
    const { ada, ben, render } = await newAttack();
    await rollBack(ada);
    assert.equal(await render(), 'more kind');
    await send(ada, 'DELETE', label);
    await send(ada, 'DELETE', pathOf('tone'));
    await send(ada, 'PATCH', pathOf('evil'), { name: 'tone' });
    assertRefused(await rollBack(ada), 409, 'approval_required');
    const proposal = await propose(ada, { version: 3 });
    await ben.review(proposal);
    assert.equal((await ada.apply(proposal)).status, 200);
    assert.equal(await render(), 'more evil');
  });

  it('a restore needs no approval, because nobody can change what a prompt in the bin includes', async () => {
    const { ada, owner, render } = await newAttack();
    await rollBack(ada);
    await send(ada, 'DELETE', pathOf('greet'));
    await send(ada, 'POST', pathOf('greet', '/restore'));
    assert.equal(await render(), 'more kind');
    await send(ada, 'DELETE', pathOf('greet'));
    await send(ada, 'DELETE', pathOf('tone'));
    assertRefused(await ada.api('PATCH', pathOf('evil'), { name: 'tone' }), 403, 'forbidden');
    await send(ada, 'POST', '/api/prompts', { name: 'tone', template: 'evil', labels: [] });
    assertRefused(await ada.api('POST', pathOf('tone', '/versions'), { template: 'more evil' }), 403, 'forbidden');
    await send(ada, 'POST', pathOf('greet', '/restore'));
    assert.equal(await render(), undefined);
    await send(owner, 'POST', pathOf('tone', '/versions'), { template: 'seen' });
    assert.equal(await render(), 'seen', 'those who may override the rule may do this');
  });
});
