import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Candidate } from '../../../src/contract/candidates.ts';
import type { Diff } from '../../../src/contract/history.ts';
import type { Preview } from '../../../src/contract/render.ts';
import { assertRefused, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';

async function prepare(service: Service) {
  const client = await newClient(service);
  await client.create({ name: 'greet', template: 'Hello {{ name }}', labels: ['production'] });
  await client.save('greet', { template: 'Hi {{ name }}' });
  const content = { title: 'Warmer', template: 'Dear {{ name }}', config: { temperature: 1 } };
  const candidate = (await client.call('POST', pathOf('greet', '/candidates'), content)).body as unknown as Candidate;
  const diff = (from: string | number, to: string | number) => client.get<Diff>(pathOf('greet', `/diff?from=${from}&to=${to}`));
  return { client, candidate, diff };
}

describeOnEveryEngine('GET /api/prompts/{name}/diff with candidates', (service) => {
  it('compares versions, labels and candidates with each other', async () => {
    const { candidate, diff } = await prepare(service());
    const found = await diff('production', candidate.id);
    assert.deepEqual([found.from, found.to], [1, candidate.id]);
    assert.match(found.text, new RegExp(`^--- version 1\n\\+\\+\\+ candidate ${candidate.id}\n@@ .* @@\n-Hello .*\n.*\n\\+Dear`));
    assert.match(found.config, /^\+ {2}"temperature": 1$/m);
    assert.match((await diff(candidate.id, 'latest')).text, /^-Dear .*\n.*\n\+Hi /m);
    assert.deepEqual(await diff(2, 'latest'), { from: 2, to: 2, text: '', config: '' });
    assert.deepEqual(await diff(candidate.id, candidate.id), { from: candidate.id, to: candidate.id, text: '', config: '' });
  });

  it('shows a change to the candidate at once, although the response can be cached', async () => {
    const { client, candidate, diff } = await prepare(service());
    await diff(1, candidate.id);
    const change = { title: 'Warmer', template: 'Dearest {{ name }}', revision: 1 };
    await client.call('PUT', pathOf('greet', `/candidates/${candidate.id}`), change);
    assert.match((await diff(1, candidate.id)).text, /\+Dearest/);
    await client.call('DELETE', pathOf('greet', `/candidates/${candidate.id}`));
    const path = pathOf('greet', `/diff?from=1&to=${candidate.id}`);
    assertRefused(await client.call('GET', path), 404, 'candidate_not_found');
  });

  it('404: what another prompt or another workspace has is not found', async () => {
    const { client, candidate } = await prepare(service());
    const { client: other } = await prepare(service());
    await client.create({ name: 'other', template: 'x' });
    assertRefused(await other.call('GET', pathOf('greet', `/diff?from=1&to=${candidate.id}`)), 404, 'candidate_not_found');
    assertRefused(await client.call('GET', pathOf('other', `/diff?from=1&to=${candidate.id}`)), 404, 'candidate_not_found');
    assertRefused(await client.call('GET', pathOf('greet', '/diff?from=1&to=staging')), 404, 'label_not_found');
    assertRefused(await client.call('GET', pathOf('greet', '/diff?from=1&to=%20')), 400, 'invalid_input', '/to');
    assertRefused(await client.call('GET', pathOf('greet', '/diff?from=1&to=0')), 400, 'invalid_input', '/to');
  });
});

describeOnEveryEngine('POST /api/render with a candidate', (service) => {
  it('renders the saved candidate', async () => {
    const { client, candidate } = await prepare(service());
    const body = { name: 'greet', candidate: candidate.id, variables: { name: 'Ada' } };
    const { text, config, variables } = (await client.call('POST', '/api/render', body)).body as unknown as Preview;
    assert.deepEqual([text, config], ['Dear Ada', { temperature: 1 }]);
    assert.deepEqual(variables, [{ name: 'name', required: true, kind: 'text' }]);
  });

  it('400 and 404: a candidate belongs to a prompt and has its own content', async () => {
    const { client, candidate } = await prepare(service());
    const render = (body: object) => client.call('POST', '/api/render', { candidate: candidate.id, ...body });
    assertRefused(await render({}), 400, 'invalid_input', '/name');
    assertRefused(await render({ name: 'greet', template: 'x' }), 400, 'invalid_input', '/template');
    assertRefused(await render({ name: 'greet', config: {} }), 400, 'invalid_input', '/config');
    assertRefused(await render({ name: 'missing' }), 404, 'prompt_not_found');
    const { client: other } = await prepare(service());
    const theirs = { name: 'greet', candidate: candidate.id };
    assertRefused(await other.call('POST', '/api/render', theirs), 404, 'candidate_not_found');
  });

  it('applications cannot render a candidate by the name of its prompt', async () => {
    const { client, candidate } = await prepare(service());
    const body = { candidate: candidate.id, variables: { name: 'Ada' } };
    assertRefused(await client.call('POST', pathOf('greet', '/render'), body), 400, 'invalid_input', '/candidate');
    assertRefused(await client.call('GET', pathOf('greet', `?candidate=${candidate.id}`)), 400, 'invalid_input', '/candidate');
  });
});
