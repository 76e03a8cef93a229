import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PromptResults, WorkspaceResults } from '../../../src/contract/results.ts';
import type { ResultCounts } from '../../../src/store/statistics/usage-counts.ts';
import { call, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

const hourMs = 3_600_000;
const path = '/api/prompts/support%2Ftriage';

for (const engine of engines) {
  describe(`hostile reports and feedback (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    async function createAccount(): Promise<TestAccount> {
      const account = await register(service);
      await request(account, 'POST', '/api/prompts', { name: 'support/triage', template: 'one' });
      return account;
    }

    async function request({ token: key }: TestAccount, method: string, url: string, body?: object) {
      const response = await call(service, method, url, { key, ...(body && { body }) });
      assert.ok(response.status < 300, response.text);
      return response.body as never;
    }

    async function createToken(account: TestAccount): Promise<string> {
      const created: { token: string } = await request(account, 'POST', '/api/feedback/tokens', { prompt: 'support/triage', version: 1 });
      return created.token;
    }

    const rate = (token: string, feedback: object) =>
      call(service, 'POST', '/api/feedback/browser', { body: { token, name: 'helpful', value: true, ...feedback }, retries: 0 });
    const resultsOf = (account: TestAccount, url = path, query = ''): Promise<PromptResults> =>
      request(account, 'GET', `${url}/results${query}`);
    const scoresOf = async (account: TestAccount, url = path) =>
      (await resultsOf(account, url)).totals.scores.map(({ name, count }) => [name, count]);

    it('a token rates its prompt after a rename, and never another prompt with the same name', async () => {
      const account = await createAccount();
      const { feedbackToken: rendered }: { feedbackToken: string } = await request(account, 'POST', `${path}/render`, {
        feedbackToken: true,
        version: 1,
      });
      const token = await createToken(account);
      await request(account, 'PATCH', path, { name: 'renamed' });
      await request(account, 'POST', '/api/prompts', { name: 'support/triage', template: 'another prompt' });
      for (const each of [token, rendered]) assert.equal((await rate(each, {})).status, 202);
      assert.deepEqual(await scoresOf(account), []);
      assert.deepEqual(await scoresOf(account, '/api/prompts/renamed'), [['helpful', 2]]);
    });

    it('a token whose workspace was deleted is refused', async () => {
      const account = await createAccount();
      const token = await createToken(account);
      const cookie = await signIn(service, account);
      const from = { cookie, headers: { origin: service.url } };
      const deleted = await call(service, 'DELETE', '/api/account', { ...from, body: { password: account.password } });
      assert.ok(deleted.status < 300, deleted.text);
      await service.ctx.background.drain(60_000);
      assert.equal((await rate(token, {})).status, 403);
    });

    it('a browser cannot take the ids and names of programs', async () => {
      const account = await createAccount();
      const token = await createToken(account);
      await rate(token, { id: 'evaluation-1', value: false });
      for (let index = 0; index < 60; index += 1) {
        assert.equal((await rate(token, { name: `junk ${index}` })).status, 202);
        assert.equal((await rate(token, { name: 'tone', value: `junk ${index}` })).status, 202);
      }
      const own = { prompt: 'support/triage', version: 1 };
      await request(account, 'POST', '/api/feedback', { ...own, name: 'helpful', value: true, id: 'evaluation-1' });
      await request(account, 'POST', '/api/feedback', { ...own, name: 'accuracy', value: 0.5 });
      await request(account, 'POST', '/api/feedback', { ...own, name: 'tone', value: 'polite' });
      const { totals } = await resultsOf(account);
      const scores = new Map(totals.scores.map((score) => [score.name, score]));
      assert.equal(scores.get('helpful')?.count, 2);
      assert.equal(scores.get('accuracy')?.count, 1);
      assert.ok(scores.size <= 12, 'browsers add at most ten names');
      const categories = scores.get('tone')?.categories ?? [];
      assert.ok(categories.some(({ value }) => value === 'polite'));
      assert.ok(categories.length <= 12, 'browsers add at most ten categories and `other`');
    });

    it('feedback with an id that a browser sends again counts once', async () => {
      const account = await createAccount();
      const token = await createToken(account);
      for (let times = 0; times < 3; times += 1) await rate(token, { id: 'same' });
      assert.deepEqual(await scoresOf(account), [['helpful', 1]]);
    });

    it('the comments and ids of browsers are limited', async () => {
      const account = await createAccount();
      const token = await createToken(account);
      const { limits } = service.ctx.results;
      const hour = Math.floor(Date.now() / hourMs);
      for (let index = 0; index < 10_000; index += 1) limits('browserIds', hour, account.userId, `${index}`);
      for (let index = 0; index < 500; index += 1) limits('browserComments', hour, account.userId, `${index}`);
      const refused = await rate(token, { id: 'one more' });
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
      assert.equal((await rate(token, { comment: 'spam' })).status, 202);
      const comments: { data: unknown[] } = await request(account, 'GET', `${path}/comments`);
      assert.deepEqual(comments.data, []);
      await request(account, 'POST', '/api/feedback', {
        prompt: 'support/triage',
        name: 'helpful',
        value: true,
        id: 'own',
        comment: 'kept',
      });
      const kept: { data: unknown[] } = await request(account, 'GET', `${path}/comments`);
      assert.equal(kept.data.length, 1);
    });

    it('a page of another origin can read why its feedback was refused, and no other response', async () => {
      const account = await createAccount();
      const origin = { origin: 'https://example.com' };
      const send = (url: string, body: object, key?: string) =>
        call(service, 'POST', url, { body, headers: origin, ...(key !== undefined && { key }) });
      for (const body of [
        { token: 'pf_x', name: 'helpful', value: true },
        { token: await createToken(account), name: '', value: true },
      ]) {
        const refused = await send('/api/feedback/browser', body);
        assert.ok(refused.status === 400 || refused.status === 403);
        assert.equal(refused.headers.get('access-control-allow-origin'), '*');
      }
      for (const url of ['/api/feedback', '/api/feedback/tokens', '/api/results']) {
        assert.equal((await send(url, {}, account.token)).headers.get('access-control-allow-origin'), null, url);
        const preflight = await fetch(service.url + url, { method: 'OPTIONS', headers: origin });
        assert.equal(preflight.headers.get('access-control-allow-origin'), null, url);
      }
    });

    it('events of wrong types refuse themselves, and not the rest of the batch', async () => {
      const account = await createAccount();
      const odd = { toString: 1, valueOf: 2 };
      const score = { traceId: 't', name: 'helpful', value: 1 };
      const bodies: [type: unknown, body: unknown][] = [
        ['score-create', { ...score, dataType: odd }],
        ['score-create', { ...score, dataType: 'constructor' }],
        ['score-create', { ...score, dataType: '__proto__' }],
        ['observation-create', { type: odd, id: 'o' }],
        [odd, {}],
        ['generation-create', { id: odd }],
        ['generation-create', { id: 'g', promptName: odd }],
        ['generation-create', { id: 'g', promptName: 'support/triage', promptVersion: 1e308 }],
        ['score-create', null],
        ['score-create', [[[[]]]]],
        [
          'generation-create',
          { id: 'ok', traceId: 't', promptName: 'support/triage', promptVersion: 1, endTime: '2026-03-01T14:05:00.000Z' },
        ],
      ];
      const batch = bodies.map(([type, body], index) => ({ id: `${index}`, type, timestamp: new Date().toISOString(), body }));
      const { status, text } = await call(service, 'POST', '/api/public/ingestion', { key: account.token, body: { batch } });
      assert.equal(status, 207, text);
      assert.equal((await resultsOf(account)).totals.calls, 1);
    });

    it('a program whose clock is wrong by a year reports the right durations', async () => {
      const account = await createAccount();
      for (const [index, offset] of [-365 * 24 * hourMs, 365 * 24 * hourMs].entries()) {
        const at = (ms: number) => new Date(Date.now() + offset + ms).toISOString();
        const id = `g${index}`;
        const send = (type: string, body: object) =>
          request(account, 'POST', '/api/public/ingestion', {
            batch: [{ id: `${type} ${id}`, type, timestamp: at(0), body: { id, traceId: 't', ...body } }],
          });
        await send('generation-create', { promptName: 'support/triage', promptVersion: 1, startTime: at(0) });
        await send('generation-update', { endTime: at(2000) });
      }
      const { totals } = await resultsOf(account);
      assert.equal(totals.calls, 2);
      for (const p of [totals.durationMs.p50, totals.durationMs.p95]) assert.ok(Math.abs((p ?? 0) - 2000) <= 200, String(p));
    });

    it('names are also limited by workspace, and calls of earlier hours by combination', async () => {
      const account = await createAccount();
      const { limits } = service.ctx.results;
      const hour = Math.floor(Date.now() / hourMs);
      for (let index = 0; index < 10_000; index += 1) limits('names', hour, account.userId, `${index}`);
      for (let index = 0; index < 5000; index += 1) limits('earlierHours', hour, account.userId, `${index}`);
      await request(account, 'POST', '/api/feedback', { prompt: 'support/triage', version: 1, name: 'beyond', value: 1 });
      assert.deepEqual(await scoresOf(account), []);
      const endedAt = new Date(Date.now() - 5 * hourMs).toISOString();
      await request(account, 'POST', '/api/results', { calls: [{ prompt: 'support/triage', version: 1, durationMs: 1, endedAt }] });
      const { series, versions } = await resultsOf(account);
      assert.equal(series.at(-1)?.calls, 1, 'counted at its arrival');
      assert.equal(versions[0]?.version, 1);
    });

    it('percentiles of a month of hours and the costliest models are complete, however many rows there are', async () => {
      const account = await createAccount();
      const found = await service.ctx.store.reportedPrompts.find(account.userId, ['support/triage']);
      const promptId = found.get('support/triage')?.id ?? '';
      const end = Math.floor(Date.now() / hourMs) * hourMs;
      const hours = Array.from({ length: 700 }, (_, index) => new Date(end - index * hourMs).toISOString().slice(0, 13));
      const key = { accountId: account.userId, promptId, version: 1, label: '', calls: 1 };
      const numbers = { errors: 0, inputTokens: 0, outputTokens: 0, priced: 1, unpriced: 0 };
      const models = Array.from({ length: 700 }, (_, index) => `m${index}`);
      const counts: ResultCounts = {
        resultSums: models.map((model, index) => ({ ...key, ...numbers, time: hours[0] ?? '', model, cost: index })),
        resultCounts: [
          ...hours.flatMap((time) =>
            Array.from({ length: 75 }, (_, name) => ({ ...key, time, model: '', kind: 'duration' as const, name: String(name) })),
          ),
          ...models.map((model) => ({ ...key, time: hours[0] ?? '', model, kind: 'duration' as const, name: '50' })),
        ],
        resultScores: [],
      };
      const batch = { minute: '2026-03-01T14:05', calls: [], ends: [], scores: [] };
      await service.ctx.store.statistics.recordResults(batch, () => ({ counts, units: [], comments: [] }));
      const query = `?from=${new Date(end - 29 * 24 * hourMs).toISOString()}`;
      const results = await resultsOf(account, path, query);
      assert.ok(results.series.every(({ durationMs }) => durationMs.p50 !== null));
      assert.equal(results.models.length, 500);
      assert.equal(results.models[0]?.model, 'm699');
      assert.ok(results.models.every(({ durationMs }) => durationMs.p50 !== null));
      const all: WorkspaceResults = await request(account, 'GET', `/api/results${query}`);
      assert.equal(all.models.length, 500);
      assert.ok(all.prompts[0]?.durationMs.p50);
      assert.equal(all.totals.cost, results.totals.cost, 'the totals include all models');
    });
  });
}
