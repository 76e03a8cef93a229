import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { FailedRun, Run, RunError, RunSummary } from '../../../src/contract/runs.ts';
import { call } from '../../support/client.ts';
import { asJson, connect, providerKey, type RawServer, readEvents, startModelService, startRawServer } from '../../support/models.ts';
import { type Client, type ListBody, newClient } from '../../support/prompts.ts';
import { sendRaw } from '../../support/raw.ts';
import type { Service } from '../../support/service.ts';

type Respond = (res: ServerResponse, req: IncomingMessage, body: Record<string, unknown>) => void;

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const begin = (res: ServerResponse) => res.writeHead(200, { 'content-type': 'text/event-stream' });

describe('A run whose server fails', () => {
  let service: Service;
  let server: RawServer;
  let client: Client;
  let connection: string;
  let respond: Respond;
  before(async () => {
    service = await startModelService();
    server = await startRawServer((req, res, body) => respond(res, req, JSON.parse(body || '{}')));
    client = await newClient(service);
    await client.create({ name: 'greet', template: 'Hello' });
    connection = (await connect(client, server.url)).id;
  });
  after(async () => {
    await service.close();
    await server.close();
  });

  /** Runs the prompt with and without a stream, and asserts that both fail alike. Returns the error and the output that had arrived. */
  async function fail(behave: Respond): Promise<RunError & { output: string }> {
    respond = behave;
    const response = await client.call('POST', '/api/prompts/greet/run', { connection }, asJson);
    assert.equal(response.status, 424, response.text);
    const { run } = response.body as FailedRun;
    assert.ok(run.error && !response.text.includes(providerKey));
    const events = readEvents(await client.call('POST', '/api/prompts/greet/run', { connection }));
    const output = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text] : [])).join('');
    assert.equal(output, run.output);
    const last = events.at(-1);
    assert.equal(last?.event, 'error');
    assert.equal(last?.data.message, run.error.message);
    return { ...run.error, output };
  }

  async function succeed(behave: Respond): Promise<Run> {
    respond = behave;
    const response = await client.call('POST', '/api/prompts/greet/run', { connection }, asJson);
    assert.equal(response.status, 200, response.text);
    return response.body as Run;
  }

  const json =
    (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
    (res) =>
      void res
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body));

  it('says what the server said, with its status and how long to wait', async () => {
    const limited = await fail(json(429, { error: { message: 'Slow down' } }, { 'retry-after': '7' }));
    assert.deepEqual([limited.code, limited.status, limited.retryAfterSeconds], ['rejected', 429, 7]);
    assert.match(limited.message, /has reached its rate limit \(429\): Slow down/);
    assert.match((await fail(json(500, 'Out of memory'))).message, /responded with 500: Out of memory/);
    assert.match(
      (await fail(json(404, { error: { message: 'model missing' } }))).message,
      /found no model “some-model” \(404\): model missing/,
    );
    assert.match((await fail(json(422, { detail: [{ msg: 'bad' }] }))).message, /422: \[\{"msg":"bad"\}\]/);
    assert.match((await fail(json(400, [{ error: { message: 'as a list' } }]))).message, /as a list/);
    assert.equal((await fail(json(400, 'x'.repeat(100_000)))).message.length < 2200, true);
  });

  it('says that the response does not follow the protocol', async () => {
    for (const body of ['not json', '"text"', '[]', '{}', '{"choices":7}', '{"choices":[null]}']) {
      const { code } = await fail(json(200, body));
      assert.ok(code === 'invalid_response' || code === 'incomplete', body);
    }
    const page = await fail((res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    assert.match(page.message, /does not support the OpenAI protocol/);
    const malformed = await fail((res) => void begin(res).end(`${chunk({ content: 'Hi' })}data: {oops\n\n`));
    assert.deepEqual([malformed.code, malformed.output], ['invalid_response', 'Hi']);
  });

  it('passes text on before the rest has arrived', async () => {
    let finish = (): void => assert.fail('The model has not begun');
    respond = (res) => {
      begin(res).write(chunk({ content: 'First!' }));
      finish = () => void res.end(chunk({ content: ', then' }, 'stop'));
    };
    const response = await fetch(`${service.url}/api/prompts/greet/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ connection }),
    });
    assert.ok(response.body);
    let received = '';
    for await (const bytes of response.body) {
      const before = received;
      received += Buffer.from(bytes).toString();
      if (received.includes('First!') && !before.includes('First!')) finish();
    }
    assert.match(received, /First!.*, the.*event: done/s);
  });

  it('keeps the text that arrived before an error, a cut, or an early end', async () => {
    const error = await fail(
      (res) => void begin(res).end(`${chunk({ content: 'Half' })}data: {"error":{"message":"Overloaded ${providerKey}"}}\n\n`),
    );
    assert.deepEqual([error.code, error.output], ['rejected', 'Half']);
    assert.match(error.message, /aborted the response: Overloaded \[key\]/);
    const ended = await fail((res) => void begin(res).end(chunk({ content: 'Half' })));
    assert.deepEqual([ended.code, ended.output], ['incomplete', 'Half']);
    const cut = await fail((res) => void begin(res).write(chunk({ content: 'Half' }), () => res.destroy()));
    assert.deepEqual([cut.code, cut.output], ['unreachable', 'Half']);
  });

  it('ends a run whose server is silent, before or after its first words', async (t) => {
    const { limits } = service.ctx.modelRuns;
    const { idleTimeoutMs } = limits;
    t.after(() => Object.assign(limits, { idleTimeoutMs }));
    limits.idleTimeoutMs = 150;
    assert.match((await fail(() => undefined)).message, /sent nothing for 0\.15 seconds/);
    const silent = await fail((res) => void begin(res).write(chunk({ content: 'Half' })));
    assert.deepEqual([silent.code, silent.output], ['timeout', 'Half']);
  });

  it('waits for a silent server for longer than other connections may be inactive', async (t) => {
    const { timeout } = service.server;
    t.after(() => Object.assign(service.server, { timeout }));
    service.server.timeout = 200;
    const { promise: started, resolve } = Promise.withResolvers<ServerResponse>();
    respond = resolve;
    const run = client.call('POST', '/api/prompts/greet/run', { connection }, asJson);
    const upstream = await started;
    // This request ends at the inactivity timeout. By then, the connection of the run has been inactive for longer.
    assert.deepEqual(await sendRaw(service, 'POST /api/run HTTP/1.1\r\n'), []);
    begin(upstream).end(chunk({ content: 'At last' }, 'stop'));
    assert.equal(((await run).body as Run).output, 'At last');
  });

  it('ends an endless response', async () => {
    const { code } = await fail((res) => {
      begin(res);
      const more = () => {
        if (!res.destroyed) res.write(chunk({ content: 'x'.repeat(100_000) }), () => setImmediate(more));
      };
      more();
    });
    assert.equal(code, 'too_long');
    const { code: event } = await fail((res) => void begin(res).write(`data: ${'x'.repeat(3 * 1024 * 1024)}`));
    assert.equal(event, 'too_long');
    const calls = Array.from({ length: 1001 }, (_, index) => ({ index }));
    assert.match((await fail((res) => void begin(res).end(chunk({ tool_calls: calls })))).message, /calls more than 1000 tools/);
    const fields = chunk({ tool_calls: [{ index: 0, id: 'a', extra_content: 'x'.repeat(100_000) }] });
    assert.match((await fail((res) => void begin(res).end(fields))).message, /more than 65536 characters besides their arguments/);
    assert.equal((await fail((res) => void begin(res).end('data: {}\n\n'.repeat(150_000)))).code, 'too_long', 'events have a cost');
  });

  it('accepts what differs between servers', async () => {
    const whole = await succeed(
      json(200, {
        choices: [{ message: { role: 'assistant', content: 'Whole' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 1 },
      }),
    );
    assert.deepEqual([whole.output, whole.usage], ['Whole', { inputTokens: 3, outputTokens: 1, estimated: false }]);
    const bare = await succeed((res, req, body) => {
      assert.equal(req.headers.authorization, `Bearer ${providerKey}`);
      if (body.stream_options) json(400, { error: { message: 'Unknown field stream_options' } })(res, req, body);
      else
        begin(res).end(
          `: comment\n\n${chunk({ role: 'assistant', content: null })}${chunk({ reasoning_content: 'Hm' })}${chunk({ content: 'Hé\0llo' }, 'stop')}`,
        );
    });
    assert.equal(bare.output, 'Hé\0llo');
    assert.ok(bare.usage.estimated && bare.usage.outputTokens > 0);
    const kept = await client.get<Run>(`/api/prompts/greet/runs/${bare.id}`);
    assert.equal(kept.output, bare.output);
  });

  it('neither shows nor stores a key that the server repeats, in any place', async () => {
    const [head, tail] = [providerKey.slice(0, 9), providerKey.slice(9)];
    const call = (args: string, more: object = {}) =>
      chunk({ tool_calls: [{ index: 0, ...more, function: { name: providerKey, arguments: args } }] });
    const run = await succeed(
      (res) =>
        void begin(res).end(
          `${chunk({ content: `Your key: ${providerKey}, ${head}` })}${chunk({ content: tail })}` +
            `${call(head, { id: providerKey, [providerKey]: [{ deep: providerKey }] })}${call(tail)}${chunk({}, providerKey)}`,
        ),
    );
    assert.equal(run.output, 'Your key: [key], [key]');
    assert.equal(run.finishReason, '[key]');
    const named = { function: { name: '[key]', arguments: '[key]' } };
    assert.deepEqual(run.toolCalls, [{ id: '[key]', '[key]': [{ deep: '[key]' }], ...named }]);
    const { text: kept } = await client.call('GET', `/api/prompts/greet/runs/${run.id}`);
    assert.ok(!kept.includes(providerKey) && kept.includes('[key]'));
    const { text: streamed } = await client.call('POST', '/api/prompts/greet/run', { connection });
    assert.ok(!streamed.includes(providerKey) && streamed.includes('[key]'));

    const { message } = await fail(json(200, `${'x'.repeat(80)}${providerKey}`));
    assert.ok(!message.includes(head), message);
    const escaped = providerKey.replaceAll('-', '\\u002d').replaceAll('p', '\\p');
    for (const echo of [providerKey.slice(0, -1), providerKey.slice(1), escaped]) {
      const refused = await fail(json(401, { error: { message: `Incorrect key: ${echo}.` } }));
      assert.match(refused.message, /Incorrect key: \[key\]\.$/);
      const written = await succeed((res) => void begin(res).end(chunk({ content: `It is ${echo}.` }, 'stop')));
      assert.equal(written.output, 'It is [key].');
      respond = json(403, { detail: { key: echo } });
      const test = await client.call('POST', `/api/models/${connection}/test`);
      assert.ok(test.text.includes('[key]') && !test.text.includes(echo.slice(2, -2)), test.text);
    }
    respond = json(200, { data: [{ id: `${'x'.repeat(180)}${providerKey}` }, { id: providerKey }] });
    const { text: tested } = await client.call('POST', `/api/models/${connection}/test`);
    assert.ok(!tested.includes(head) && tested.includes('[key]'), tested);

    const local = await connect(client, server.url, { apiKey: 'ollama' });
    respond = (res) => void begin(res).end(chunk({ content: 'Install ollama' }, 'stop'));
    const { body } = await client.call('POST', '/api/prompts/greet/run', { connection: local.id }, asJson);
    assert.equal((body as Run).output, 'Install ollama', 'a short key is a word');
  });

  it('does not stream a key that is split into chunks, and loses no text that begins like the key', async () => {
    const begun = providerKey.slice(0, 15);
    const chunks = [...`Hello to you, ${begun}, ${providerKey} ${providerKey.slice(0, -1)} ${begun}`].map((content) =>
      chunk({ content, reasoning_content: content }),
    );
    const expected = `Hello to you, ${begun}, [key] [key] ${begun}`;
    const textOf = (events: ReturnType<typeof readEvents>, field: string) => events.map(({ data }) => data[field] ?? '').join('');
    for (const end of [chunk({}, 'stop'), '']) {
      respond = (res) => void begin(res).end(chunks.join('') + end);
      const events = readEvents(await client.call('POST', '/api/prompts/greet/run', { connection }));
      const deltas = events.filter(({ event }) => event === 'delta');
      assert.deepEqual([textOf(deltas, 'text'), textOf(deltas, 'reasoning')], [expected, expected]);
    }
    respond = (res) => void begin(res).end(chunk({ content: 's' }, 'stop'));
    const short = await client.call('POST', '/api/prompts/greet/run', { connection }, asJson);
    assert.ok((short.body as Run).firstTokenMs !== null && (short.body as Run).output === 's');
  });

  it('assembles a tool call in linear time, whatever its fragments are', async () => {
    const fragments = Array.from({ length: 900 }, (_, index) => ({ index: 0, [`k${index}`]: 1 }));
    const named = ['__proto__', 'constructor'].map(
      (name) => `{"index":0,"${name}":{"polluted":1},"function":{"${name}":1,"arguments":"x"}}`,
    );
    const delta = `{"tool_calls":[${JSON.stringify(fragments).slice(1, -1)},${named}]}`;
    const { toolCalls } = await succeed(
      (res) => void begin(res).end(`data: {"choices":[{"delta":${delta},"finish_reason":"tool_calls"}]}\n\n`),
    );
    assert.equal(toolCalls.length, 1);
    assert.equal(Object.keys(toolCalls[0] ?? {}).length, 900 + named.length + 1);
    assert.deepEqual(
      Object.entries(toolCalls[0]?.function ?? {})
        .sort()
        .slice(0, 2),
      [
        ['__proto__', 1],
        ['arguments', 'xx'],
      ],
    );
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('reports that an endlessly nested response cannot be read', async () => {
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const depth of [100, 4000, 30_000]) {
      const error = `{"error":${deep(depth)}}`;
      assert.equal((await fail(json(200, error))).code, depth === 100 ? 'rejected' : 'invalid_response');
      assert.equal((await fail(json(400, error))).status, 400);
      await fail((res) => void begin(res).end(`data: {"error":{"detail":${deep(depth)}}}\n\n`));
      const called = `{"choices":[{"finish_reason":"stop","delta":{"tool_calls":[{"id":${deep(depth)}}]}}]}`;
      assert.equal((await fail((res) => void begin(res).end(`data: ${called}\n\n`))).code, 'invalid_response');
    }
  });

  it('refuses large JSON without parsing it, and serves other requests meanwhile', async () => {
    const mebibytes = (unit: string, count: number) => unit.repeat((count * 1024 * 1024) / unit.length);
    const hostile = [mebibytes('[', 1), mebibytes('{"a":', 1), `{"choices":[${mebibytes('0,', 1)}`, mebibytes('[],', 1)];
    for (const body of hostile) {
      const failing = fail(json(200, body));
      assert.equal((await call(service, 'GET', '/healthz')).status, 200);
      const { code, message } = await failing;
      assert.equal(code, 'invalid_response');
      assert.match(message, /nested more than 128 levels deep, or has more than 200000 values/);
    }
    const streamed = await fail((res) => void begin(res).end(`data: ${mebibytes('[', 0.25)}\n\n`));
    assert.match(streamed.message, /nested more than 128 levels/);
    assert.equal((await fail(json(200, `"${mebibytes('x', 5)}"`))).code, 'too_long');
    respond = json(200, mebibytes('[', 1));
    assert.match((await client.call('POST', `/api/models/${connection}/test`)).text, /does not support the OpenAI protocol/);
  });

  it('streams a large tool call too', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'save', arguments: JSON.stringify('x'.repeat(900_000)) } };
    respond = json(200, { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] });
    const events = readEvents(await client.call('POST', '/api/prompts/greet/run', { connection }));
    assert.deepEqual(
      events.map(({ event }) => event),
      ['tool_call', 'usage', 'done'],
    );
    assert.deepEqual(events[0]?.data, call);
  });

  it('aborts the request to the server when the client disconnects', async () => {
    for (const options of [asJson, {}]) {
      const { promise: started, resolve } = Promise.withResolvers<ServerResponse>();
      respond = (res) => {
        begin(res).write(chunk({ content: 'Once upon a time' }));
        resolve(res);
      };
      const controller = new AbortController();
      const response = client.call('POST', '/api/prompts/greet/run', { connection }, { ...options, signal: controller.signal });
      const upstream = await started;
      const closed = once(upstream, 'close');
      controller.abort();
      await assert.rejects(response);
      await closed;
      for (;;) {
        const { data } = await client.get<ListBody<RunSummary>>('/api/prompts/greet/runs?limit=1');
        if (data[0]?.error?.code === 'canceled') break;
      }
    }
  });

  it('a workspace has 24 runs at the same time, and others do not wait for them', async () => {
    const held: ServerResponse[] = [];
    let later = 0;
    const { promise: full, resolve } = Promise.withResolvers<void>();
    respond = (res) => {
      held.push(res);
      if (held.length === 24) resolve();
    };
    const run = (by: Client, used: string, options: object = asJson) =>
      by.call('POST', '/api/prompts/greet/run', { connection: used }, options);
    const runs = Array.from({ length: 25 }, () => run(client, connection));
    await full;
    const controller = new AbortController();
    const leaving = assert.rejects(run(client, connection, { signal: controller.signal }));
    respond = (res) => {
      later += 1;
      begin(res).end(chunk({ content: 'Hi' }, 'stop'));
    };
    const other = await newClient(service);
    await other.create({ name: 'greet', template: 'Hello' });
    const otherConnection = await connect(other, server.url);
    controller.abort();
    await leaving;
    assert.equal((await run(other, otherConnection.id)).status, 200);
    assert.deepEqual([held.length, later], [24, 1]);
    for (const res of held) begin(res).end(chunk({ content: 'Hi' }, 'stop'));
    for (const { status, text } of await Promise.all(runs)) assert.equal(status, 200, text);
    assert.equal(later, 2, 'nothing is sent for a client that left while it waited');
  });

  it('429: the runs of a workspace hold at most 8 MiB, their prompts included, and others run meanwhile', async () => {
    const held: ServerResponse[] = [];
    const { promise: full, resolve } = Promise.withResolvers<void>();
    respond = (res) => {
      if (held.push(res) === 3) resolve();
    };
    await client.create({ name: 'large', template: '{{ text }}'.repeat(4) });
    await client.create({ name: 'calls', messages: [{ role: 'user', content: 'Hi' }, { placeholder: 'history' }] });
    const run = () => client.call('POST', '/api/prompts/large/run', { connection, variables: { text: 'x'.repeat(200_000) } }, asJson);
    const runs = Array.from({ length: 3 }, run);
    await full;
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: 'x'.repeat(800_000) } };
    const history = [{ role: 'assistant', content: null, tool_calls: [call] }];
    const calls = client.call('POST', '/api/prompts/calls/run', { connection, variables: { history } }, asJson);
    const parameters = { metadata: 'x'.repeat(800_000) };
    const given = client.call('POST', '/api/prompts/calls/run', { connection, parameters }, asJson);
    for (const refused of await Promise.all([run(), calls, given])) {
      assert.equal(refused.status, 429, refused.text);
      assert.match(refused.text, /use more than 8 MiB of memory/);
    }
    respond = (res) => void begin(res).end(chunk({ content: 'Hi' }, 'stop'));
    const other = await newClient(service);
    await other.create({ name: 'greet', template: 'Hello' });
    const { id } = await connect(other, server.url);
    assert.equal((await other.call('POST', '/api/prompts/greet/run', { connection: id }, asJson)).status, 200);
    for (const res of held) begin(res).end(chunk({ content: 'Hi' }, 'stop'));
    for (const { status, text } of await Promise.all(runs)) assert.equal(status, 200, text);
    assert.equal((await run()).status, 200);
  });

  it('a stop of the service ends runs at once', async () => {
    const { promise: started, resolve } = Promise.withResolvers<void>();
    respond = () => resolve();
    // Without this header, the service might wait until the connection is idle.
    const headers = { ...asJson.headers, connection: 'close' };
    const response = client.call('POST', '/api/prompts/greet/run', { connection }, { headers });
    await started;
    await service.close();
    assert.equal(((await response).body as FailedRun).run.error?.code, 'canceled');
  });
});
