import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { CaseResult } from '../../../src/contract/checks.ts';
import type { ModelKind } from '../../../src/contract/model-kinds.ts';
import type { ModelConnectionTest } from '../../../src/contract/models.ts';
import type { FailedRun, Run, RunError } from '../../../src/contract/runs.ts';
import type { ApiResponse } from '../../support/client.ts';
import {
  asJson,
  connect,
  describeWithModels,
  providerKey,
  type RawServer,
  readEvents,
  startModelService,
  startRawServer,
} from '../../support/models.ts';
import { assertRefused, type Client, newClient, pathOf } from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';

/** For each protocol other than OpenAI's: the path of its requests, and the header with the key. */
const kinds = {
  anthropic: { base: '/v1', path: '/v1/messages', keyHeader: 'x-api-key' },
  gemini: { base: '/v1beta', path: '/v1beta/models/some-model:streamGenerateContent?alt=sse', keyHeader: 'x-goog-api-key' },
} as const satisfies Partial<Record<ModelKind, object>>;

for (const [kind, { base, path, keyHeader }] of Object.entries(kinds)) {
  describeWithModels(`A run on a server with the protocol ${kind}`, ({ service, mock }) => {
    const prices = { 'some-model': { input: 2, output: 4 } };
    const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
    const lastRequest = () => {
      const request = mock.getLastRequest();
      assert.ok(request);
      return { ...request, body: request.body as unknown as Record<string, unknown> };
    };

    async function prepare(config: object = {}): Promise<{ client: Client; connection: string }> {
      const client = await newClient(service());
      mock.reset();
      mock.onMessage('Greet Ada', { content: 'Hello Ada, nice to meet you!', usage });
      await client.create({ name: 'greet', template: 'Greet {{ name }}', config });
      const { id } = await connect(client, mock.url + base, { kind, prices });
      return { client, connection: id };
    }

    const run = (client: Client, body: object, options: object = asJson) =>
      client.call('POST', '/api/prompts/greet/run', { variables: { name: 'Ada' }, ...body }, options);

    it('streams the same events as any other run, and sends the key only in its header', async () => {
      const { client, connection } = await prepare({ temperature: 0.2, max_tokens: 77 });
      const events = readEvents(await run(client, { connection }, {}));
      const text = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text] : [])).join('');
      assert.equal(text, 'Hello Ada, nice to meet you!');
      const [counted, done] = events.slice(-2);
      const cost = (1000 * 2 + 500 * 4) / 1e6;
      assert.deepEqual(counted, { event: 'usage', data: { inputTokens: 1000, outputTokens: 500, estimated: false, cost } });
      assert.equal(done?.data.finishReason, 'stop');
      const request = lastRequest();
      assert.equal(request.path, path);
      // The mock hides the values of keys.
      assert.deepEqual([request.headers[keyHeader], request.headers.authorization], ['[REDACTED]', undefined]);
      assert.deepEqual([request.body.temperature, request.body.max_tokens, request.body.stream], [0.2, 77, true]);
    });

    it('returns tool calls and reasoning, and takes the results of tools', async () => {
      const tools = [{ type: 'function', function: { name: 'lookup', parameters: { type: 'object', properties: {} } } }];
      const { client, connection } = await prepare({ tools });
      mock.reset();
      mock.onToolResult('call_1', { content: 'It is sunny in Rome.' });
      mock.onMessage('Greet Ada', {
        reasoning: 'I look it up.',
        toolCalls: [
          { id: 'call_1', name: 'lookup', arguments: '{"city":"Rome"}' },
          { id: 'call_2', name: 'lookup', arguments: '{}' },
        ],
      });
      const first = (await run(client, { connection })).body as Run;
      const toCall = (id: string, args: string) => ({ id, type: 'function', function: { name: 'lookup', arguments: args } });
      assert.deepEqual(first.toolCalls, [toCall('call_1', '{"city":"Rome"}'), toCall('call_2', '{}')]);
      assert.equal(first.finishReason, 'tool_calls');
      const events = readEvents(await run(client, { connection }, {}));
      assert.deepEqual(
        events.filter(({ event }) => event === 'tool_call').map(({ data }) => data),
        first.toolCalls,
      );
      assert.equal(events.flatMap(({ data }) => (typeof data.reasoning === 'string' ? [data.reasoning] : [])).join(''), 'I look it up.');

      await client.create({
        name: 'chat',
        messages: [{ role: 'system', content: 'Be kind' }, { placeholder: 'history' }],
        config: { tools },
      });
      const history = [
        { role: 'user', content: 'Greet Ada' },
        { role: 'assistant', content: null, tool_calls: first.toolCalls },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
        { role: 'tool', tool_call_id: 'call_2', content: '{"sky":"blue"}' },
      ];
      const second = await client.call('POST', pathOf('chat', '/run'), { variables: { history }, connection }, asJson);
      assert.equal(second.status, 200, second.text);
      const roles = (lastRequest().body.messages as { role: string }[]).map(({ role }) => role);
      assert.deepEqual(roles, ['system', 'user', 'assistant', 'tool', 'tool']);
    });

    it('runs checks and judges', async () => {
      const { client, connection } = await prepare();
      mock.reset();
      mock.onMessage(/rubric/, { content: '{"pass": true, "reason": "It is kind."}' });
      mock.onMessage('Greet Ada', { content: 'Hello Ada!' });
      const checks = [
        { kind: 'contains', value: 'Hello' },
        { kind: 'judge', rubric: 'Is kind' },
      ];
      await client.call('POST', pathOf('greet', '/cases'), { name: 'One', variables: { name: 'Ada' }, checks });
      const response = await client.call('POST', pathOf('greet', '/checks'), { connection }, asJson);
      assert.equal(response.status, 200, response.text);
      const { passed, cases } = response.body as { passed: number; cases: CaseResult[] };
      assert.deepEqual([passed, cases[0]?.checks[1]?.message], [1, 'It is kind.']);
    });

    it('422: refuses what the protocol cannot express before anything is sent, and a check run says so', async () => {
      const { client, connection } = await prepare();
      await client.create({ name: 'chat', messages: [{ placeholder: 'history' }] });
      const history = [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'video_url' }] }];
      mock.clearRequests();
      for (const options of [asJson, {}]) {
        const refused = await client.call('POST', pathOf('chat', '/run'), { variables: { history }, connection }, options);
        const { error } = assertRefused(refused, 422, 'unsupported_by_model');
        assert.match(error, /^Message 1, part 2: \w+ does not accept parts of the type “video_url”\.$/);
      }
      await client.call('POST', pathOf('chat', '/cases'), { name: 'One', variables: { history }, checks: [] });
      const { body } = await client.call('POST', pathOf('chat', '/checks'), { connection }, asJson);
      assert.equal((body as { cases: CaseResult[] }).cases[0]?.error?.code, 'unsupported_by_model');
      assert.deepEqual(mock.getRequests(), []);
    });

    it('keeps what arrived before the server was cut off', async () => {
      const { client, connection } = await prepare();
      mock.reset();
      mock.onMessage('Greet Ada', { content: 'Hello Ada, nice to meet you!' }, { truncateAfterChunks: 3, chunkSize: 5 });
      const { error, run: kept } = (await run(client, { connection })).body as FailedRun & { error: unknown };
      assert.ok(error);
      assert.match(kept.error?.code ?? '', /^(incomplete|unreachable)$/);
      assert.ok(kept.usage.estimated);
    });
  });
}

const sse = { 'content-type': 'text/event-stream' };
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** For each protocol, events with text and with an error in the middle of a response. */
const streams = {
  anthropic: {
    text: (text: string) =>
      event({ type: 'message_start', message: { usage: { input_tokens: 3 } } }) +
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    error: (message: string) => `event: error\n${event({ type: 'error', error: { type: 'overloaded_error', message } })}`,
    whole: {
      type: 'message',
      content: [{ type: 'text', text: 'Whole' }],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 3, output_tokens: 1 },
    },
    list: { data: [{ id: 'some-model', type: 'model' }, { id: 'other' }], has_more: false },
    listPath: '/v1/models?limit=1000',
  },
  gemini: {
    text: (text: string) =>
      event({ candidates: [{ content: { role: 'model', parts: [{ text }] } }], usageMetadata: { promptTokenCount: 3 } }),
    error: (message: string) => event({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
    whole: {
      candidates: [{ content: { parts: [{ text: 'Whole' }] }, finishReason: 'MAX_TOKENS' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1 },
    },
    list: { models: [{ name: 'models/some-model' }, { name: 'models/other' }] },
    listPath: '/v1/models?pageSize=1000',
  },
} as const;

for (const kind of ['anthropic', 'gemini'] as const) {
  const stream = streams[kind];
  describe(`A run whose server has the protocol ${kind} and fails`, () => {
    let service: Service;
    let server: RawServer;
    let client: Client;
    let connection: string;
    let respond: (res: ServerResponse, req: IncomingMessage) => void;
    before(async () => {
      service = await startModelService();
      server = await startRawServer((req, res) => respond(res, req));
      client = await newClient(service);
      await client.create({ name: 'greet', template: 'Hello' });
      connection = (await connect(client, server.url, { kind })).id;
    });
    after(async () => {
      await service.close();
      await server.close();
    });

    const run = (options: object): Promise<ApiResponse> => client.call('POST', '/api/prompts/greet/run', { connection }, options);

    async function fail(behave: typeof respond): Promise<RunError & Pick<Run, 'output' | 'usage'>> {
      respond = behave;
      const response = await run(asJson);
      assert.equal(response.status, 424, response.text);
      const { run: failed } = response.body as FailedRun;
      assert.ok(failed.error && !response.text.includes(providerKey));
      const events = await run({});
      assert.equal(readEvents(events).at(-1)?.data.message, failed.error.message);
      assert.ok(!events.text.includes(providerKey));
      const { output, usage } = failed;
      return { ...failed.error, output, usage };
    }

    it('keeps the text before an error, an early end or a cut, and never shows the key', async () => {
      const error = await fail((res) => void res.writeHead(200, sse).end(stream.text('Half') + stream.error(`Overloaded ${providerKey}`)));
      assert.deepEqual([error.code, error.output], ['rejected', 'Half']);
      assert.match(error.message, /aborted the response: Overloaded \[key\]/);
      const ended = await fail((res) => void res.writeHead(200, sse).end(stream.text('Half')));
      assert.deepEqual([ended.code, ended.output, ended.usage.estimated], ['incomplete', 'Half', true]);
      const cut = await fail((res) => void res.writeHead(200, sse).write(stream.text('Half'), () => res.destroy()));
      assert.deepEqual([cut.code, cut.output], ['unreachable', 'Half']);
      const malformed = await fail((res) => void res.writeHead(200, sse).end(`${stream.text('Half')}data: {oops ${providerKey}\n\n`));
      assert.deepEqual([malformed.code, malformed.output], ['invalid_response', 'Half']);
    });

    it('says what the server said', async () => {
      const json = (status: number, message: string, headers: object = {}) =>
        fail(
          (res) =>
            void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error: { message } })),
        );
      const limited = await json(429, 'Slow down', { 'retry-after': '7' });
      assert.deepEqual([limited.status, limited.retryAfterSeconds], [429, 7]);
      assert.match((await json(401, `Bad key ${providerKey}`)).message, /rejected the key \(401\): Bad key \[key\]/);
      assert.match((await json(404, 'model: some-model')).message, /found no model “some-model” \(404\): model: some-model/);
      const page = await fail((res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
      assert.match(page.message, new RegExp(`does not support the ${kind} protocol at this base address`, 'i'));
      assert.equal((await fail((res) => void res.writeHead(200, sse).end('data: {}\n\n'))).code, 'incomplete');
    });

    it('reads a response that is not streamed', async () => {
      respond = (res) => void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(stream.whole));
      const { output, finishReason, usage } = (await run(asJson)).body as Run;
      assert.deepEqual([output, finishReason, usage], ['Whole', 'length', { inputTokens: 3, outputTokens: 1, estimated: false }]);
    });

    it('removes the key from the output', async () => {
      respond = (res) =>
        void res
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(stream.whole).replace('Whole', `The key is ${providerKey}`));
      assert.equal(((await run(asJson)).body as Run).output, 'The key is [key]');
    });

    it('POST /api/models/{id}/test lists the models, or asks for a completion', async () => {
      const test = async () => (await client.call('POST', `/api/models/${connection}/test`)).body as ModelConnectionTest;
      const paths: string[] = [];
      respond = (res, { url, method, headers }) => {
        paths.push(`${method} ${url}`);
        assert.deepEqual([headers[kinds[kind].keyHeader], headers.authorization], [providerKey, undefined]);
        res.end(JSON.stringify(stream.list));
      };
      const { ok, models, problem } = await test();
      assert.deepEqual([ok, models, problem, paths], [true, ['some-model', 'other'], null, [`GET ${stream.listPath}`]]);
      respond = (res, { method }) => void res.writeHead(method === 'GET' ? 404 : 200).end('{}');
      assert.equal((await test()).ok, true);
      respond = (res) => void res.end('{"object":"list"}');
      assert.match((await test()).problem ?? '', new RegExp(`does not support the ${kind} protocol`, 'i'));
    });
  });
}
