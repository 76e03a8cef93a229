import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Statistics } from '../../../src/contract/statistics.ts';
import { call, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`GET /api/stats (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    const cookies = new Map<string, string>();

    /** Waits until all calls have been written, then reads with the cookie, which is not counted. */
    async function statisticsOf(account: TestAccount, query = ''): Promise<Statistics> {
      const cookie = cookies.get(account.userId) ?? (await signIn(service, account));
      cookies.set(account.userId, cookie);
      await service.ctx.recorder.flush();
      const response = await call(service, 'GET', `/api/stats${query}`, { cookie });
      assert.equal(response.status, 200, response.text);
      return response.body as Statistics;
    }

    it('200: an account without calls gets zeros, nulls and a series without gaps', async () => {
      const statistics = await statisticsOf(await register(service));
      const { from, to, now, series, ...rest } = statistics;
      const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000;
      assert.ok(hours === 24 || hours === 25, `${hours} hours`);
      assert.equal(series.length, hours);
      assert.ok(from < now && now <= to, 'the last interval is not over');
      assert.deepEqual(rest, {
        interval: 'hour',
        timeZone: 'UTC',
        totals: { calls: 0, errors: 0 },
        durationMs: { p50: null, p95: null, p99: null },
        byRoute: [],
        byPrompt: [],
        byMember: [],
        byStatus: [],
        keyLastUsedAt: null,
      });
    });

    it('200: counts calls made with the key by route, status and hour; routes by their pattern', async () => {
      const account = await register(service);
      const { token: key } = account;
      const started = new Date().toISOString();
      for (let index = 0; index < 3; index += 1) await call(service, 'GET', '/api/auth/token', { key });
      for (let index = 0; index < 2; index += 1) await call(service, 'GET', `/api/prompts/missing${index}`, { key });
      await call(service, 'POST', '/api/prompts', { key, body: { nonsense: true } });

      const statistics = await statisticsOf(account);
      assert.deepEqual(statistics.totals, { calls: 6, errors: 3 });
      assert.deepEqual(statistics.byRoute, [
        { route: 'GET /api/auth/token', calls: 3, errors: 0 },
        { route: 'GET /api/prompts/{name}', calls: 2, errors: 2 },
        { route: 'POST /api/prompts', calls: 1, errors: 1 },
      ]);
      assert.deepEqual(statistics.byStatus, [
        { status: 200, calls: 3 },
        { status: 400, calls: 1 },
        { status: 404, calls: 2 },
      ]);
      assert.equal(sumOf(statistics), 6);
      const { p50, p95, p99 } = statistics.durationMs;
      assert.ok(p50 !== null && p95 !== null && p99 !== null && p50 > 0 && p50 <= p95 && p95 <= p99, JSON.stringify(statistics.durationMs));
      assert.ok(statistics.keyLastUsedAt !== null && statistics.keyLastUsedAt >= started);
    });

    it('200: counts served prompts by version and label, even for a 304', async () => {
      const account = await register(service);
      const { token: key } = account;
      const created = await call(service, 'POST', '/api/prompts', {
        key,
        body: { name: 'support/triage', type: 'text', template: 'Hello' },
      });
      assert.equal(created.status, 201, created.text);
      await call(service, 'POST', '/api/prompts/support%2Ftriage/versions', { key, body: { template: 'Hello again' } });
      const path = '/api/prompts/support%2Ftriage';
      const first = await call(service, 'GET', path, { key });
      await call(service, 'GET', path, { key });
      const unchanged = await call(service, 'GET', path, { key, headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
      assert.equal(unchanged.status, 304);
      await call(service, 'GET', `${path}?version=2`, { key });
      await call(service, 'POST', `${path}/render`, { key, body: { variables: {} } });

      const { byPrompt } = await statisticsOf(account);
      const [prompt, ...others] = byPrompt;
      assert.ok(prompt && others.length === 0);
      assert.equal(prompt.name, 'support/triage');
      assert.match(prompt.promptId, /^p_/);
      assert.equal(prompt.calls, 5);
      assert.equal(prompt.errors, 0);
      assert.deepEqual(prompt.versions, [
        { version: 1, label: 'production', calls: 4 },
        { version: 2, label: null, calls: 1 },
      ]);
    });

    it('200: the 100 most called versions of each prompt', async () => {
      const account = await register(service);
      const body = { name: 'many', type: 'text', template: 'Hello' };
      const created = await call(service, 'POST', '/api/prompts', { key: account.token, body });
      const { id: promptId } = created.body as { id: string };
      const time = new Date().toISOString().slice(0, '2026-03-01T14'.length);
      const prompts = Array.from({ length: 150 }, (_, index) => {
        const count = { accountId: account.userId, time, promptId, label: '', status: 200 };
        return { ...count, version: index + 1, calls: index + 1 };
      });
      await service.ctx.store.statistics.add({
        writer: 'w_versions',
        sequence: 1,
        calls: [],
        prompts,
        renderErrors: [],
        members: [],
        runs: [],
        releases: [],
        keyUses: [],
        promptKeys: [],
      });

      const { byPrompt } = await statisticsOf(account);
      assert.equal(byPrompt[0]?.calls, (150 * 151) / 2, 'of all versions');
      assert.deepEqual(
        byPrompt[0]?.versions.map(({ version }) => version),
        Array.from({ length: 100 }, (_, index) => 150 - index),
      );
    });

    it('200: a prompt that could not be rendered counts as an error of the prompt', async () => {
      const account = await register(service);
      const { token: key } = account;
      const body = { name: 'greeting', template: 'Hello {{ name }}' };
      assert.equal((await call(service, 'POST', '/api/prompts', { key, body })).status, 201);
      assert.equal((await call(service, 'POST', '/api/prompts/greeting/render', { key, body: {} })).status, 422);
      const [prompt] = (await statisticsOf(account)).byPrompt;
      assert.deepEqual([prompt?.name, prompt?.calls, prompt?.errors], ['greeting', 1, 1]);
    });

    it('200: calls by cookie, with refused keys and of unknown paths are not counted', async () => {
      const account = await register(service);
      const cookie = await signIn(service, account);
      await call(service, 'GET', '/api/prompts', { cookie });
      await call(service, 'GET', '/api/prompts', { key: `ph_${'0'.repeat(64)}` });
      await call(service, 'GET', '/api/prompts');
      await call(service, 'GET', '/api/no/such/path', { key: account.token });
      assert.equal((await statisticsOf(account)).totals.calls, 0);
    });

    it('200: ASVS 8.2.2: other accounts do not see it', async () => {
      const [caller, other] = [await register(service), await register(service)];
      await call(service, 'POST', '/api/prompts', { key: caller.token, body: { name: 'secret-plan', type: 'text', template: 'x' } });
      await call(service, 'GET', '/api/prompts/secret-plan', { key: caller.token });
      assert.equal((await statisticsOf(caller)).totals.calls, 2);
      const seen = await statisticsOf(other);
      assert.equal(seen.totals.calls, 0);
      assert.deepEqual([seen.byRoute, seen.byPrompt, seen.byStatus, seen.keyLastUsedAt], [[], [], [], null]);
    });

    it('200: calls are still counted after a reset; the new key has not been used', async () => {
      const account = await register(service);
      await call(service, 'GET', '/api/prompts', { key: account.token });
      const { body } = await call(service, 'DELETE', '/api/auth/token', { key: account.token });
      const between = await statisticsOf(account);
      assert.equal(between.totals.calls, 2);
      assert.equal(between.keyLastUsedAt, null);
      await call(service, 'GET', '/api/prompts', { key: (body as { token: string }).token });
      const afterwards = await statisticsOf(account);
      assert.equal(afterwards.totals.calls, 3);
      assert.ok(afterwards.keyLastUsedAt !== null);
    });

    it('200: a prompt that was deleted for good keeps its calls and loses its name', async () => {
      const account = await register(service);
      await record(service, { accountId: account.userId, promptId: 'p_gone', time: new Date().toISOString().slice(0, 13) });
      const { byPrompt } = await statisticsOf(account);
      assert.deepEqual(byPrompt, [
        { promptId: 'p_gone', name: null, calls: 1, errors: 0, versions: [{ version: 1, label: 'production', calls: 1 }] },
      ]);
    });

    it('200: widens the range to whole hours in UTC and returns every interval that it touches', async () => {
      const account = await register(service);
      await record(service, { accountId: account.userId, promptId: 'p_1', time: '2026-02-28T12' });
      await record(service, { accountId: account.userId, promptId: 'p_1', time: '2026-02-28T13' });
      await record(service, { accountId: account.userId, promptId: 'p_1', time: '2026-03-01T00' });
      await record(service, { accountId: account.userId, promptId: 'p_1', time: '2026-03-02T00' });

      const days = await statisticsOf(account, '?from=2026-02-28T13:30:00Z&to=2026-03-01T00:30:00%2B00:00&interval=day');
      assert.equal(days.from, '2026-02-28T13:00:00.000Z');
      assert.equal(days.to, '2026-03-01T01:00:00.000Z');
      assert.deepEqual(days.series, [
        { time: '2026-02-28T00:00:00.000Z', calls: 1, errors: 0 },
        { time: '2026-03-01T00:00:00.000Z', calls: 1, errors: 0 },
      ]);
      const hours = await statisticsOf(account, '?from=2026-02-28T11:00:00Z&to=2026-02-28T14:00:00Z&interval=hour');
      assert.deepEqual(
        hours.series.map(({ calls }) => calls),
        [0, 1, 1],
      );
      const long = await statisticsOf(account, '?from=2025-02-10&to=2026-03-17&interval=day');
      assert.equal(long.series.length, 400);
      assert.deepEqual(long.totals, { calls: 4, errors: 0 });
    });

    it('200: a range has the same total with every interval, for the workspace, for a prompt and by status', async () => {
      const account = await register(service);
      const promptId = await createPrompt(service, account, { name: 'counted', template: 'x' });
      const firstHour = Date.UTC(2026, 0, 1) / hourMs;
      const hours = fc.integer({ min: 0, max: 20 * 24 - 1 });
      const row = fc.record({ hour: hours, calls: fc.integer({ min: 1, max: 1e6 }), status: fc.constantFrom(200, 404, 422) });
      const selector = ({ hour, status }: { hour: number; status: number }) => `${storedTime(firstHour, hour)} ${status}`;
      const [rows = []] = fc.sample(fc.uniqueArray(row, { selector, minLength: 60, maxLength: 60 }), 1);
      // The first days are stored as if they had been rolled up.
      const stored = rows.map(({ hour, calls, status }) => ({ time: storedTime(firstHour, hour), calls, status }));
      await recordCalls(service, { accountId: account.userId, promptId, rows: stored });

      for (const [one, other, minutes] of fc.sample(fc.tuple(hours, hours, fc.integer({ min: 0, max: 59 })), 6)) {
        const [first, last] = [Math.min(one, other), Math.max(one, other) + 1];
        const from = new Date((firstHour + first) * hourMs + minutes * 60_000).toISOString();
        const to = new Date((firstHour + last) * hourMs).toISOString();
        const expected = stored.filter(({ time }) => timeIsIn(time, firstHour + first, firstHour + last));
        const calls = expected.reduce((sum, each) => sum + each.calls, 0);
        for (const filter of ['', '&prompt=counted']) {
          for (const interval of ['hour', 'day']) {
            const query = `?from=${from}&to=${to}&interval=${interval}${filter}`;
            const found = await statisticsOf(account, query);
            const sums = [found.totals.calls, sumOf(found), found.byStatus.reduce((sum, each) => sum + each.calls, 0)];
            assert.deepEqual(sums, [calls, calls, calls], query);
            const failed = await statisticsOf(account, `${query}&status=422`);
            const expectedFailed = expected.filter(({ status }) => status === 422).reduce((sum, each) => sum + each.calls, 0);
            assert.deepEqual([failed.totals, sumOf(failed)], [{ calls: expectedFailed, errors: expectedFailed }, expectedFailed], query);
          }
        }
      }
    });

    it('200: a prompt by version and label over time, without the calls of others', async () => {
      const account = await register(service);
      const { userId: accountId } = account;
      const promptId = await createPrompt(service, account, { name: 'support/triage', template: 'x' });
      await record(service, { accountId, promptId, time: '2026-03-01T00' });
      await record(service, { accountId, promptId, time: '2026-03-01T02', version: 2, label: '' });
      await record(service, { accountId, promptId, time: '2026-03-01T02', version: 2, label: '' });
      await record(service, { accountId, promptId: 'p_other', time: '2026-03-01T01' });
      const found = await statisticsOf(account, '?prompt=support/triage&from=2026-03-01&to=2026-03-01T03:00:00Z');
      assert.deepEqual(found.byVersion, [
        { version: 2, label: null, calls: 2, errors: 0, series: [0, 0, 2] },
        { version: 1, label: 'production', calls: 1, errors: 0, series: [1, 0, 0] },
      ]);
      assert.deepEqual(found.totals, { calls: 3, errors: 0 });
      assert.deepEqual([found.byRoute, found.errors], [[], []]);
      assert.deepEqual(
        found.byPrompt.map(({ name, calls }) => [name, calls]),
        [['support/triage', 3]],
      );
    });

    it('200: why a prompt could not be rendered: the missing variables, the include that was not found, or just the code', async () => {
      const account = await register(service);
      const { token: key } = account;
      await createPrompt(service, account, { name: 'greeting', template: 'Hello {{ name }} from {{ city }}{{ country | default: "" }}' });
      await createPrompt(service, account, { name: 'letter', template: "{% render 'tone', label: 'staging' %}" });
      await createPrompt(service, account, { name: 'odd', template: "{% render 'a\\u0007b' %}" });
      await createPrompt(service, account, { name: 'broken', template: '{% for i in (1..n) %}x{% endfor %}' });
      const render = async (name: string, variables: object) =>
        assert.equal((await call(service, 'POST', `/api/prompts/${name}/render`, { key, body: { variables } })).status, 422);
      await render('greeting', { name: 'Ada', unknown: 1 });
      await render('greeting', {});
      await render('letter', {});
      await render('odd', {});
      await render('broken', { n: 1e12 });

      const errorsOf = async (name: string) => (await statisticsOf(account, `?prompt=${name}`)).errors;
      assert.deepEqual(await errorsOf('greeting'), [
        { code: 'missing_variables', name: 'city', calls: 2 },
        { code: 'missing_variables', name: 'name', calls: 1 },
      ]);
      assert.deepEqual(await errorsOf('letter'), [{ code: 'unresolved_partial', name: 'tone (staging)', calls: 1 }]);
      assert.deepEqual(await errorsOf('odd'), [{ code: 'unresolved_partial', name: 'a\uFFFDb', calls: 1 }]);
      assert.deepEqual(await errorsOf('broken'), [{ code: 'render_failed', name: null, calls: 1 }]);
      assert.deepEqual((await statisticsOf(account, '?prompt=greeting&status=200')).errors, []);
      assert.equal((await statisticsOf(account, '?prompt=greeting')).totals.errors, 2, 'the call that lacks two variables is one error');
    });

    it('404: statistics of a prompt that does not exist, or of another workspace', async () => {
      const [owner, other] = [await register(service), await register(service)];
      await createPrompt(service, owner, { name: 'secret-plan', template: '{{ x }}' });
      for (const name of ['secret-plan', 'nope', '%00', `${'x'.repeat(300)}`, '']) {
        const response = await call(service, 'GET', `/api/stats?prompt=${name}`, { key: other.token });
        assert.deepEqual([response.status, (response.body as { code: string }).code], [404, 'prompt_not_found'], name);
      }
    });

    it('400: a bad parameter, naming it', async () => {
      const { token: key } = await register(service);
      const bad: Record<string, string> = {
        'from=yesterday': '/from',
        'from=2026-02-30': '/from',
        'from=2026-13-01T00:00:00Z': '/from',
        'from=2026-03-01T00:00:00': '/from',
        'from=': '/from',
        'to=1': '/to',
        'to=2026-03-01T25:00:00Z': '/to',
        'from=2026-03-02&to=2026-03-01': '/from',
        'from=2026-03-01&to=2026-03-01': '/from',
        'from=2026-01-01&to=2026-02-02': '/from',
        'from=2025-01-01&to=2026-03-01&interval=day': '/from',
        'interval=minute': '/interval',
        'interval=': '/interval',
        'account=u_1': '/account',
        'status=ok': '/status',
        'status=99': '/status',
        [`prompt=${'x'.repeat(401)}`]: '/prompt',
      };
      for (const [query, path] of Object.entries(bad)) {
        const response = await call(service, 'GET', `/api/stats?${query}`, { key });
        assert.equal(response.status, 400, query);
        const { code, details } = response.body as { code: string; details: { path: string }[] };
        assert.equal(code, 'invalid_input', query);
        assert.ok(
          details.some((detail) => detail.path === path),
          `${query}: ${response.text}`,
        );
      }
    });

    it('401: without a key', async () => {
      const response = await call(service, 'GET', '/api/stats');
      assert.equal(response.status, 401);
      assert.equal(response.text, '{"error":"Unauthorized"}');
    });
  });
}

let sequence = 0;

interface RecordedCall {
  accountId: string;
  promptId: string;
  time: string;
  version?: number;
  label?: string;
}

/** Records one call at a given time, as an instance would. */
async function record(service: Service, { accountId, promptId, time, version, label }: RecordedCall) {
  await recordCalls(service, { accountId, promptId, rows: [{ time, status: 200, calls: 1 }], version, label });
}

interface RecordedCalls {
  accountId: string;
  promptId: string;
  rows: { time: string; status: number; calls: number }[];
  version?: number | undefined;
  label?: string | undefined;
}

async function recordCalls(service: Service, { accountId, promptId, rows, version = 1, label = 'production' }: RecordedCalls) {
  sequence += 1;
  await service.ctx.store.statistics.add({
    writer: 'w_test',
    sequence,
    calls: rows.map((row) => ({ accountId, ...row, route: 'GET /api/prompts/{name}', bucket: 20 })),
    prompts: rows.map((row) => ({ accountId, ...row, promptId, version, label })),
    renderErrors: [],
    members: [],
    runs: [],
    releases: [],
    promptKeys: [],
    keyUses: [{ accountId, keySerial: 1, lastUsedMs: Date.parse('2026-03-01') }],
  });
}

/** Returns the id of a new prompt. */
async function createPrompt(service: Service, { token: key }: TestAccount, body: { name: string; template: string }): Promise<string> {
  const response = await call(service, 'POST', '/api/prompts', { key, body });
  assert.equal(response.status, 201, response.text);
  return (response.body as { id: string }).id;
}

function sumOf({ series }: Statistics): number {
  return series.reduce((sum, { calls }) => sum + calls, 0);
}

const hourMs = 3_600_000;

/** Returns the time under which a call is stored. The first five days are stored as whole days. */
function storedTime(firstHour: number, hour: number): string {
  return new Date((firstHour + hour) * hourMs).toISOString().slice(0, hour < 5 * 24 ? '2026-01-01'.length : '2026-01-01T00'.length);
}

/** Returns whether a range includes a stored time. All calls of a rolled-up day count at the beginning of the day. */
function timeIsIn(time: string, fromHour: number, toHour: number): boolean {
  const hour = Date.parse(time.length === '2026-01-01'.length ? time : `${time}:00Z`) / hourMs;
  return hour >= fromHour && hour < toHour;
}
