import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PromptResults } from '../../../src/contract/results.ts';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { jsonSpan, jsonTraces } from '../../support/otlp.ts';
import { describeOnEveryEngine, pathOf } from '../../support/prompts.ts';
import { countsOf, releasedPrompt, scoresOf, startTestRelease, type TestRelease } from '../../support/releases.ts';
import { queryStatistics } from '../../support/statistics.ts';
import { readStoredContent } from '../../support/stored-content.ts';

const dayMs = 24 * 60 * 60 * 1000;
const guards = [{ metric: 'score:helpful', margin: 0.1 }];

describeOnEveryEngine('the results of a release by unit', (service) => {
  const start = (options?: object) => startTestRelease(service(), options);
  const callsOf = async (client: TestRelease) => (await client.get<PromptResults>(pathOf(releasedPrompt, '/results'))).totals.calls;
  const stagesOf = async ({ userId }: TestRelease) => (await service().ctx.store.statistics.listStages(userId, undefined, 10)).length;
  const hashesOf = async ({ release }: TestRelease) =>
    (await queryStatistics(service(), `select unit from release_units where release_id = '${release.id}'`)).map(({ unit }) => String(unit));
  const near = (actual: number | undefined, expected: number) =>
    assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} instead of ${expected}`);

  it('each key counts once, with the mean of its calls', async () => {
    const client = await start();
    const [one = '', other = ''] = client.keysOf(1, 2);
    const [arm = ''] = client.keysOf(2, 1);
    await client.report(
      client.callOf(one, { durationMs: 100, cost: 0.01 }),
      client.callOf(one, { durationMs: 400, cost: 0.04 }),
      client.callOf(one, { durationMs: 9000, error: 'timeout' }),
    );
    await client.report(client.callOf(one, { durationMs: 0, cost: 0 }), client.callOf(other, { error: '429' }), client.callOf(arm));
    const [control, version2] = await client.results();
    assert.deepEqual(countsOf(await client.results()), { 1: [2, 5], 2: [1, 1] });
    assert.deepEqual(control?.metrics.get('errorRate'), { units: 2, total: 1 / 4 + 1, squares: 1 / 16 + 1 });
    const latency = (Math.log(100) + Math.log(400) + Math.log(1)) / 3;
    const cost = (Math.log(0.01) + Math.log(0.04) + Math.log(1e-7)) / 3;
    near(control?.metrics.get('latency')?.total, latency);
    near(control?.metrics.get('latency')?.squares, latency ** 2);
    near(control?.metrics.get('cost')?.total, cost);
    assert.equal(control?.metrics.get('latency')?.units, 1, 'a unit without a successful call has no duration');
    assert.deepEqual(version2?.metrics.get('errorRate'), { units: 1, total: 0, squares: 0 });
    near(version2?.metrics.get('latency')?.total, Math.log(100));
    assert.deepEqual(version2?.metrics.get('cost'), { units: 0, total: 0, squares: 0 });
    assert.equal(await callsOf(client), 6);
  });

  it('a call that is reported again counts once', async () => {
    const client = await start();
    const [key = ''] = client.keysOf(2, 1);
    const call = client.callOf(key, { id: 'call 1' });
    await Promise.all([client.report(call, call), client.report(call)]);
    await client.report(call);
    assert.deepEqual(countsOf(await client.results()), { 2: [1, 1] });
  });

  it('a call counts only with the version that the weights give to its key, and remains an ordinary result', async () => {
    const rules = [{ if: { plan: ['internal'] }, version: 2 }];
    const client = await start({ rules });
    const other = await start();
    const [control = '', second = ''] = client.keysOf(1, 2);
    const [arm = ''] = client.keysOf(2, 1);
    const wrong = [
      client.callOf(control, { version: 3 }),
      // The weights give this key another version, so a rule must have chosen version 2.
      client.callOf(control, { version: 2 }),
      client.callOf(arm, { version: 1 }),
      client.callOf(second, { version: undefined }),
      client.callOf(second, { label: 'staging' }),
      client.callOf(second, { release: 'rel_unknown' }),
      client.callOf(second, { release: other.release.id }),
      client.callOf(second, { key: undefined }),
      client.callOf(second, { release: undefined }),
    ];
    await client.report(...wrong);
    assert.deepEqual(await client.results(), []);
    assert.equal(await callsOf(client), wrong.length);
    await client.report(client.callOf(second, { label: undefined }));
    assert.deepEqual(countsOf(await client.results()), { 1: [1, 1] });
  });

  it('calls count for the stage of the weights, from a minute after their change until the release ends', async () => {
    const client = await start();
    const keys = [...client.keysOf(1, 1), ...client.keysOf(2, 1)];
    const calls = keys.map((key) => client.callOf(key));
    await client.report(...calls);
    await client.change({ arms: [{ version: 2, weight: 5001 }] });
    await client.report(...calls);
    assert.deepEqual(await client.results(), [], 'too early');
    await client.settle();
    const started = (beforeMs: number) => ({ endedAt: new Date(Date.now() - beforeMs).toISOString() });
    await client.report(...keys.map((key) => client.callOf(key, { ...started(6 * 60_000) })));
    await client.report(...keys.map((key) => client.callOf(key, { durationMs: 6 * 60_000 })));
    await client.report(...keys.map((key) => client.callOf(key, { endedAt: '2999-01-01', durationMs: 6 * 60_000 })));
    assert.deepEqual(await client.results(), [], 'started too early');
    await client.report(...calls);
    assert.deepEqual(countsOf(await client.results()), { 1: [1, 1], 2: [1, 1] });
    assert.deepEqual(countsOf(await client.results({ stage: 1 })), { 1: [1, 1], 2: [1, 1] });
    await client.change({ state: 'paused' });
    await client.settle();
    await client.report(...calls);
    assert.deepEqual(countsOf(await client.results()), { 1: [1, 2], 2: [1, 2] }, 'a paused release still divides callers');
    assert.equal((await client.call('DELETE', pathOf(releasedPrompt, '/labels/production/release'))).status, 204);
    await client.settle();
    await client.report(...calls);
    assert.deepEqual(countsOf(await client.results()), { 1: [1, 2], 2: [1, 2] });
  });

  it('scores of calls reach their units, before the call, after it, and by response', async () => {
    const client = await start({ guards });
    const [control = ''] = client.keysOf(1, 1);
    const [arm = '', other = ''] = client.keysOf(2, 2);
    const rate = async (body: object) => {
      const response = await client.call('POST', '/api/feedback', { prompt: releasedPrompt, name: 'helpful', value: true, ...body });
      assert.equal(response.status, 202, response.text);
    };
    await rate({ traceId: 'early' });
    await client.report(client.callOf(arm, { traceId: 'early', spanId: '1' }));
    await client.report(client.callOf(arm, { traceId: 'late', spanId: '1', responseId: 'r' }));
    await rate({ traceId: 'late', value: false });
    await rate({ responseId: 'r', id: 'once' });
    await rate({ responseId: 'r', id: 'once' });
    await rate({ responseId: 'r', name: 'unmeasured' });
    await rate({ responseId: 'r', name: 'helpful', value: 'a category' });
    assert.deepEqual(scoresOf(await client.results({ scores: ['helpful', 'unmeasured'] }), 'helpful'), { 2: [1, 2 / 3] });
    assert.deepEqual(scoresOf(await client.results({ scores: ['helpful', 'unmeasured'] }), 'unmeasured'), { 2: undefined });

    // One trace has calls of two models, and the other has calls with two keys.
    await client.report(
      client.callOf(control, { traceId: 'models', spanId: '1', model: 'a' }),
      client.callOf(control, { traceId: 'models', spanId: '2', model: 'b' }),
      client.callOf(arm, { traceId: 'keys', spanId: '1' }),
      client.callOf(other, { traceId: 'keys', spanId: '2' }),
    );
    await rate({ traceId: 'models', value: 5 });
    await rate({ traceId: 'models', value: 7 });
    await rate({ traceId: 'keys', value: 1000 });
    const arms = await client.results({ scores: ['helpful'] });
    assert.deepEqual(scoresOf(arms, 'helpful'), { 1: [1, 6], 2: [1, 2 / 3] });
    assert.deepEqual(countsOf(arms), { 1: [1, 2], 2: [2, 4] });
  });

  it('feedback with a key rates the version and the unit of the key', async () => {
    const client = await start({ metric: 'score:helpful' });
    const [control = ''] = client.keysOf(1, 1);
    const [arm = ''] = client.keysOf(2, 1);
    const rate = (body: object) => client.call('POST', '/api/feedback', { prompt: releasedPrompt, name: 'helpful', value: 1, ...body });
    await rate({ key: control });
    await rate({ key: arm, value: 3 });
    await rate({ key: arm, version: 2, label: 'production', value: 4 });
    await rate({ key: arm, version: 1, value: 100 });
    await rate({ key: arm, label: 'latest', value: 100 });
    const arms = await client.results({ scores: ['helpful'] });
    assert.deepEqual(scoresOf(arms, 'helpful'), { 1: [1, 1], 2: [1, 3.5] });
    assert.deepEqual(countsOf(arms), { 1: [0, 0], 2: [0, 0] }, 'units are keys with calls');
    const { versions } = await client.get<PromptResults>(pathOf(releasedPrompt, '/results'));
    assert.deepEqual(
      versions.map(({ version, scores }) => [version, scores[0]?.count]),
      [
        [2, 2],
        [1, 2],
        [null, 1],
      ],
      'every score is an ordinary result',
    );
    await client.change({ arms: [{ version: 2, weight: 6000 }] });
    await rate({ key: arm });
    assert.deepEqual(await client.results({ scores: ['helpful'] }), [], 'the rated version may be from before the change');
  });

  it('feedback from browsers reaches the unit for which the token was created', async () => {
    const client = await start({ guards });
    const [arm = '', other = ''] = client.keysOf(2, 2);
    const token = async (body: object) =>
      ((await client.call('POST', '/api/feedback/tokens', { prompt: releasedPrompt, ...body })).body as { token: string }).token;
    const send = async (token: string) => {
      const response = await client.call('POST', '/api/feedback/browser', { token, name: 'helpful', value: true }, { key: undefined });
      assert.equal(response.status, 202, response.text);
    };
    const rendered = (await client.render(releasedPrompt, { feedbackToken: true, key: other })).body as { feedbackToken: string };
    const tokens = [await token({ key: arm }), rendered.feedbackToken];
    const wrong = [await token({ version: 1, key: arm }), await token({ version: 2 }), await token({})];
    for (const each of [...tokens, ...wrong]) await send(each);
    assert.deepEqual(scoresOf(await client.results({ scores: ['helpful'] }), 'helpful'), { 2: [2, 2] });
    await client.change({ arms: [{ version: 2, weight: 6000 }] });
    for (const each of tokens) await send(each);
    assert.deepEqual(await client.results({ scores: ['helpful'] }), [], 'the tokens rate what the weights were before');
  });

  it('spans of OpenTelemetry count with the attributes promptharbor.release and promptharbor.key', async () => {
    const client = await start();
    const [text = ''] = client.keysOf(2, 1);
    const number = Array.from({ length: 100 }, (_, id) => id).find((id) => client.versionOf(String(id)) === 2);
    const startNs = BigInt(Date.now() - 1000) * 1_000_000n;
    const times = { startTimeUnixNano: String(startNs), endTimeUnixNano: String(startNs + 100_000_000n) };
    const spanOf = (key: unknown, spanId: string, prefix = '') => {
      const attributes = {
        'gen_ai.prompt.name': releasedPrompt,
        'gen_ai.prompt.version': '2',
        'promptharbor.prompt.label': 'production',
        [`${prefix}promptharbor.release`]: client.release.id,
        [`${prefix}promptharbor.key`]: key,
      };
      return jsonSpan({ ...times, spanId: spanId.repeat(16), attributes });
    };
    const spans = [spanOf(text, '1'), spanOf(number, '2'), spanOf('x'.repeat(1001), '3'), spanOf('', '4'), spanOf(true, '5')];
    const response = await client.call('POST', '/v1/traces', jsonTraces(...spans));
    assert.equal(response.status, 200, response.text);
    assert.deepEqual(countsOf(await client.results()), { 2: [2, 2] });
    assert.equal(await callsOf(client), 5);
  });

  it('a stage gets no units beyond the limit', async () => {
    const client = await start({ guards });
    const [first = '', second = '', third = ''] = client.keysOf(2, 3);
    await client.report(client.callOf(first));
    await queryStatistics(service(), `update release_stages set units = 199999 where release_id = '${client.release.id}'`);
    await client.report(client.callOf(second), client.callOf(first));
    await client.report(client.callOf(second), client.callOf(third, { traceId: 'beyond' }));
    await client.call('POST', '/api/feedback', { prompt: releasedPrompt, traceId: 'beyond', name: 'helpful', value: 1 });
    const arms = await client.results({ scores: ['helpful'] });
    assert.deepEqual([countsOf(arms)[2]?.[0], scoresOf(arms, 'helpful')], [2, { 2: undefined }]);
    assert.deepEqual([countsOf(arms)[2]?.[1], await callsOf(client)], [4, 5]);
  });

  it('the units of a stage are deleted after the next stage begins, the release ended 90 days ago, or the label gets another one', async () => {
    const client = await start({ guards });
    const rate = (key: string) => client.call('POST', '/api/feedback', { prompt: releasedPrompt, key, name: 'helpful', value: 1 });
    const [key = ''] = client.keysOf(2, 1);
    await client.report(client.callOf(key));
    await rate(key);
    await sweep(service().ctx);
    assert.deepEqual(countsOf(await client.results()), { 2: [1, 1] });
    await client.change({ arms: [{ version: 2, weight: 6000 }] });
    await client.settle();
    await client.report(client.callOf(key));
    await sweep(service().ctx);
    assert.deepEqual([await client.results({ stage: 1 }), countsOf(await client.results())], [[], { 2: [1, 1] }]);
    await client.call('DELETE', pathOf(releasedPrompt, '/labels/production/release'));
    await sweep(service().ctx, new Date(Date.now() + 89 * dayMs));
    assert.deepEqual(countsOf(await client.results()), { 2: [1, 1] });
    const next = await startTestRelease(service(), {}, client);
    await sweep(service().ctx);
    assert.deepEqual(await client.results({ stage: 2 }), []);
    await next.report(next.callOf(key));
    await next.call('DELETE', pathOf(releasedPrompt, '/labels/production/release'));
    await sweep(service().ctx, new Date(Date.now() + 91 * dayMs));
    assert.deepEqual([await next.results(), await stagesOf(next)], [[], 0]);
  });

  it('the units of a prompt and of an account are deleted with them', async () => {
    const [deleted, kept, gone] = [await start(), await start(), await start()];
    for (const client of [deleted, kept, gone]) await client.report(client.callOf(client.keysOf(2, 1)[0] ?? ''));
    await deleted.call('DELETE', pathOf(releasedPrompt));
    while ((await service().ctx.store.statistics.deleteAccount(gone.userId)) > 0);
    assert.equal(await stagesOf(gone), 0);
    assert.deepEqual(await gone.results({ stage: 1 }), []);
    await sweep(service().ctx, new Date(Date.now() + 32 * dayMs));
    assert.deepEqual(await deleted.results({ stage: 1 }), []);
    assert.deepEqual(countsOf(await kept.results()), { 2: [1, 1] });
  });

  it('a key is never stored or logged', async () => {
    const client = await start({ guards });
    const [key = ''] = client.keysOf(2, 1);
    await client.report(client.callOf(key, { id: 'MARKER-OF-A-CALL', model: 'MARKER-OF-A-MODEL' }));
    await client.report(client.callOf(key, { version: 1 }));
    await client.call('POST', '/api/feedback', { prompt: releasedPrompt, key, name: 'helpful', value: 1 });
    await client.call('POST', '/api/feedback', { prompt: releasedPrompt, key, version: 77, name: 'helpful', value: 1 });
    const { body } = await client.call('POST', '/api/feedback/tokens', { prompt: releasedPrompt, key });
    assert.equal(Buffer.from((body as { token: string }).token, 'base64url').includes(key), false);
    const places = await readStoredContent(service());
    assert.ok(
      places.some(([, content]) => content.includes('MARKER-OF-A-MODEL')),
      'what is kept is found',
    );
    for (const [place, content] of places) assert.equal(content.includes(key), false, place);
    assert.equal(service().logs().includes(key), false);
  });

  it('the same key has different hashes in different releases', async () => {
    const [one, other] = [await start(), await start({ arms: [{ version: 2, weight: 10_000 }] })];
    const [key = ''] = one.keysOf(2, 1);
    await one.report(one.callOf(key));
    await other.report(other.callOf(key));
    const hashes = await Promise.all([one, other].map(hashesOf));
    assert.notEqual(hashes[0]?.[0], hashes[1]?.[0]);
  });
});
