import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Candidate } from '../../../src/contract/candidates.ts';
import type { Run, RunSummary } from '../../../src/contract/runs.ts';
import { asJson, connect, describeWithModels } from '../../support/models.ts';
import { assertRefused, type ListBody, newClient, pathOf } from '../../support/prompts.ts';

describeWithModels('POST /api/prompts/{name}/run with a candidate', ({ service, mock }) => {
  it('runs the candidate, says so, and keeps the content that was run', async () => {
    const client = await newClient(service());
    mock.reset();
    mock.onMessage('Dear Ada', { content: 'Hello!' });
    await client.create({ name: 'greet', template: 'Greet {{ name }}', labels: ['production'] });
    const content = {
      title: 'Warmer',
      template: 'Dear {{ name }}',
      variables: [{ name: 'name', type: 'text', default: 'you' }],
      config: { temperature: 1 },
    };
    const created = await client.call('POST', pathOf('greet', '/candidates'), content);
    assert.equal(created.status, 201, created.text);
    const { id } = created.body as unknown as Candidate;
    const connection = (await connect(client, `${mock.url}/v1`)).id;
    const run = (body: object) => client.call('POST', pathOf('greet', '/run'), { connection, candidate: id, ...body }, asJson);
    const done = (await run({ variables: { name: 'Ada' } })).body as unknown as Run;
    assert.deepEqual([done.version, done.candidate, done.output], [null, { id, title: 'Warmer', revision: 1 }, 'Hello!']);
    assert.equal(mock.getLastRequest()?.body?.temperature, 1);
    await client.call('DELETE', pathOf('greet', `/candidates/${id}`));
    const [listed] = (await client.get<ListBody<RunSummary>>(pathOf('greet', '/runs'))).data;
    assert.deepEqual(listed?.candidate, done.candidate);
    const kept = await client.get<Run>(pathOf('greet', `/runs/${done.id}`));
    const { variables: declarations, title: _, ...rest } = content;
    assert.deepEqual(kept.draft, { syntax: 'liquid', ...rest, declarations });
    assertRefused(await run({}), 404, 'candidate_not_found');
    assertRefused(await run({ version: 1 }), 400, 'invalid_input', '/candidate');
    assert.equal((await client.get<ListBody>(pathOf('greet', '/versions'))).data.length, 1);
  });
});
