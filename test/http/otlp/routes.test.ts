import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { LangfuseClient } from '@langfuse/client';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { setLangfuseTracerProvider, startObservation } from '@langfuse/tracing';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Langfuse } from 'langfuse';
import type { PromptResults, WorkspaceResults } from '../../../src/contract/results.ts';
import { AppError } from '../../../src/errors.ts';
import { type Attribute, bytesOf, jsonSpan, jsonTraces, named, writeTraces } from '../../support/otlp.ts';
import { type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';

const planted = 'PLANTED CONTENT';
const prompt = 'support/triage';
const called = { 'gen_ai.prompt.name': prompt, 'gen_ai.prompt.version': '2' };
const protobuf = { 'content-type': 'application/x-protobuf' };

describeOnEveryEngine('Reports over OpenTelemetry and Langfuse', (service) => {
  async function newAccount(): Promise<Client> {
    const client = await newClient(service());
    await client.create({ name: prompt, template: 'one' });
    await client.save(prompt, { template: 'two' });
    return client;
  }
  const resultsOf = (client: Client): Promise<PromptResults> => client.get(`/api/prompts/${encodeURIComponent(prompt)}/results`);
  const overviewOf = (client: Client): Promise<WorkspaceResults> => client.get('/api/results');
  const headersOf = ({ token }: Client) => ({ authorization: `Bearer ${token}` });

  /** Sends a body as it is. */
  async function send(client: Client, body: Uint8Array | string, { path = '/v1/traces', headers = {} }: SendOptions = {}) {
    const response = await fetch(service().url + path, {
      method: 'POST',
      headers: { ...protobuf, ...headersOf(client), ...headers },
      body: new Uint8Array(Buffer.from(body as string)),
    });
    return { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) };
  }

  for (const [title, Exporter] of Object.entries({ protobuf: ProtobufExporter, JSON: JsonExporter })) {
    it(`POST /v1/traces: the numbers of the ${title} exporter add up exactly`, async () => {
      const client = await newAccount();
      // The packages do not export the type of this setting as a value.
      const exporter = new Exporter({ url: `${service().url}/v1/traces`, headers: headersOf(client), compression: 'gzip' as never });
      const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter, { maxExportBatchSize: 100 })] });
      const tracer = provider.getTracer('test');
      for (let call = 0; call < 250; call += 1) {
        const span = tracer.startSpan(planted, { startTime: Date.now() });
        span.setAttributes({
          ...called,
          'gen_ai.response.model': 'gpt-5-mini',
          'gen_ai.usage.input_tokens': call,
          'gen_ai.usage.output_tokens': 2,
        });
        span.setAttribute('gen_ai.output.messages', planted);
        if (call % 5 === 0) span.setAttribute('error.type', '429');
        span.end();
      }
      for (let other = 0; other < 7; other += 1) tracer.startSpan(planted).end();
      await provider.shutdown();
      const { totals, versions, models } = await resultsOf(client);
      assert.deepEqual([totals.calls, totals.errors, totals.inputTokens, totals.outputTokens], [250, 50, (249 * 250) / 2, 500]);
      assert.deepEqual(totals.errorTypes, [{ type: '429', calls: 50 }]);
      assert.deepEqual(
        versions.map(({ version, calls }) => [version, calls]),
        [[2, 250]],
      );
      assert.deepEqual(
        models.map(({ model, calls }) => [model, calls]),
        [['gpt-5-mini', 250]],
      );
      assert.deepEqual((await overviewOf(client)).dropped, [{ reason: 'no_prompt', count: 7 }]);
    });
  }

  it('POST /v1/traces: a request that is sent again, even in parallel, counts once', async () => {
    const client = await newAccount();
    const body = writeTraces({}, { spanId: bytesOf(8, 9) });
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(client, body)));
    for (const { status, headers, body: response } of responses) {
      assert.deepEqual([status, headers.get('content-type'), response.length], [200, 'application/x-protobuf', 0]);
    }
    assert.equal((await resultsOf(client)).totals.calls, 0, 'Version 3 does not exist');
    await client.save(prompt, { template: 'three' });
    await Promise.all(Array.from({ length: 8 }, () => send(client, body)));
    assert.equal((await resultsOf(client)).totals.calls, 2);
  });

  it('200: says how many spans were refused, in the format of the request', async () => {
    const client = await newAccount();
    const invalid: Attribute[] = [...named, ['gen_ai.usage.input_tokens', -5]];
    const inProtobuf = await send(client, writeTraces({}, { attributes: invalid }, { attributes: [] }));
    const reader = new BinaryReader(inProtobuf.body);
    assert.deepEqual(reader.tag(), [1, 2]);
    const success = new BinaryReader(reader.bytes());
    assert.deepEqual([success.tag(), Number(success.int64())], [[1, 0], 1]);
    assert.deepEqual([success.tag(), success.string()], [[2, 2], 'Some spans name a prompt, but have an invalid id, time or value']);

    const spans = jsonTraces(jsonSpan({ attributes: { ...called, 'gen_ai.usage.input_tokens': -5 } }));
    const inJson = await send(client, JSON.stringify(spans), { headers: { 'content-type': 'application/json; charset=utf-8' } });
    assert.deepEqual(JSON.parse(Buffer.from(inJson.body).toString()), {
      partialSuccess: { rejectedSpans: '1', errorMessage: 'Some spans name a prompt, but have an invalid id, time or value' },
    });
    const { dropped } = await overviewOf(client);
    assert.deepEqual(
      dropped.find(({ reason }) => reason === 'invalid'),
      { reason: 'invalid', count: 2 },
    );
  });

  const refusals: [string, number, number, Uint8Array | string, Record<string, string>][] = [
    ['random bytes', 400, 3, bytesOf(50, 0xff), {}],
    ['a body that is not gzip', 400, 3, 'x', { 'content-encoding': 'gzip' }],
    ['a gzip bomb', 413, 3, gzipSync(new Uint8Array(64 * 1024 * 1024)), { 'content-encoding': 'gzip' }],
    ['a body of more than 4 MiB', 413, 3, new Uint8Array(4 * 1024 * 1024 + 1), {}],
    ['another encoding', 415, 3, 'x', { 'content-encoding': 'br' }],
    ['another media type', 415, 3, 'x', { 'content-type': 'text/plain' }],
    ['JSON that is cut off', 400, 3, `{"resourceSpans":[{"${planted}`, { 'content-type': 'application/json' }],
    ['no body', 400, 3, '', { 'content-type': 'application/json' }],
    ['an unknown key', 401, 16, writeTraces({}), { authorization: `Bearer ph_${'0'.repeat(64)}` }],
    ['no access to the workspace', 404, 5, writeTraces({}), { 'promptharbor-workspace': 'w_1' }],
  ];
  for (const [title, status, code, body, headers] of refusals) {
    it(`${status}: ${title}, with a google.rpc.Status`, async () => {
      const client = await newAccount();
      for (const path of ['/v1/traces', '/v1/logs', '/api/public/otel/v1/traces']) {
        const response = await send(client, body, { path, headers });
        assert.equal(response.status, status, path);
        const type = response.headers.get('content-type');
        if (type === 'application/x-protobuf') {
          const reader = new BinaryReader(response.body);
          assert.deepEqual([reader.tag(), reader.int32(), reader.tag()[0]], [[1, 0], code, 2]);
          assert.ok(reader.string().length > 0);
        } else {
          assert.equal(type, 'application/json; charset=utf-8');
          const text = Buffer.from(response.body).toString();
          assert.equal((JSON.parse(text) as { code: number }).code, code);
          assert.doesNotMatch(text, new RegExp(planted));
        }
      }
    });
  }

  it('503: with Retry-After and a google.rpc.Status if the report cannot be recorded, and it counts when it is sent again', async (t) => {
    const client = await newAccount();
    const failing = t.mock.method(service().ctx.results, 'record', () => Promise.reject(new AppError('database_unavailable')));
    const body = writeTraces({ attributes: [...named, ['gen_ai.prompt.version', 2]] });
    const response = await send(client, body);
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1']);
    const reader = new BinaryReader(response.body);
    assert.deepEqual([reader.tag(), reader.int32()], [[1, 0], 14]);
    failing.mock.restore();
    assert.equal((await send(client, body)).status, 200);
    assert.equal((await resultsOf(client)).totals.calls, 1);
  });

  it('429: with Retry-After and a google.rpc.Status if the workspace has too many reports in progress', async (t) => {
    const client = await newAccount();
    t.mock.method(service().ctx.intake, 'read', () => Promise.reject(new AppError('too_many_concurrent')));
    const response = await send(client, writeTraces({}));
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '1']);
    const reader = new BinaryReader(response.body);
    assert.deepEqual([reader.tag(), reader.int32()], [[1, 0], 8]);
  });

  it('200: an empty protobuf message is a valid report, even if it is compressed', async () => {
    const client = await newAccount();
    assert.equal((await send(client, new Uint8Array())).status, 200);
    assert.equal((await send(client, gzipSync(new Uint8Array()), { headers: { 'content-encoding': 'gzip' } })).status, 200);
  });

  it('415: other endpoints do not accept protobuf', async () => {
    assert.equal((await send(await newAccount(), writeTraces({}), { path: '/api/results' })).status, 415);
  });

  it('POST /v1/traces: a viewer may report with basic authentication, and nobody into another workspace', async () => {
    const [client, other] = [await newAccount(), await newAccount()];
    const authorization = `Basic ${Buffer.from(`any:${client.token}`).toString('base64')}`;
    const body = JSON.stringify(jsonTraces(jsonSpan({ attributes: called })));
    assert.equal((await send(client, body, { headers: { authorization, 'content-type': 'application/json' } })).status, 200);
    assert.equal((await resultsOf(client)).totals.calls, 1);
    assert.equal((await resultsOf(other)).totals.calls, 0);
  });

  it('POST /v1/logs: evaluations of a span and of a response find the version of the call', async () => {
    const client = await newAccount();
    const exporter = new OTLPLogExporter({ url: `${service().url}/v1/logs`, headers: headersOf(client) });
    const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
    provider.getLogger('test').emit({
      eventName: 'gen_ai.evaluation.result',
      attributes: {
        'gen_ai.evaluation.name': 'relevance',
        'gen_ai.evaluation.score.value': 0.5,
        'gen_ai.evaluation.explanation': planted,
        'gen_ai.response.id': 'chatcmpl-1',
      },
    });
    await provider.shutdown();
    const spans = jsonTraces(jsonSpan({ attributes: { ...called, 'gen_ai.response.id': 'chatcmpl-1' } }));
    await send(client, JSON.stringify(spans), { headers: { 'content-type': 'application/json' } });
    const { versions } = await resultsOf(client);
    assert.deepEqual(
      versions.map(({ version, calls, scores }) => [version, calls, scores.map(({ name, count, mean }) => [name, count, mean])]),
      [[2, 1, [['relevance', 1, 0.5]]]],
    );
  });

  it('@langfuse/otel and @langfuse/client: a program that changed its base URL sees its calls and scores', async () => {
    const client = await newAccount();
    const credentials = { baseUrl: service().url, publicKey: 'any', secretKey: client.token };
    const langfuse = new LangfuseClient(credentials);
    const provider = new BasicTracerProvider({ spanProcessors: [new LangfuseSpanProcessor(credentials)] });
    setLangfuseTracerProvider(provider);
    const fetched = await langfuse.prompt.get(prompt, { version: 2 });
    const generation = startObservation(planted, { model: 'gpt-5-mini', input: planted, prompt: fetched }, { asType: 'generation' });
    generation.update({ output: planted, usageDetails: { input: 100, output: 5 }, costDetails: { total: 0.25 } }).end();
    langfuse.score.create({ traceId: generation.traceId, observationId: generation.id, name: 'helpful', value: 1, dataType: 'BOOLEAN' });
    await provider.shutdown();
    setLangfuseTracerProvider(null);
    await langfuse.shutdown();
    const { versions } = await resultsOf(client);
    assert.deepEqual(
      versions.map(({ version, calls, inputTokens, cost, scores }) => [
        version,
        calls,
        inputTokens,
        cost,
        scores.map(({ name, mean }) => [name, mean]),
      ]),
      [[2, 1, 100, 0.25, [['helpful', 1]]]],
    );
  });

  it('langfuse 3: a generation whose end is in a later batch is one call', async () => {
    const client = await newAccount();
    const langfuse = new Langfuse({ baseUrl: service().url, publicKey: 'any', secretKey: client.token });
    const generation = langfuse
      .trace({ input: planted })
      .generation({ model: 'gpt-5-mini', prompt: await langfuse.getPrompt(prompt, 2), input: planted });
    await langfuse.flushAsync();
    assert.equal((await resultsOf(client)).totals.calls, 0);
    generation.end({ output: planted, usage: { promptTokens: 100, completionTokens: 5 } });
    generation.score({ name: 'tone', value: 'kind' });
    await langfuse.shutdownAsync();
    const { versions } = await resultsOf(client);
    assert.deepEqual(
      versions.map(({ version, calls, inputTokens, outputTokens, scores }) => [version, calls, inputTokens, outputTokens, scores.length]),
      [[2, 1, 100, 5, 1]],
    );
  });

  it('POST /api/public/ingestion: 207 with the outcome of each event', async () => {
    const client = await newAccount();
    const batch = [
      { id: 'e1', type: 'trace-create', timestamp: '2026-01-01', body: { id: 't1', input: planted } },
      { id: 'e2', type: 'generation-create', timestamp: '2026-01-01', body: { id: 'g1', promptName: 5 } },
      { id: 'e3', type: 'sdk-log', timestamp: '2026-01-01', body: { log: planted } },
    ];
    const { status, body } = await client.call('POST', '/api/public/ingestion', { batch });
    assert.equal(status, 207);
    assert.deepEqual(body, {
      successes: [
        { id: 'e1', status: 201 },
        { id: 'e3', status: 201 },
      ],
      errors: [{ id: 'e2', status: 400, message: 'The event has an invalid id, time or value', error: 'Invalid request data' }],
    });
  });

  it('POST /api/public/scores: 200 with the id, and 400 for a value of another type', async () => {
    const client = await newAccount();
    const score = { id: 's1', traceId: 't1', name: 'helpful', value: 1, dataType: 'BOOLEAN' };
    const created = await client.call('POST', '/api/public/scores', score);
    assert.deepEqual([created.status, created.body], [200, { id: 's1' }]);
    for (const wrong of [{ value: 'x' }, { name: '' }, { value: 2 }, { traceId: 5 }]) {
      assert.equal((await client.call('POST', '/api/public/scores', { ...score, ...wrong })).status, 400);
    }
  });

  it('contents that programs send are neither in the data folder nor in the log', async () => {
    const client = await newAccount();
    const spans = jsonTraces(
      jsonSpan({
        name: planted,
        attributes: { ...called, 'gen_ai.input.messages': planted },
        events: [{ name: planted }],
        status: { code: 2, message: planted },
      }),
    );
    await send(client, JSON.stringify(spans), { headers: { 'content-type': 'application/json' } });
    await send(client, `{"${planted}`, { headers: { 'content-type': 'application/json' } });
    await client.call('POST', '/api/public/ingestion', { batch: [{ id: planted, type: planted, body: { input: planted } }] });
    assert.equal((await resultsOf(client)).totals.calls, 1);
    assert.doesNotMatch(service().logs(), new RegExp(planted));
    // On PostgreSQL, the data folder has only the secret.
    const { DATA_DIR = '' } = service().database.env;
    for (const file of DATA_DIR === '' ? [] : filesIn(DATA_DIR)) assert.equal(readFileSync(file).includes(planted), false, file);
  });
});

interface SendOptions {
  path?: string;
  headers?: Record<string, string>;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}
