import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CaseResult, Check, CheckSummary } from '../../../src/contract/checks.ts';
import type { ApiResponse } from '../../support/client.ts';
import { asJson, connect, describeWithModels, readEvents, startRawServer } from '../../support/models.ts';
import { assertRefused, type Client, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const path = pathOf('greet', '/checks');
const completion = (content: string) => JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });

/** Returns why a check run was refused, either before its stream started or in the stream. */
function readRefusal(response: ApiResponse): string {
  return String(response.status === 200 ? readEvents(response).at(-1)?.data.message : (response.body as { error: string }).error);
}

describeWithModels(
  '/api/prompts/{name}/checks',
  ({ service, mock }) => {
    async function prepare(): Promise<{ client: Client; connection: string }> {
      const client = await newClient(service());
      mock.reset();
      mock.onMessage('Greet Ada', { content: 'Hello Ada!', usage: { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 } });
      mock.onMessage('Greet Bob', { content: '{"greeting":"Hi"}' });
      await client.create({ name: 'greet', template: 'Greet {{ name }}' });
      const prices = { 'some-model': { input: 1, output: 1 } };
      return { client, connection: (await connect(client, `${mock.url}/v1`, { prices })).id };
    }

    async function addCase(client: Client, name: string, checks: object[], variables: object = { name }): Promise<void> {
      const response = await client.call('POST', pathOf('greet', '/cases'), { name, variables, checks });
      assert.equal(response.status, 201, response.text);
    }

    async function run(client: Client, body: object): Promise<Check> {
      const response = await client.call('POST', path, body, asJson);
      assert.equal(response.status, 200, response.text);
      return response.body as Check;
    }

    const messagesOf = ({ cases }: Check) => cases.flatMap(({ checks }) => checks.map(({ message }) => message));

    it('runs all test cases, says why each failed, and keeps the result with the version', async () => {
      const { client, connection } = await prepare();
      await addCase(client, 'Ada', [
        { kind: 'contains', value: 'Ada' },
        { kind: 'notContains', value: 'Bob' },
        { kind: 'equals', value: ' Hello Ada! ' },
        { kind: 'matches', value: '^H.*!$' },
        { kind: 'maxCharacters', value: 10 },
        { kind: 'maxTokens', value: 1000 },
        { kind: 'maxLatencyMs', value: 600_000 },
        { kind: 'contains', value: 'Greet', on: 'prompt' },
      ]);
      await addCase(client, 'Bob', [
        { kind: 'json' },
        { kind: 'jsonSchema', value: { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] } },
      ]);
      const passed = await run(client, { connection });
      assert.deepEqual(
        [passed.passed, passed.failed, passed.version, passed.model, passed.current],
        [2, 0, 1, 'some-model', true],
        JSON.stringify(passed),
      );
      assert.ok(passed.cost !== null && passed.cost >= 0.002);
      assert.deepEqual(
        passed.cases.map(({ name, output }) => [name, output]),
        [
          ['Ada', 'Hello Ada!'],
          ['Bob', '{"greeting":"Hi"}'],
        ],
      );

      await addCase(client, 'Ada', [
        { kind: 'contains', value: 'Bob' },
        { kind: 'notContains', value: 'Ada' },
        { kind: 'equals', value: 'Hello' },
        { kind: 'matches', value: '^x' },
        { kind: 'json' },
        { kind: 'jsonSchema', value: { type: 'object' } },
        { kind: 'maxCharacters', value: 9 },
        { kind: 'maxTokens', value: 999 },
        { kind: 'maxTokens', value: 1, on: 'prompt' },
      ]);
      await addCase(client, 'Nobody', [], {});
      const failed = await run(client, { version: 1, connection });
      assert.deepEqual([failed.passed, failed.failed], [2, 2]);
      assert.deepEqual(
        failed.cases[2]?.checks.map(({ message }) => message),
        [
          'The output does not contain “Bob”',
          'The output contains “Ada”',
          'The output is not “Hello”',
          'The output does not match ^x',
          'The output is not JSON',
          'The output is not JSON',
          'The output has 10 characters, but at most 9 are allowed',
          'The output has 1000 tokens, but at most 999 are allowed',
          'The prompt has 1000 tokens, but at most 1 are allowed',
        ],
      );
      assert.deepEqual(
        [failed.cases[3]?.error?.code, failed.cases[3]?.error?.message],
        ['missing_variables', 'Variables are missing: name'],
      );

      await client.save('greet', { template: 'Greet {{ name }} again' });
      const { data } = await client.get<ListBody<CheckSummary>>(path);
      const { cases: _cases, ...summary } = failed;
      assert.deepEqual(data, [summary, { ...data[1], id: passed.id, current: false }]);
      assert.deepEqual(await client.get(`${path}/${failed.id}`), failed);
      assert.deepEqual((await client.get<ListBody>(`${path}?version=2`)).data, []);
      assert.equal((await client.get<ListBody>(`${path}?version=1&limit=1`)).data.length, 1);
    });

    it('streams the result of each test case, and the end', async () => {
      const { client, connection } = await prepare();
      await addCase(client, 'Ada', [{ kind: 'contains', value: 'Ada' }]);
      await addCase(client, 'Bob', [{ kind: 'contains', value: 'Ada' }]);
      const events = readEvents(await client.call('POST', path, { connection, parallel: 1 }));
      assert.deepEqual(
        events.map(({ event }) => event),
        ['case', 'case', 'done'],
      );
      assert.deepEqual(
        events.slice(0, 2).map(({ data }) => [data.done, data.total, (data.case as CaseResult).passed]),
        [
          [1, 2, true],
          [2, 2, false],
        ],
      );
      assert.equal(events[2]?.data.failed, 1);
      assert.equal(events[2]?.data.cases, undefined);
    });

    it('checks on the rendered prompt need no model', async () => {
      const { client } = await prepare();
      await addCase(client, 'Ada', [
        { kind: 'equals', value: 'Greet Ada', on: 'prompt' },
        { kind: 'maxTokens', value: 3, on: 'prompt' },
      ]);
      const result = await run(client, { version: 1 });
      assert.deepEqual([result.passed, result.connection, result.model, result.cost, result.cases[0]?.output], [1, null, null, null, null]);
      assert.deepEqual(mock.getRequests(), []);
      await addCase(client, 'Bob', [{ kind: 'contains', value: 'Bob' }]);
      const refused = assertRefused(await client.call('POST', path, {}, asJson), 400, 'invalid_input', '/connection');
      assert.match(refused.details?.[0]?.message ?? '', /the test case “Bob” needs the output of a model/);
    });

    it('a judge is a prompt of the same workspace, and its verdict decides', async () => {
      const { client, connection } = await prepare();
      await client.create({
        name: 'judges/polite',
        template: 'Is this polite: {{ output }} (for {{ variables.name }}, from {{ prompt | upcase }})',
      });
      mock.onMessage('Is this polite: Hello Ada! (for Ada, from GREET ADA)', {
        content: '```json\n{"pass": true, "why": "friendly"}\n```',
      });
      mock.onMessage('Is this polite: {"greeting":"Hi"}', { content: 'No, it is short.' });
      await addCase(client, 'Ada', [{ kind: 'judge', value: 'judges/polite' }]);
      await addCase(client, 'Bob', [{ kind: 'judge', value: 'judges/polite' }]);
      await addCase(client, 'Ada', [{ kind: 'judge', value: 'judges/nobody' }]);
      await addCase(client, 'Ada', [{ kind: 'judge', value: 'judges/polite', connection: 'nobody' }]);
      const result = await run(client, { connection });
      assert.deepEqual(
        result.cases.map(({ passed }) => passed),
        [true, false, false, false],
      );
      const messages = messagesOf(result);
      assert.match(messages[0] ?? '', /friendly/);
      assert.equal(messages[1], 'No, it is short.');
      assert.match(messages[2] ?? '', /The judge cannot be run: There is no prompt with this name/);
      assert.match(messages[3] ?? '', /The judge cannot be run: The workspace has no such model connection/);
    });

    it('a judge with a rubric needs no prompt', async () => {
      const { client, connection } = await prepare();
      // The mock uses the first message that matches, and the judge's message contains the prompt too. The judge's responses are therefore
      // registered first.
      mock.reset();
      mock.onMessage(JSON.stringify({ rubric: 'Is polite', prompt: 'Greet Ada', output: 'Hello Ada!' }), {
        content: '{"pass": true, "reason": "It greets."}',
      });
      mock.onMessage(JSON.stringify({ rubric: 'Is “polite”', prompt: 'Greet Bob', output: 'Greet Bob' }), { content: '{"pass": false}' });
      mock.onMessage('Greet Ada', { content: 'Hello Ada!' });
      await addCase(client, 'Ada', [{ kind: 'judge', rubric: 'Is polite' }]);
      await addCase(client, 'Bob', [{ kind: 'judge', rubric: 'Is “polite”', on: 'prompt' }]);
      const result = await run(client, { connection });
      assert.deepEqual(
        result.cases.map(({ passed }) => passed),
        [true, false],
        JSON.stringify(messagesOf(result)),
      );
      const [check] = result.cases[0]?.checks ?? [];
      assert.deepEqual([check?.rubric, check?.message], ['Is polite', 'It greets.']);
    });

    it('a judge without a model of its own uses the model of the checks, and says what is missing if there is none', async () => {
      const { client } = await prepare();
      await client.create({ name: 'judge', template: 'Judge {{ output }}' });
      mock.onMessage('Judge Hello Ada!', { content: 'yes' });
      const anyModel = await connect(client, `${mock.url}/v1`, { models: [] });
      const other = await connect(client, `${mock.url}/v1`, { models: [] });
      await addCase(client, 'Ada', [
        { kind: 'judge', value: 'judge' },
        { kind: 'judge', value: 'judge', connection: other.name },
      ]);
      const result = await run(client, { connection: anyModel.id, model: 'some-model' });
      const checks = result.cases[0]?.checks ?? [];
      assert.deepEqual(
        checks.map(({ passed }) => passed),
        [true, false],
      );
      assert.equal(
        checks[1]?.message,
        `The judge cannot be run: Specify a model, because neither the prompt’s config nor the connection “${other.name}” names one`,
      );
    });

    it('says what is wrong with the values of a test case', async () => {
      const { client, connection } = await prepare();
      await client.create({ name: 'talk', messages: [{ placeholder: 'history' }] });
      const added = await client.call('POST', pathOf('talk', '/cases'), { name: 'A', variables: { history: 'no' }, checks: [] });
      assert.equal(added.status, 201, added.text);
      const response = await client.call('POST', pathOf('talk', '/checks'), { connection }, asJson);
      assert.equal((response.body as Check).cases[0]?.error?.message, 'history: Must be an array of messages, each with role and content');
    });

    it('a failing server fails the test cases, and a request to a busy server is retried', async (t) => {
      const { client } = await prepare();
      let requests = 0;
      const raw = await startRawServer((_req, res) => {
        requests += 1;
        if (requests === 1) res.writeHead(429, { 'retry-after': 'soon' }).end('{"error":"busy"}');
        else if (requests === 2) res.writeHead(200, { 'content-type': 'application/json' }).end(completion('Hi'));
        else res.writeHead(401).end('{"error":"no"}');
      });
      t.after(() => raw.close());
      const { id } = await connect(client, raw.url);
      await addCase(client, 'Ada', [{ kind: 'contains', value: 'Hi' }]);
      await addCase(client, 'Bob', [{ kind: 'contains', value: 'Hi' }]);
      const result = await run(client, { connection: id, parallel: 1 });
      assert.deepEqual(
        result.cases.map(({ passed, error }) => [passed, error?.status ?? null]),
        [
          [true, null],
          [false, 401],
        ],
      );
      assert.equal(requests, 3);
    });

    it('a client that disconnects ends the checks, and nothing is kept', async (t) => {
      const { client } = await prepare();
      const { promise: started, resolve } = Promise.withResolvers<void>();
      const { promise: closed, resolve: close } = Promise.withResolvers<void>();
      let requests = 0;
      const raw = await startRawServer((_req, res) => {
        requests += 1;
        res.on('close', close);
        resolve();
      });
      t.after(() => raw.close());
      const { id } = await connect(client, raw.url);
      for (const name of ['Ada', 'Bob']) await addCase(client, name, []);
      const controller = new AbortController();
      const response = client.call('POST', path, { connection: id, parallel: 1 }, { ...asJson, signal: controller.signal });
      await started;
      controller.abort();
      await assert.rejects(response);
      await closed;
      assert.equal(requests, 1);
      assert.deepEqual((await client.get<ListBody>(path)).data, []);
    });

    it('a judge’s request to a busy server is retried too', async (t) => {
      const { client } = await prepare();
      await client.create({ name: 'judge', template: 'Judge {{ output }}' });
      let refusals = 2;
      const raw = await startRawServer((_req, res, body) => {
        if (body.includes('Judge')) refusals -= 1;
        if (body.includes('Judge') && refusals >= 0) res.writeHead(429).end('{"error":"busy"}');
        else res.writeHead(200, { 'content-type': 'application/json' }).end(completion('pass'));
      });
      t.after(() => raw.close());
      const { id } = await connect(client, raw.url);
      await addCase(client, 'Ada', [{ kind: 'judge', value: 'judge' }]);
      const result = await run(client, { connection: id });
      assert.deepEqual([result.passed, refusals], [1, -1], JSON.stringify(result));
    });

    it('ends when the caller may no longer run models, and keeps nothing', async (t) => {
      const { client: owner } = await prepare();
      const { store } = service().ctx;
      const waiting: (() => void)[] = [];
      let arrived = Promise.withResolvers<void>();
      let requests = 0;
      const raw = await startRawServer((_req, res) => {
        requests += 1;
        waiting.push(() => res.writeHead(200, { 'content-type': 'application/json' }).end(completion('Hi')));
        arrived.resolve();
      });
      t.after(() => raw.close());
      const { id } = await connect(owner, raw.url);
      for (const name of ['Ada', 'Bob']) await addCase(owner, name, []);

      const losses: [RegExp, (member: Client) => Promise<unknown>][] = [
        [/need the role "editor"/, (member) => owner.call('PATCH', `/api/members/${member.userId}`, { role: 'viewer' })],
        [/^Unauthorized$/, (member) => owner.call('DELETE', `/api/members/${member.userId}`)],
        [/^Unauthorized$/, (member) => store.accounts.delete(member.userId)],
      ];
      for (const [reason, lose] of losses) {
        for (const headers of [asJson.headers, {}]) {
          arrived = Promise.withResolvers<void>();
          requests = 0;
          const member = await newMember(service(), owner, 'editor');
          const there = { headers: { ...inWorkspace(owner).headers, ...headers } };
          const response = member.call('POST', path, { connection: id, parallel: 1 }, there);
          await arrived.promise;
          await lose(member);
          for (const respond of waiting.splice(0)) respond();
          const ended = await response;
          assert.match(readRefusal(ended), reason);
          assert.equal(requests, 1, 'nothing more is sent');
        }
      }
      assert.deepEqual((await owner.get<ListBody>(path)).data, []);
    });

    it('uses the connection as it is now, not as it was when the checks began', async (t) => {
      const { client } = await prepare();
      const keys: unknown[] = [];
      const raw = await startRawServer(async (req, res) => {
        keys.push(req.headers.authorization);
        // The model connection is deleted during the second call, which therefore gets no response.
        if (keys.length === 2) return void (await client.call('DELETE', `/api/models/${id}`));
        await client.call('PATCH', `/api/models/${id}`, { apiKey: 'the-key-that-replaced-it' });
        res.writeHead(200, { 'content-type': 'application/json' }).end(completion('Hi'));
      });
      t.after(() => raw.close());
      const { id } = await connect(client, raw.url, { apiKey: 'the-key-that-was-leaked' });
      for (const name of ['Ada', 'Bob', 'Eve']) await addCase(client, name, []);
      const { cases } = await run(client, { connection: id, parallel: 1 });
      assert.deepEqual(keys, ['Bearer the-key-that-was-leaked', 'Bearer the-key-that-replaced-it']);
      assert.deepEqual(
        cases.map(({ passed, error }) => [passed, error?.code]),
        [
          [true, undefined],
          [false, 'canceled'],
          [false, 'connection_not_found'],
        ],
      );
    });

    it('400, 403, 404, 409: refuses before anything is sent', async () => {
      const { client, connection } = await prepare();
      for (const options of [asJson, {}]) {
        assertRefused(await client.call('POST', path, { connection }, options), 409, 'no_cases');
      }
      await addCase(client, 'Ada', []);
      assertRefused(await client.call('POST', path, { connection: 'nobody' }), 400, 'invalid_input', '/connection');
      assertRefused(await client.call('POST', path, { connection, model: 'other' }), 400, 'invalid_input', '/model');
      assertRefused(await client.call('POST', path, { connection, version: 9 }), 404, 'version_not_found');
      assertRefused(await client.call('POST', path, { connection, parallel: 9 }), 400, 'invalid_input', '/parallel');
      const viewer = await newMember(service(), client, 'viewer');
      assertRefused(await viewer.call('POST', path, { connection }, inWorkspace(client)), 403, 'forbidden');
      assert.equal((await viewer.call('GET', path, undefined, inWorkspace(client))).status, 200);
      const { id } = await run(client, { connection });
      const other = await newClient(service());
      await other.create({ name: 'greet', template: 'x' });
      assertRefused(await other.call('GET', `${path}/${id}`), 404, 'check_not_found');
      assertRefused(await client.call('GET', `${path}/a%00b`), 404, 'check_not_found');
    });
  },
  {
    prepare({ modelRuns }) {
      modelRuns.limits.retryMs = 1;
    },
  },
);
