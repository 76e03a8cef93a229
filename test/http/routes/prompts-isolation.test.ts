import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { call } from '../../support/client.ts';
import { type Client, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';

/** All endpoints of a prompt. */
const endpoints: [method: string, rest: string, body?: unknown][] = [
  ['GET', ''],
  ['GET', '?label=staging'],
  ['GET', '?version=2'],
  ['PATCH', '', { description: 'Mine now' }],
  ['PATCH', '', { name: 'stolen' }],
  ['DELETE', ''],
  ['POST', '/restore'],
  ['GET', '/versions'],
  ['POST', '/versions', { template: 'Mine now' }],
  ['GET', '/versions/1'],
  ['PUT', '/labels/production', { version: 1 }],
  ['DELETE', '/labels/staging'],
  ['GET', '/history'],
  ['GET', '/dependents'],
  ['GET', '/diff?from=1&to=2'],
  ['POST', '/render', {}],
];

describeOnEveryEngine('ASVS 8.2.2, 8.4.1: another account’s prompts', (service) => {
  let owner: Client;
  let stranger: Client;
  before(async () => {
    owner = await newClient(service());
    stranger = await newClient(service());
    await owner.create({ name: 'secret/plan', template: 'one', tags: ['private'] });
    await owner.save('secret/plan', { template: 'two', labels: ['staging'] });
    await owner.create({ name: 'binned', template: 'x' });
    await owner.call('DELETE', pathOf('binned'));
  });

  it('404: every endpoint responds exactly as for a name that never existed, and changes nothing', async () => {
    const state = () =>
      Promise.all(['/api/prompts', '/api/prompts?deleted=true', pathOf('secret/plan', '/history')].map((path) => owner.get(path)));
    const before = await state();
    for (const [method, rest, body] of endpoints) {
      for (const name of ['secret/plan', 'binned']) {
        const asked = await stranger.call(method, pathOf(name, rest), body);
        const never = await stranger.call(method, pathOf('never/was', rest), body);
        assert.deepEqual([asked.status, asked.text], [404, never.text], `${method} ${name}${rest}`);
        assert.match(asked.text, /"prompt_not_found"/);
      }
    }
    assert.deepEqual(await state(), before);
  });

  it('401: every endpoint, without a key, with exactly the specified body', async () => {
    for (const [method, rest, body] of [...endpoints, ['GET', '/../prompts'] as const]) {
      const response = await call(service(), method, pathOf('secret/plan', rest), body === undefined ? {} : { body });
      assert.deepEqual([response.status, response.text], [401, '{"error":"Unauthorized"}'], `${method} ${rest}`);
    }
  });

  it('200: no list shows them, with any query, nor with the ETag of the owner’s response', async () => {
    const etag = (await owner.call('GET', '/api/prompts')).headers.get('etag') ?? '';
    for (const query of [
      '',
      '?include=content',
      '?include=usage',
      '?search=plan',
      '?tag=private',
      '?folder=secret',
      '?label=staging',
      '?name=secret%2Fplan',
      '?deleted=true',
      '?sort=-updatedAt',
    ]) {
      await owner.call('GET', `/api/prompts${query}`);
      const response = await stranger.call('GET', `/api/prompts${query}`, undefined, { headers: { 'if-none-match': etag } });
      assert.deepEqual([response.status, response.body], [200, { data: [], nextCursor: null }], query);
    }
  });

  it('200: with another account’s cursor a list shows only its own prompts', async () => {
    await stranger.create({ name: 'zz', template: 'x' });
    const { nextCursor } = await owner.get<ListBody>('/api/prompts?limit=1').then(async (page) => {
      await owner.create({ name: 'aa', template: 'x' });
      return page.nextCursor === null ? owner.get<ListBody>('/api/prompts?limit=1') : page;
    });
    const page = await stranger.get<ListBody>(`/api/prompts?cursor=${nextCursor}`);
    assert.deepEqual(
      page.data.map(({ name }) => name),
      ['zz'],
    );
  });

  it('422: a template cannot include them', async () => {
    const { warnings } = await stranger.create({ name: 'thief', template: "{% render 'secret/plan' %}" });
    assert.equal(warnings?.[0]?.code, 'unknown_partial');
    const rendered = await stranger.render('thief', {});
    assert.equal(rendered.status, 422);
    assert.ok(!rendered.text.includes('two') && !rendered.text.includes('"one"'));
  });

  it('200: cached responses are separate by account, for the same URL and revision', async () => {
    const [one, two] = [await newClient(service()), await newClient(service())];
    await one.create({ name: 'same', template: 'of one' });
    await two.create({ name: 'same', template: 'of two' });
    for (let round = 0; round < 3; round += 1) {
      assert.match((await one.call('GET', pathOf('same'))).text, /of one/);
      assert.match((await two.call('GET', pathOf('same'))).text, /of two/);
    }
    const [etagOne, etagTwo] = [await one.call('GET', pathOf('same')), await two.call('GET', pathOf('same'))].map(({ headers }) =>
      headers.get('etag'),
    );
    assert.notEqual(etagOne, etagTwo);
  });
});
