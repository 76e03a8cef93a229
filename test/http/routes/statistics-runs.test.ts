import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RunStatistics } from '../../../src/contract/run-statistics.ts';
import { asJson, connect, describeWithModels } from '../../support/models.ts';
import { assertRefused, type Client, newClient } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

describeWithModels('GET /api/stats/runs', ({ service, mock }) => {
  const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
  const prices = { 'some-model': { input: 2, output: 4 } };
  const cost = (1000 * 2 + 500 * 4) / 1e6;

  async function prepare(): Promise<{ owner: Client; connection: string }> {
    const owner = await newClient(service());
    mock.reset();
    mock.onMessage('Greet', { content: 'Hello', usage });
    await owner.create({ name: 'greet', template: 'Greet' });
    const { id } = await connect(owner, `${mock.url}/v1`, { prices, models: [] });
    return { owner, connection: id };
  }

  async function run(client: Client, owner: Client, body: object) {
    const headers = { ...asJson.headers, ...inWorkspace(owner).headers };
    return client.call('POST', '/api/prompts/greet/run', body, { headers });
  }

  async function statisticsOf(client: Client, query = ''): Promise<RunStatistics> {
    await service().ctx.recorder.flush();
    return client.get<RunStatistics>(`/api/stats/runs${query}`);
  }

  it('200: a workspace without runs gets zeros and nulls', async () => {
    const stats = await statisticsOf(await newClient(service()));
    const durationMs = { p50: null, p95: null, p99: null };
    const none = { runs: 0, errors: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpriced: 0, durationMs };
    assert.deepEqual([stats.totals, stats.byModel, stats.byMember], [none, [], []]);
    const { time: _, ...last } = stats.series.at(-1) ?? assert.fail('the series has every interval');
    assert.deepEqual(last, none);
  });

  it('200: tokens, cost and duration by model and by member; models without a price are counted as such', async () => {
    const { owner, connection } = await prepare();
    const member = await newMember(service(), owner, 'editor');
    assert.equal((await run(owner, owner, { connection, model: 'some-model' })).status, 200);
    assert.equal((await run(member, owner, { connection, model: 'some-model' })).status, 200);
    assert.equal((await run(member, owner, { connection, model: '=free' })).status, 200);
    const stats = await statisticsOf(owner);
    const { durationMs, ...totals } = stats.totals;
    assert.deepEqual(totals, { runs: 3, errors: 0, inputTokens: 3000, outputTokens: 1500, cost: 2 * cost, unpriced: 1 });
    assert.ok(durationMs.p50 !== null && durationMs.p50 > 0);
    assert.deepEqual(
      stats.byModel.map(({ model, runs, cost: sum, unpriced }) => [model, runs, sum, unpriced]),
      [
        ['some-model', 2, 2 * cost, 0],
        ['=free', 1, 0, 1],
      ],
    );
    assert.deepEqual(
      stats.byMember.map(({ userId, runs, cost: sum }) => [userId, runs, sum]).sort(),
      [
        [member.userId, 2, cost],
        [owner.userId, 1, cost],
      ].sort(),
    );
    assert.equal(
      stats.series.reduce((sum, { runs }) => sum + runs, 0),
      3,
    );
    assert.equal((await statisticsOf(owner, '?model=some-model')).totals.runs, 2);
    assert.equal((await statisticsOf(owner, `?model=some-model&member=${member.userId}`)).totals.runs, 1);
    assert.ok(!JSON.stringify(stats).includes('@'), 'no addresses');

    const csv = await owner.call('GET', '/api/stats/runs?format=csv&by=model');
    const [header, first, second] = csv.text.split('\r\n');
    assert.equal(header, 'model,runs,errors,inputTokens,outputTokens,costUsd,unpriced,p50Ms,p95Ms,p99Ms');
    assert.match(first ?? '', /^some-model,2,0,2000,1000,0\.008,0,/);
    assert.match(second ?? '', /^'=free,1,0,1000,500,0,1,/);
    for (const by of ['time', 'member']) assert.equal((await owner.call('GET', `/api/stats/runs?format=csv&by=${by}`)).status, 200);
  });

  it('200: a failed run is an error, and does not count in the duration', async () => {
    const { owner, connection } = await prepare();
    mock.reset();
    mock.onMessage('Greet', { error: { message: 'no', type: 'invalid_request_error' }, status: 400 });
    await run(owner, owner, { connection, model: 'some-model' });
    const { totals } = await statisticsOf(owner);
    assert.deepEqual([totals.runs, totals.errors, totals.durationMs.p50], [1, 1, null]);
  });

  it('200: other workspaces do not see the runs; 404: callers who are not members', async () => {
    const { owner, connection } = await prepare();
    await run(owner, owner, { connection, model: 'some-model' });
    const stranger = await newClient(service());
    assert.equal((await statisticsOf(stranger)).totals.runs, 0);
    assert.equal((await statisticsOf(stranger, `?member=${owner.userId}`)).totals.runs, 0);
    assertRefused(await stranger.call('GET', '/api/stats/runs', undefined, inWorkspace(owner)), 404, 'workspace_not_found');
  });

  it('400: a bad parameter', async () => {
    const { owner } = await prepare();
    for (const query of ['model=', 'member=x', 'by=route', 'interval=week', 'timeZone=Mars', 'status=200']) {
      assertRefused(await owner.call('GET', `/api/stats/runs?${query}`), 400, 'invalid_input');
    }
    assert.equal((await owner.call('GET', '/api/stats/runs?model=%00')).status, 200);
  });
});
