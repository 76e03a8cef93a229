import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PromptResults, WorkspaceResults } from '../../../src/contract/results.ts';
import { call, register, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`results (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    async function createAccount(): Promise<TestAccount> {
      const account = await register(service);
      await request(account, 'POST', '/api/prompts', { name: 'support/triage', template: 'one' });
      await request(account, 'POST', '/api/prompts/support%2Ftriage/versions', { template: 'two' });
      await request(account, 'PUT', '/api/prompts/support%2Ftriage/labels/production', { version: 1 });
      return account;
    }

    async function request({ token: key }: TestAccount, method: string, path: string, body?: object, status?: number) {
      const response = await call(service, method, path, { key, ...(body && { body }) });
      if (status !== undefined) assert.equal(response.status, status, response.text);
      else assert.ok(response.status < 300, response.text);
      return response.body as never;
    }

    const report = (account: TestAccount, calls: object[]) => request(account, 'POST', '/api/results', { calls }, 202);
    const resultsOf = (account: TestAccount, query = '', name = 'support%2Ftriage'): Promise<PromptResults> =>
      request(account, 'GET', `/api/prompts/${name}/results${query}`, undefined, 200);
    const overview = (account: TestAccount): Promise<WorkspaceResults> => request(account, 'GET', '/api/results', undefined, 200);

    it('200: a prompt without results has zeros, nulls and a series without gaps', async () => {
      const account = await createAccount();
      const { totals, versions, models, series, comparison, deployments } = await resultsOf(account);
      assert.deepEqual(totals, {
        calls: 0,
        errors: 0,
        errorRate: null,
        durationMs: { p50: null, p95: null },
        firstChunkMs: { p50: null, p95: null },
        inputTokens: 0,
        outputTokens: 0,
        cost: 0,
        costPerCall: null,
        unpriced: 0,
        errorTypes: [],
        scores: [],
      });
      assert.deepEqual({ versions, models, comparison }, { versions: [], models: [], comparison: null });
      assert.ok(series.length >= 24);
      assert.deepEqual(
        deployments.map(({ label, version, from }) => ({ label, version, from })),
        [{ label: 'production', version: 1, from: null }],
      );
      assert.equal((await overview(account)).lastReportedAt, null);
    });

    it('202: counts calls by version, label, model and time, with tokens, cost, durations and errors', async () => {
      const account = await createAccount();
      const receipt = await report(account, [
        {
          prompt: 'support/triage',
          version: 1,
          label: 'production',
          model: 'gpt-5-mini',
          provider: 'openai',
          durationMs: 100,
          firstChunkMs: 10,
          inputTokens: 1000,
          outputTokens: 100,
        },
        {
          prompt: 'support/triage',
          version: 1,
          label: 'production',
          model: 'gpt-5-mini',
          provider: 'openai',
          durationMs: 100,
          error: 'timeout',
        },
        { prompt: 'support/triage', version: 2, model: 'own-model', durationMs: 400, inputTokens: 10, outputTokens: 5, cost: 0.5 },
        { prompt: 'support/triage', version: 2, model: 'unknown', durationMs: 400, inputTokens: 10 },
        { prompt: 'support/triage', durationMs: 5 },
        { prompt: 'support/triage', version: 3, durationMs: 5 },
        { prompt: 'missing', version: 1, durationMs: 5 },
      ]);
      assert.deepEqual(receipt, { accepted: 5, dropped: 2 });

      const results = await resultsOf(account);
      assert.deepEqual(
        results.versions.map(({ version, calls, errors }) => ({ version, calls, errors })),
        [
          { version: 2, calls: 2, errors: 0 },
          { version: 1, calls: 2, errors: 1 },
          { version: null, calls: 1, errors: 0 },
        ],
      );
      const [second, first] = results.versions;
      assert.deepEqual(first?.errorTypes, [{ type: 'timeout', calls: 1 }]);
      assert.equal(first?.inputTokens, 1000);
      assert.equal(first?.cost, (1000 * 0.25 + 100 * 2) / 1e6, 'at the list price');
      assert.ok(Math.abs((first?.durationMs.p50 ?? 0) - 100) <= 10, 'the failed call has no duration');
      assert.ok(Math.abs((first?.firstChunkMs.p95 ?? 0) - 10) <= 1);
      assert.equal(first?.errorRate?.value, 0.5);
      assert.ok((first?.errorRate?.low ?? 1) < 0.1 && (first?.errorRate?.high ?? 0) > 0.9, 'two calls say little');
      assert.deepEqual([second?.cost, second?.costPerCall, second?.unpriced], [0.5, 0.5, 1]);
      assert.deepEqual(
        results.models.map(({ model, calls }) => [model, calls]),
        [
          ['own-model', 1],
          ['gpt-5-mini', 2],
          [null, 1],
          ['unknown', 1],
        ],
      );
      assert.equal(results.totals.calls, 5);
      assert.equal(
        results.series.reduce((sum, { calls }) => sum + calls, 0),
        5,
      );
      assert.deepEqual(
        results.series.at(-1)?.versions.map(({ version, calls }) => [version, calls]),
        [
          [2, 2],
          [1, 2],
          [null, 1],
        ],
      );
      assert.equal((await resultsOf(account, '?label=production')).totals.calls, 2);
      assert.equal((await resultsOf(account, '?version=2&model=unknown')).totals.calls, 1);
      assert.equal((await resultsOf(account, '?version=0')).totals.calls, 1);

      const all = await overview(account);
      assert.deepEqual(
        all.prompts.map(({ name, calls }) => [name, calls]),
        [['support/triage', 5]],
      );
      assert.deepEqual(all.dropped, [
        { reason: 'unknown_prompt', count: 1 },
        { reason: 'unknown_version', count: 1 },
      ]);
      assert.ok(all.lastReportedAt);
    });

    it('202: a call that is reported again counts once, in one request, in two, and at the same time', async () => {
      const account = await createAccount();
      const reported = { prompt: 'support/triage', version: 1, durationMs: 7, traceId: 'trace', spanId: 'span' };
      await report(account, [reported, reported]);
      await Promise.all(Array.from({ length: 5 }, () => report(account, [reported, { ...reported, spanId: 'other' }])));
      const own = { prompt: 'support/triage', version: 1, durationMs: 7, id: 'own' };
      assert.deepEqual(await report(account, [own, own]), { accepted: 2, dropped: 0 });
      await report(account, [own]);
      const inTrace = { prompt: 'support/triage', version: 1, durationMs: 7, traceId: 'trace', id: 'own' };
      await report(account, [inTrace, inTrace]);
      assert.equal((await resultsOf(account)).totals.calls, 4);
      await report(account, [{ prompt: 'support/triage', version: 1, durationMs: 7 }]);
      await report(account, [{ prompt: 'support/triage', version: 1, durationMs: 7 }]);
      assert.equal((await resultsOf(account)).totals.calls, 6, 'calls without ids are all different');
    });

    it('scores: by version, trace and response; before and after the call; once for each id', async () => {
      const account = await createAccount();
      const rate = (feedback: object, status = 202) =>
        request(account, 'POST', '/api/feedback', { prompt: 'support/triage', ...feedback }, status);
      await rate({ name: 'helpful', value: true, traceId: 'late' });
      await rate({ name: 'helpful', value: true, responseId: 'r1' });
      assert.deepEqual((await resultsOf(account)).versions, []);
      await report(account, [
        { prompt: 'support/triage', version: 2, durationMs: 1, traceId: 'late', spanId: 's', responseId: 'r1' },
        { prompt: 'support/triage', version: 1, durationMs: 1, traceId: 'early', spanId: 's' },
      ]);
      await rate({ name: 'helpful', value: false, traceId: 'early', comment: 'in French' });
      await rate({ name: 'helpful', value: false, version: 2, id: 'same' });
      await rate({ name: 'helpful', value: false, version: 2, id: 'same' });
      await rate({ name: 'stars', value: 4 });
      await rate({ name: 'stars', value: 5 });
      await rate({ name: 'tone', value: 'rude', version: 2 });
      assert.deepEqual((await resultsOf(account, '?label=production&version=2')).totals.scores, [], 'version 2 was never in production');
      await rate({ name: 'helpful', value: true, version: 9 }, 404);
      await request(account, 'POST', '/api/feedback', { prompt: 'missing', name: 'x', value: 1 }, 404);
      await rate({ name: 'helpful', value: true, comment: 'x'.repeat(501) }, 400);

      const { versions } = await resultsOf(account);
      const scores: Record<string, PromptResults['totals']['scores']> = Object.fromEntries(
        versions.map(({ version, scores: all }) => [version, all]),
      );
      assert.deepEqual(
        scores[1]?.map(({ name, kind, count, mean }) => ({ name, kind, count, mean })),
        [
          { name: 'helpful', kind: 'boolean', count: 1, mean: 0 },
          { name: 'stars', kind: 'number', count: 2, mean: 4.5 },
        ],
      );
      assert.deepEqual([scores[1]?.[1]?.low, scores[1]?.[1]?.high], [4.5 - 0.98, 4.5 + 0.98]);
      assert.deepEqual(
        scores[2]?.map(({ name, count, mean, categories }) => ({ name, count, mean, categories })),
        [
          { name: 'helpful', count: 3, mean: Number((2 / 3).toPrecision(12)), categories: [] },
          { name: 'tone', count: 1, mean: null, categories: [{ value: 'rude', count: 1 }] },
        ],
      );
      const comments: { data: { comment: string; version: number; value: string }[] } = await request(
        account,
        'GET',
        '/api/prompts/support%2Ftriage/comments',
      );
      assert.deepEqual(
        comments.data.map(({ comment, version, value }) => ({ comment, version, value })),
        [{ comment: 'in French', version: 1, value: 'false' }],
      );
    });

    it('compares the version at a label with the version before it', async () => {
      const account = await createAccount();
      const calls = (version: number, number: number, rest: { error?: string; model?: string } = {}) =>
        Array.from({ length: number }, () => ({ prompt: 'support/triage', version, label: 'production', durationMs: 10, ...rest }));
      await report(account, calls(1, 20));
      await request(account, 'PUT', '/api/prompts/support%2Ftriage/labels/production', { version: 2 });
      assert.equal((await resultsOf(account)).comparison, null, 'version 2 has no calls');
      await report(account, [...calls(2, 5), ...calls(2, 5, { error: '500' })]);
      const { comparison, deployments } = await resultsOf(account);
      assert.deepEqual([comparison?.current.version, comparison?.current.calls, comparison?.current.errors], [2, 10, 5]);
      assert.deepEqual([comparison?.previous.version, comparison?.previous.calls], [1, 20]);
      assert.deepEqual(
        deployments.map(({ version, from }) => [version, from]),
        [
          [1, null],
          [2, 1],
        ],
      );

      const model = 'gpt-5';
      await report(account, calls(2, 3, { model }));
      assert.equal((await resultsOf(account, `?model=${model}`)).comparison, null, 'version 1 has no calls of the model');
      await report(account, calls(1, 2, { model }));
      const ofModel = (await resultsOf(account, `?model=${model}`)).comparison;
      assert.deepEqual([ofModel?.current.calls, ofModel?.previous.calls], [3, 2]);
    });

    it('feedback tokens: work without a key from any origin, for one version, and for nothing else', async () => {
      const account = await createAccount();
      const { token }: { token: string } = await request(
        account,
        'POST',
        '/api/feedback/tokens',
        { prompt: 'support/triage', version: 2 },
        201,
      );
      const options = { method: 'POST', headers: { 'content-type': 'application/json', origin: 'https://example.com' } };
      const send = (body: object) => fetch(`${service.url}/api/feedback/browser`, { ...options, body: JSON.stringify(body) });
      const rendered: { text: string; feedbackToken: string } = await request(account, 'POST', '/api/prompts/support%2Ftriage/render', {
        feedbackToken: true,
      });
      assert.equal(rendered.text, 'one');
      assert.equal((await send({ token: rendered.feedbackToken, name: 'helpful', value: true })).status, 202);
      const preflight = await fetch(`${service.url}/api/feedback/browser`, { method: 'OPTIONS' });
      assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, '*']);
      const response = await send({ token, name: 'helpful', value: true });
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [202, '*']);
      for (const wrong of ['', 'pf_x', `${token}x`, token.slice(3), account.token]) {
        assert.equal((await send({ token: wrong, name: 'helpful', value: true })).status, 403, wrong);
      }
      assert.equal((await call(service, 'GET', '/api/prompts', { key: token })).status, 401);
      const { versions } = await resultsOf(account);
      assert.deepEqual(
        versions.map(({ version, scores }) => [version, scores.map(({ count }) => count)]),
        [
          [2, [1]],
          [1, [1]],
        ],
      );
    });

    it('what one account reports is not in the results of another', async () => {
      const [one, other] = [await createAccount(), await createAccount()];
      await report(one, [{ prompt: 'support/triage', version: 1, durationMs: 1, traceId: 'shared', spanId: 's' }]);
      await request(other, 'POST', '/api/feedback', { prompt: 'support/triage', traceId: 'shared', name: 'x', value: 1 }, 202);
      assert.equal((await resultsOf(other)).totals.calls, 0);
      assert.deepEqual((await resultsOf(one)).totals.scores, []);
    });

    it('names beyond the limits are counted without the name, and unknown fields are refused', async () => {
      const account = await createAccount();
      for (let start = 0; start < 200; start += 100) {
        const calls = Array.from({ length: 100 }, (_, index) => ({
          prompt: 'support/triage',
          version: 1,
          model: `model-${start + index}`,
          label: `label-${start + index}`,
          error: `error ${start + index}`,
          durationMs: 1,
        }));
        await report(account, calls);
      }
      await report(account, [{ prompt: 'support/triage', version: 1, model: '\u0007\n<b>', error: 'the text: "secret"', durationMs: 1 }]);
      const { models, totals } = await resultsOf(account);
      assert.equal(totals.calls, 201);
      assert.equal(models.length, 101);
      assert.equal(totals.errorTypes.length, 21);
      assert.equal(totals.errorTypes[0]?.type, 'other');
      const body = { calls: [{ prompt: 'support/triage', durationMs: 1, input: 'secret' }] };
      await request(account, 'POST', '/api/results', body, 400);
      for (const calls of [[], [{}], [{ prompt: 'x', durationMs: -1 }], [{ prompt: 'x', durationMs: 1, cost: -1 }]]) {
        await request(account, 'POST', '/api/results', { calls }, 400);
      }
    });

    it('a time that is not within the last day is replaced by the time of arrival', async () => {
      const account = await createAccount();
      const hour = 3_600_000;
      const at = (offset: number) => new Date(Date.now() + offset).toISOString();
      const times = [at(-2 * hour), at(-48 * hour), at(365 * 24 * hour), '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
      await report(
        account,
        times.map((endedAt) => ({ prompt: 'support/triage', version: 1, durationMs: 1, endedAt })),
      );
      const { series } = await resultsOf(account, `?from=${at(-20 * hour)}`);
      const counted = series.filter(({ calls }) => calls > 0).map(({ calls }) => calls);
      assert.deepEqual(counted, [1, 4]);
    });

    it('200: each table can be read as CSV', async () => {
      const account = await createAccount();
      await report(account, [{ prompt: 'support/triage', version: 1, model: 'm', durationMs: 1 }]);
      await request(account, 'POST', '/api/feedback', { prompt: 'support/triage', version: 1, name: 'tone', value: '=1+1' }, 202);
      const read = async (path: string) => (await call(service, 'GET', path, { key: account.token })).text;
      const path = '/api/prompts/support%2Ftriage/results?format=csv';
      assert.match(await read(path), /^version,calls,errors,.*\r\n1,1,0,/);
      assert.match(await read(`${path}&by=model`), /^model,.*\r\nm,1,0,/);
      assert.match(await read(`${path}&by=score`), /\r\n1,tone,category,'=1\+1,1,,,\r\n/);
      assert.match(await read('/api/results?format=csv'), /^prompt,promptId,.*\r\nsupport\/triage,p_/);
    });
  });
}
