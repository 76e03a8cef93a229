import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Case } from '../../../src/contract/cases.ts';
import { maxPromptCases } from '../../../src/contract/limits.ts';
import { assertRefused, type Client, describeOnEveryEngine, type ListBody, newClient, pathOf, readAll } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const path = pathOf('support/reply', '/cases');

describeOnEveryEngine('/api/prompts/{name}/cases', (service) => {
  async function prepare(): Promise<Client> {
    const client = await newClient(service());
    await client.create({ name: 'support/reply', template: 'Reply to {{ name }}' });
    return client;
  }

  async function add(client: Client, body: object = { name: 'A' }): Promise<Case> {
    const response = await client.call('POST', path, body);
    assert.equal(response.status, 201, response.text);
    return response.body as Case;
  }

  it('adds, lists, changes and deletes test cases', async () => {
    const client = await prepare();
    const checks = [
      { kind: 'contains', value: 'Ada' },
      { kind: 'notContains', value: 'Bob', on: 'prompt' },
      { kind: 'equals', value: 'Hello' },
      { kind: 'matches', value: '^(?i)hello' },
      { kind: 'json' },
      { kind: 'jsonSchema', value: { type: 'object', required: ['a'], properties: { type: { type: ['string', 'null'] }, else: true } } },
      { kind: 'maxCharacters', value: 100 },
      { kind: 'maxTokens', value: 0 },
      { kind: 'maxLatencyMs', value: 1000 },
      { kind: 'judge', value: 'judges/polite', label: 'staging', connection: 'OpenAI', model: 'gpt-5' },
      { kind: 'judge', rubric: 'Is polite', connection: 'OpenAI', model: 'gpt-5' },
    ];
    const variables = { name: 'Ada\0', history: [{ role: 'user', content: 'Hi' }] };
    const created = await add(client, { name: ' Greets ', variables, checks });
    assert.deepEqual(
      created.checks,
      checks.map(({ kind, ...check }) => ({ kind, on: 'output', ...check })),
    );
    assert.deepEqual([created.name, created.variables], ['Greets', variables]);
    const other = await add(client);
    assert.deepEqual([other.variables, other.checks], [{}, []]);
    assert.deepEqual(await readAll<Case>(client, `${path}?limit=1`), [created, other]);

    const changed = await client.call('PATCH', `${path}/${created.id}`, { checks: [] });
    assert.deepEqual(changed.body, { ...created, checks: [], updatedAt: (changed.body as Case).updatedAt });
    assert.equal((await client.call('DELETE', `${path}/${created.id}`)).status, 204);
    assert.deepEqual((await client.get<ListBody<Case>>(path)).data, [other]);
    for (const id of [created.id, 'a%00b']) {
      assertRefused(await client.call('DELETE', `${path}/${id}`), 404, 'case_not_found');
      assertRefused(await client.call('PATCH', `${path}/${id}`, { name: 'B' }), 404, 'case_not_found');
    }
  });

  it('400: says what is wrong with each check', async () => {
    const client = await prepare();
    const refused = async (check: unknown, field: string) =>
      assertRefused(await client.call('POST', path, { name: 'A', checks: [check] }), 400, 'invalid_input', `/checks/0${field}`);
    await refused({ kind: 'unknown' }, '/kind');
    await refused({ kind: 'contains' }, '/value');
    await refused({ kind: 'contains', value: 7 }, '/value');
    await refused({ kind: 'contains', value: '' }, '/value');
    await refused({ kind: 'contains', value: 'x'.repeat(10_001) }, '/value');
    await refused({ kind: 'json', value: 'x' }, '/value');
    await refused({ kind: 'jsonSchema', value: [] }, '/value');
    await refused({ kind: 'jsonSchema', value: { description: 'x'.repeat(40_000) } }, '/value');
    // If the service ignored schema keywords that it does not know, any output would pass.
    for (const value of [{ type: 'strng' }, { required: 'a' }, { properties: { a: { items: null } } }, { pattern: '(' }]) {
      const { details } = await refused({ kind: 'jsonSchema', value }, '/value');
      assert.match(details?.[0]?.message ?? '', /Not a valid JSON Schema: at \/(type|required|properties\/a\/items|pattern) must /);
    }
    await refused({ kind: 'maxTokens', value: 1.5 }, '/value');
    await refused({ kind: 'maxTokens', value: -1 }, '/value');
    await refused({ kind: 'maxLatencyMs', value: 1, on: 'prompt' }, '/on');
    await refused({ kind: 'contains', value: 'x', model: 'y' }, '/model');
    await refused({ kind: 'contains', value: 'x', rubric: 'y' }, '/rubric');
    await refused({ kind: 'judge', value: 'x', rubric: 'y' }, '/value');
    await refused({ kind: 'judge', rubric: 'x', label: 'staging' }, '/label');
    await refused({ kind: 'judge', rubric: '' }, '/rubric');
    const without = await refused({ kind: 'judge' }, '/value');
    assert.equal(without.details?.[0]?.message, 'A judge requires a prompt name or a rubric');
    await refused({ kind: 'contains', value: 'x', on: 'nothing' }, '/on');
    const invalid = await refused({ kind: 'matches', value: '(' }, '/value');
    assert.match(invalid.details?.[0]?.message ?? '', /Not a valid RE2 regular expression: .*missing closing \)/);
    await refused({ kind: 'matches', value: '((a{100}){100}){100}' }, '/value');
    await refused({ kind: 'matches', value: '(?=x)' }, '/value');
    assertRefused(await client.call('POST', path, { name: ' ' }), 400, 'invalid_input', '/name');
    assertRefused(await client.call('POST', path, { name: 'a\0' }), 400, 'invalid_input', '/name');
    assertRefused(
      await client.call('POST', path, { name: 'A', variables: { x: 'x'.repeat(140_000) } }),
      400,
      'invalid_input',
      '/variables',
    );
    assertRefused(await client.call('POST', path, { name: 'A', other: 1 }), 400, 'invalid_input', '/other');
    assertRefused(await client.call('POST', pathOf('nobody', '/cases'), { name: 'A' }), 404, 'prompt_not_found');
    assert.deepEqual((await client.get<ListBody<Case>>(path)).data, []);
  });

  it('imports what it exports, all or none', async () => {
    const client = await prepare();
    const cases = [await add(client, { name: 'A', variables: { name: 'Ada' }, checks: [{ kind: 'json' }] }), await add(client)];
    const exported = await client.get<ListBody<Case>>(path);
    await client.create({ name: 'copy', template: 'x' });
    const { data } = exported;
    const imported = await client.call('POST', pathOf('copy', '/cases/import'), { data });
    assert.equal(imported.status, 201, imported.text);
    const copies = (await client.get<ListBody<Case>>(pathOf('copy', '/cases'))).data;
    assert.deepEqual((imported.body as { data: Case[] }).data, copies);
    const contentOf = ({ name, variables, checks }: Case) => ({ name, variables, checks });
    assert.deepEqual(copies.map(contentOf), cases.map(contentOf));
    const wrong = { data: [{ name: 'B' }, { name: 'C', checks: [{ kind: 'matches', value: '(' }] }] };
    assertRefused(await client.call('POST', pathOf('copy', '/cases/import'), wrong), 400, 'invalid_input', '/data/1/checks/0/value');
    assert.equal((await client.get<ListBody<Case>>(pathOf('copy', '/cases'))).data.length, 2);
  });

  it('403: a prompt has a limited number of test cases', async () => {
    const client = await prepare();
    const many = Array.from({ length: maxPromptCases }, (_, index) => ({ name: `Case ${index}` }));
    assert.equal((await client.call('POST', `${path}/import`, { data: many })).status, 201);
    assertRefused(await client.call('POST', path, { name: 'One more' }), 403, 'quota_exceeded');
    assertRefused(await client.call('POST', `${path}/import`, { data: [...many, { name: 'A' }] }), 400, 'invalid_input', '/data');
  });

  it('403 and 404: viewers read, editors write, and nobody sees the test cases of another workspace', async () => {
    const owner = await prepare();
    const { id } = await add(owner);
    const there = inWorkspace(owner);
    const viewer = await newMember(service(), owner, 'viewer');
    assert.equal((await viewer.call('GET', path, undefined, there)).status, 200);
    assertRefused(await viewer.call('POST', path, { name: 'B' }, there), 403, 'forbidden');
    assertRefused(await viewer.call('POST', `${path}/import`, { data: [{ name: 'B' }] }, there), 403, 'forbidden');
    assertRefused(await viewer.call('PATCH', `${path}/${id}`, { name: 'B' }, there), 403, 'forbidden');
    assertRefused(await viewer.call('DELETE', `${path}/${id}`, undefined, there), 403, 'forbidden');
    assertRefused(await viewer.call('GET', path), 404, 'prompt_not_found');
    const other = await prepare();
    assertRefused(await other.call('DELETE', `${path}/${id}`), 404, 'case_not_found');
    const editor = await newMember(service(), owner, 'editor');
    assert.equal((await editor.call('DELETE', `${path}/${id}`, undefined, there)).status, 204);
  });
});
