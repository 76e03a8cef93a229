import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Dependent } from '../../../src/contract/dependents.ts';
import type { Overview } from '../../../src/contract/overview.ts';
import { freezeClock } from '../../support/clock.ts';
import { assertRefused, type Client, describeOnEveryEngine, type ListBody, newClient, pathOf, readAll } from '../../support/prompts.ts';

const hourMs = 3_600_000;

const dependentsOf = (client: Client, name: string) => readAll<Dependent>(client, pathOf(name, '/dependents'));
const includeTone = "{% render 'shared/tone' %}";
const namesOf = (dependents: Dependent[]) => dependents.map(({ name }) => name);

describeOnEveryEngine('GET /api/prompts/{name}/dependents', (service) => {
  it('200: names each prompt, the label it includes, and which of its versions do', async () => {
    const client = await newClient(service());
    await client.create({ name: 'shared/tone', template: 'Be kind.' });
    await client.create({ name: 'reply', template: includeTone });
    await client.save('reply', { template: `${includeTone} {% render 'shared/tone', label: 'staging', mood: 'x' %}`, labels: ['canary'] });
    await client.create({
      name: 'chat',
      messages: [
        { role: 'system', content: includeTone },
        { role: 'user', content: `${includeTone} again` },
      ],
    });
    await client.create({ name: 'other', template: "{% render 'shared/tone2' %}" });
    const [reply, chat, ...rest] = await dependentsOf(client, 'shared/tone');
    assert.deepEqual(reply, {
      id: reply?.id,
      name: 'reply',
      type: 'text',
      via: null,
      includes: [
        { label: 'production', version: 2, labels: ['canary', 'latest'] },
        { label: 'staging', version: 2, labels: ['canary', 'latest'] },
        { label: 'production', version: 1, labels: ['production'] },
      ],
      callsLast24Hours: 0,
    });
    assert.deepEqual([chat?.name, chat?.includes], ['chat', [{ label: 'production', version: 1, labels: ['latest', 'production'] }]]);
    assert.deepEqual(rest, []);
  });

  it('200: a version counts from the moment a label points at it, and no longer', async () => {
    const client = await newClient(service());
    await client.create({ name: 'shared/tone', template: 'x' });
    await client.create({ name: 'reply', template: includeTone });
    await client.save('reply', { template: 'without', labels: ['production'] });
    assert.deepEqual(await dependentsOf(client, 'shared/tone'), []);
    await client.label('reply', 'staging', 1);
    assert.deepEqual((await dependentsOf(client, 'shared/tone'))[0]?.includes, [{ label: 'production', version: 1, labels: ['staging'] }]);
    await client.call('DELETE', pathOf('reply', '/labels/staging'));
    assert.deepEqual(await dependentsOf(client, 'shared/tone'), []);
  });

  it('200: follows renames of either prompt, the bin and restoring', async () => {
    const client = await newClient(service());
    await client.create({ name: 'shared/tone', template: 'x' });
    await client.create({ name: 'reply', template: includeTone });
    await client.call('PATCH', pathOf('reply'), { name: 'answer' });
    assert.deepEqual(namesOf(await dependentsOf(client, 'shared/tone')), ['answer']);
    await client.call('DELETE', pathOf('answer'));
    assert.deepEqual(await dependentsOf(client, 'shared/tone'), []);
    await client.call('POST', pathOf('answer', '/restore'));
    assert.deepEqual(namesOf(await dependentsOf(client, 'shared/tone')), ['answer']);

    await client.call('PATCH', pathOf('shared/tone'), { name: 'shared/voice' });
    assertRefused(await client.call('GET', pathOf('shared/tone', '/dependents')), 404, 'prompt_not_found');
    assert.deepEqual(await dependentsOf(client, 'shared/voice'), [], 'the template still says the old name');
  });

  it('200: pages contain each dependent once, even if prompts that no longer include it come before', async () => {
    const client = await newClient(service());
    await client.create({ name: 'shared/tone', template: 'x' });
    const names = Array.from({ length: 7 }, (_, index) => `p${index}`);
    for (const name of names) await client.create({ name, template: includeTone });
    for (const name of ['p1', 'p2', 'p5']) await client.save(name, { template: 'without', labels: ['production'] });
    const sizes: number[] = [];
    const found = await readAll<Dependent>(client, pathOf('shared/tone', '/dependents?limit=2'), async ({ data }) => {
      sizes.push(data.length);
    });
    assert.deepEqual(namesOf(found), ['p0', 'p3', 'p4', 'p6']);
    assert.deepEqual(sizes, [2, 2]);
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'unknown=1']) {
      assertRefused(await client.call('GET', pathOf('shared/tone', `/dependents?${query}`)), 400, 'invalid_input');
    }
  });

  it('200: indirect dependents come last, with the prompt that they include, and only if their labels lead to the prompt', async () => {
    const client = await newClient(service());
    await client.create({ name: 'c', template: 'x' });
    await client.create({ name: 'b', template: "{% render 'c' %}" });
    await client.create({ name: 'a', template: "{% render 'b' %}", labels: ['production', 'canary'] });
    await client.create({ name: 'top', template: "{% render 'a', label: 'canary' %}{% render 'c' %}", labels: [] });
    await client.create({ name: 'higher', template: "{% render 'top', label: 'latest' %}" });
    await client.create({ name: 'elsewhere', template: "{% render 'b', label: 'staging' %}" });
    await client.create({ name: 'circle', template: "{% render 'a' %}{% render 'circle2' %}" });
    await client.create({ name: 'circle2', template: "{% render 'circle' %}" });
    const found = await dependentsOf(client, 'c');
    assert.deepEqual(
      found.map(({ name, via }) => [name, via]),
      [
        ['b', null],
        ['top', null],
        ['a', 'b'],
        ['higher', 'top'],
        ['circle', 'a'],
        ['circle2', 'circle'],
      ],
    );
    assert.deepEqual(found[2]?.includes, [{ label: 'production', version: 1, labels: ['canary', 'latest', 'production'] }]);
    const sizes: number[] = [];
    const paged = await readAll<Dependent>(client, pathOf('c', '/dependents?limit=2'), async ({ data }) => {
      sizes.push(data.length);
    });
    assert.deepEqual([paged, sizes], [found, [2, 2, 2]]);
    await client.label('b', 'staging', 1);
    assert.equal((await dependentsOf(client, 'c')).find(({ name }) => name === 'elsewhere')?.via, 'b');
    await client.call('DELETE', pathOf('b'));
    assert.deepEqual(namesOf(await dependentsOf(client, 'c')), ['top', 'higher'], 'through what is in the bin, nothing is rendered');
  });

  it('200: a name or label that no prompt can have is ignored', async () => {
    const client = await newClient(service());
    await client.create({ name: 'shared/tone', template: 'x' });
    const odd = `{% render '${'語'.repeat(3000)}' %}{% render 'a|b', label: '${'x'.repeat(3000)}' %}{% render '' %}`;
    await client.create({ name: 'odd', template: odd + includeTone });
    assert.deepEqual(namesOf(await dependentsOf(client, 'shared/tone')), ['odd']);
  });

  it('200: counts the calls of the last 24 hours, and does not cache them', async (t) => {
    const client = await newClient(service());
    await client.create({ name: 'shared/tone', template: 'x' });
    await client.create({ name: 'reply', template: includeTone });
    const clock = freezeClock(t, Date.parse('2026-03-01T12:30:00Z'));
    const read = async () => {
      await service().ctx.recorder.flush();
      const response = await client.call('GET', pathOf('shared/tone', '/dependents'));
      assert.deepEqual([response.headers.get('etag'), response.headers.get('cache-control')], [null, 'no-store']);
      return (response.body as ListBody<Dependent>).data[0]?.callsLast24Hours;
    };
    await client.render('reply', {});
    assert.equal(await read(), 1);
    clock.advance(20 * hourMs);
    for (let calls = 0; calls < 2; calls += 1) await client.get(pathOf('reply'));
    assert.equal(await read(), 3);
    clock.advance(5 * hourMs);
    assert.equal(await read(), 2);
  });

  it('ASVS 8.2.2: another workspace’s includes of the same name are not shown', async () => {
    const [owner, stranger] = [await newClient(service()), await newClient(service())];
    for (const client of [owner, stranger]) await client.create({ name: 'shared/tone', template: 'x' });
    await stranger.create({ name: 'theirs', template: includeTone });
    assert.deepEqual(await dependentsOf(owner, 'shared/tone'), []);
  });

  it('GET /api/prompts?include=usage, 200: says how often and when each prompt was last called, fresh on every request', async (t) => {
    const client = await newClient(service());
    for (const name of ['a', 'b']) await client.create({ name, template: 'x' });
    const clock = freezeClock(t, Date.parse('2026-03-01T12:30:00Z'));
    const read = async () => {
      await service().ctx.recorder.flush();
      const response = await client.call('GET', '/api/prompts?include=usage');
      assert.equal(response.headers.get('etag'), null);
      return (response.body as ListBody).data.map((prompt) => (prompt as { usage?: unknown }).usage);
    };
    const unused = { callsLast24Hours: 0, lastUsedAt: null };
    assert.deepEqual(await read(), [unused, unused]);
    await client.get(pathOf('b'));
    assert.deepEqual(await read(), [unused, { callsLast24Hours: 1, lastUsedAt: '2026-03-01T12:00:00.000Z' }]);
    clock.advance(48 * hourMs);
    assert.deepEqual(await read(), [unused, { callsLast24Hours: 0, lastUsedAt: '2026-03-01T12:00:00.000Z' }]);
  });

  it('GET /api/prompts/{name}/judged, 200: names the prompts whose test cases it judges, and how many', async () => {
    const [client, stranger] = [await newClient(service()), await newClient(service())];
    const judge = { kind: 'judge', value: "the judge's" };
    for (const each of [client, stranger]) {
      for (const name of [judge.value, 'reply', 'triage', 'other', 'binned']) await each.create({ name, template: 'x' });
    }
    const add = (name: string, ...checks: object[]) => client.call('POST', pathOf(name, '/cases'), { name: 'case', checks });
    await add('reply', { kind: 'contains', value: 'x' }, judge);
    await add('reply', { ...judge, on: 'prompt', label: 'staging' }, judge);
    await add('triage', judge);
    await add('other', { kind: 'judge', value: `${judge.value}s` }, { kind: 'contains', value: judge.value });
    await add('other', { kind: 'contains', value: `"kind":"judge","on":"output","value":"${judge.value}"` });
    await add('binned', judge);
    await client.call('DELETE', pathOf('binned'));
    const judgedBy = (each: Client) => each.get(pathOf(judge.value, '/judged'));
    assert.deepEqual(await judgedBy(client), {
      data: [
        { name: 'reply', cases: 2 },
        { name: 'triage', cases: 1 },
      ],
    });
    assert.deepEqual(await judgedBy(stranger), { data: [] });
    assertRefused(await client.call('GET', pathOf('nobody', '/judged')), 404, 'prompt_not_found');
  });

  it('GET /api/overview, 200: counts prompts, of a folder too, and lists tags and labels once each', async () => {
    const [client, stranger] = [await newClient(service()), await newClient(service())];
    await stranger.create({ name: 'theirs', template: 'x', tags: ['secret'], labels: ['hidden'] });
    await client.create({ name: 'a', template: 'x', tags: ['mail', 'b'] });
    await client.create({ name: 'support/a', template: 'x', tags: ['mail'], labels: ['staging'] });
    await client.create({ name: 'support/b', template: 'x' });
    await client.create({ name: 'support-b', template: 'x' });
    await client.create({ name: 'binned', template: 'x' });
    await client.call('DELETE', pathOf('binned'));
    const authors = [{ userId: client.userId, name: 'Test' }];
    const overview = { tags: ['b', 'mail'], labels: ['production', 'staging'], authors };
    assert.deepEqual(await client.get<Overview>('/api/overview'), { prompts: 4, ...overview });
    assert.deepEqual(await client.get<Overview>('/api/overview?folder=support'), { prompts: 2, ...overview });
    assertRefused(await client.call('GET', '/api/overview?folder=%00'), 400, 'invalid_input');
  });
});
