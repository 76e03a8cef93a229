import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { setLangfuseTracerProvider, startObservation } from '@langfuse/tracing';
import { SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { generateText, streamText } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { Langfuse } from 'langfuse';
import { createIntake } from '../../../../src/domain/results/intake/intake.ts';
import type { Report, ReportedCall } from '../../../../src/domain/results/report.ts';
import { startRecorder, toUpload } from '../../../support/recorder.ts';

const planted = 'PLANTED CONTENT';
/** All programs use the same fixed times, so that the measurements are exact. */
const startTime: [number, number] = [1_790_000_000, 250_000_000];
const endTime: [number, number] = [1_790_000_001, 62_500_000];

type Compression = ConstructorParameters<typeof ProtobufExporter>[0] & object;
// The packages do not export the type of this setting as a value.
const gzip = 'gzip' as Compression['compression'];

describe('The requests of real exporters', () => {
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  const intake = createIntake();
  before(async () => {
    recorder = await startRecorder();
  });
  after(async () => {
    await recorder.close();
    await intake.close();
  });
  beforeEach(() => {
    recorder.requests.length = 0;
  });

  /** Reads the only request that was recorded. */
  async function read(): Promise<Report> {
    const [request, ...more] = recorder.requests;
    assert.ok(request);
    assert.equal(more.length, 0);
    const reading = await intake.read('u_1', toUpload(request));
    assert.equal(reading.rejected, 0);
    assert.doesNotMatch(JSON.stringify(reading), new RegExp(planted));
    return reading.report;
  }

  async function trace(exporter: SpanExporter, use: (tracer: Tracer) => Promise<void> | void): Promise<Report> {
    const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
    await use(provider.getTracer('test'));
    await provider.shutdown();
    return read();
  }

  const exporters = {
    'OTLP in protobuf': () => new ProtobufExporter({ url: `${recorder.url}/v1/traces` }),
    'OTLP in protobuf with gzip': () => new ProtobufExporter({ url: `${recorder.url}/v1/traces`, compression: gzip }),
    'OTLP in JSON': () => new JsonExporter({ url: `${recorder.url}/v1/traces` }),
    'OTLP in JSON with gzip': () => new JsonExporter({ url: `${recorder.url}/v1/traces`, compression: gzip }),
  };
  for (const [title, create] of Object.entries(exporters)) {
    it(`${title}: every measurement of a call arrives exactly`, async () => {
      let expected: ReportedCall | undefined;
      const report = await trace(create(), (tracer) => {
        const span = tracer.startSpan('chat gpt-5-mini', { startTime });
        span.setAttributes({
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.prompt.name': 'support/triage',
          'gen_ai.prompt.version': '3',
          'promptharbor.prompt.label': 'production',
          'gen_ai.request.model': 'gpt-5-mini',
          'gen_ai.response.model': 'gpt-5-mini-2026-01-01',
          'gen_ai.response.id': 'chatcmpl-1',
          'gen_ai.response.time_to_first_chunk': 0.125,
          'gen_ai.usage.input_tokens': 410,
          'gen_ai.usage.output_tokens': 36,
          'gen_ai.input.messages': planted,
          'error.type': 'timeout',
          nested: [planted],
        });
        span.addEvent(planted, { content: planted });
        span.setStatus({ code: SpanStatusCode.ERROR, message: planted });
        span.end(endTime);
        tracer.startSpan(planted, { startTime }).setAttribute('url.full', planted).end(endTime);
        const { traceId, spanId } = span.spanContext();
        expected = {
          prompt: 'support/triage',
          version: '3',
          label: 'production',
          identity: { traceId, spanId, responseId: 'chatcmpl-1' },
          model: 'gpt-5-mini-2026-01-01',
          provider: 'openai',
          startedAtMs: 1_790_000_000_250,
          endedAtMs: 1_790_000_001_062.5,
          durationMs: 812.5,
          firstChunkMs: 125,
          inputTokens: 410,
          outputTokens: 36,
          error: 'timeout',
        };
      });
      assert.deepEqual(report, { calls: [expected], ends: [], scores: [], unnamed: 1, invalid: 0 });
    });
  }

  for (const [title, Exporter] of Object.entries({ protobuf: ProtobufLogExporter, JSON: JsonLogExporter })) {
    it(`OTLP logs in ${title}: evaluations become scores, without their explanations`, async () => {
      const exporter = new Exporter({ url: `${recorder.url}/v1/logs` });
      const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
      provider.getLogger('test').emit({
        eventName: 'gen_ai.evaluation.result',
        body: planted,
        attributes: {
          'gen_ai.evaluation.name': 'relevance',
          'gen_ai.evaluation.score.value': 0.75,
          'gen_ai.evaluation.explanation': planted,
          'gen_ai.response.id': 'chatcmpl-1',
        },
      });
      await provider.shutdown();
      const { scores, ...rest } = await read();
      assert.deepEqual(rest, { calls: [], ends: [], unnamed: 0, invalid: 0 });
      assert.equal(scores.length, 1);
      const [{ id, ...score } = { id: undefined }] = scores;
      assert.deepEqual(score, {
        rated: { responseId: 'chatcmpl-1' },
        name: 'relevance',
        value: 0.75,
      });
      assert.equal(id?.length, 43);
    });
  }

  it('@langfuse/otel: a generation counts, and the observations around it do not', async () => {
    const provider = new BasicTracerProvider({
      spanProcessors: [new LangfuseSpanProcessor({ baseUrl: recorder.url, publicKey: 'u_1', secretKey: 'ph_1' })],
    });
    setLangfuseTracerProvider(provider);
    const outer = startObservation('request', { input: planted }, { startTime: new Date('2026-09-21T13:33:20.000Z') });
    const generation = startObservation(
      'triage',
      {
        model: 'gpt-5-mini',
        input: planted,
        output: planted,
        prompt: { name: 'support/triage', version: 3, isFallback: false },
        usageDetails: { input: 100, input_cached_tokens: 310, output: 36, total: 446 },
        costDetails: { input: 0.001, output: 0.002, total: 0.003 },
        completionStartTime: new Date('2026-09-21T13:33:20.500Z'),
        level: 'ERROR',
        statusMessage: planted,
      },
      { asType: 'generation', startTime: new Date('2026-09-21T13:33:20.250Z'), parentSpanContext: outer.otelSpan.spanContext() },
    );
    generation.end(new Date('2026-09-21T13:33:21.250Z'));
    outer.end(new Date('2026-09-21T13:33:22.000Z'));
    await provider.shutdown();
    setLangfuseTracerProvider(null);
    assert.equal(recorder.requests[0]?.path, '/api/public/otel/v1/traces');
    const { calls, unnamed } = await read();
    const startedAtMs = Date.parse('2026-09-21T13:33:20.250Z');
    assert.equal(unnamed, 1);
    assert.deepEqual(calls, [
      {
        prompt: 'support/triage',
        version: 3,
        identity: { traceId: generation.traceId, spanId: generation.id },
        model: 'gpt-5-mini',
        startedAtMs,
        endedAtMs: startedAtMs + 1000,
        durationMs: 1000,
        firstChunkMs: 250,
        inputTokens: 410,
        outputTokens: 36,
        cost: 0.003,
        error: 'error',
      },
    ]);
  });

  it('langfuse 3: a generation that is created and ended in one batch is one call', async () => {
    const langfuse = new Langfuse({ baseUrl: recorder.url, publicKey: 'u_1', secretKey: 'ph_1', flushAt: 100 });
    const started = new Date('2026-09-21T13:33:20.000Z');
    const parent = langfuse.trace({ id: 'trace-1', input: planted });
    const generation = parent.generation({ id: 'generation-1', model: 'gpt-5-mini', startTime: started, input: planted });
    // The SDK reads only these fields of a prompt.
    generation.update({ prompt: { name: 'support/triage', version: 3, isFallback: false } as never });
    const usage = { promptTokens: 410, completionTokens: 36 };
    generation.update({ output: planted, endTime: new Date('2026-09-21T13:33:21.000Z'), usage });
    parent.score({ id: 'score-1', name: 'helpful', value: 1, dataType: 'BOOLEAN', comment: 'Good' });
    generation.score({ id: 'score-2', name: 'tone', value: 'kind' });
    await langfuse.shutdownAsync();
    const { calls, scores, ...rest } = await read();
    assert.deepEqual(rest, { ends: [], unnamed: 0, invalid: 0 });
    assert.equal(calls.length, 1);
    const [call] = calls;
    assert.deepEqual(
      [call?.prompt, call?.version, call?.identity, call?.model, call?.inputTokens, call?.outputTokens, call?.isOpen],
      ['support/triage', 3, { traceId: 'trace-1', spanId: 'generation-1' }, 'gpt-5-mini', 410, 36, undefined],
    );
    assert.deepEqual([call?.startedAtMs, call?.durationMs], [started.getTime(), 1000]);
    assert.deepEqual(scores, [
      { rated: { traceId: 'trace-1' }, name: 'helpful', value: true, comment: 'Good', id: 'score-1' },
      { rated: { traceId: 'trace-1', spanId: 'generation-1' }, name: 'tone', value: 'kind', id: 'score-2' },
    ]);
  });

  const usage = { inputTokens: { total: 410 }, outputTokens: { total: 36 } };
  const finishReason = { unified: 'stop', raw: 'stop' };
  // The types of the model's protocol require details that do not matter here.
  const model = new MockLanguageModelV4({
    modelId: 'gpt-5-mini',
    doGenerate: { finishReason, usage, content: [{ type: 'text', text: planted }], warnings: [], response: { id: 'r-1' } } as never,
    doStream: async () =>
      ({
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: planted },
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason, usage },
          ],
        }),
      }) as never,
  });
  /** The attributes that the client's `prompt.attributes()` returns. */
  const runtimeContext = {
    'gen_ai.prompt.name': 'support/triage',
    'gen_ai.prompt.version': '3',
    'promptharbor.prompt.label': 'production',
  };
  const includeRuntimeContext = { 'gen_ai.prompt.name': true, 'gen_ai.prompt.version': true, 'promptharbor.prompt.label': true };
  const integrations = {
    OpenTelemetry: (tracer: Tracer) => new OpenTelemetry({ tracer, runtimeContext: true }),
    LegacyOpenTelemetry: (tracer: Tracer) => new LegacyOpenTelemetry({ tracer }),
  };
  for (const [title, integrate] of Object.entries(integrations)) {
    it(`${title} of the AI SDK: a call counts once, with its tokens`, async () => {
      const { calls, unnamed } = await trace(new ProtobufExporter({ url: `${recorder.url}/v1/traces` }), async (tracer) => {
        const telemetry = { integrations: [integrate(tracer)], includeRuntimeContext };
        await generateText({ model, prompt: planted, runtimeContext, telemetry });
      });
      assert.equal(unnamed, title === 'OpenTelemetry' ? 1 : 0);
      assert.equal(calls.length, 1);
      const [call] = calls;
      assert.deepEqual(
        [
          call?.prompt,
          call?.version,
          call?.label,
          call?.model,
          call?.inputTokens,
          call?.outputTokens,
          call?.identity.responseId,
          call?.error,
        ],
        ['support/triage', '3', 'production', 'gpt-5-mini', 410, 36, 'r-1', undefined],
      );
      assert.ok(call?.durationMs !== undefined && call.durationMs >= 0);
    });

    it(`${title} of the AI SDK: a stream has a time to the first chunk, and a failed call is an error`, async () => {
      const { calls } = await trace(new JsonExporter({ url: `${recorder.url}/v1/traces` }), async (tracer) => {
        const telemetry = { integrations: [integrate(tracer)], includeRuntimeContext };
        await streamText({ model, prompt: planted, runtimeContext, telemetry }).consumeStream();
        const failing = new MockLanguageModelV4({ doGenerate: () => Promise.reject(new Error(planted)) });
        await assert.rejects(generateText({ model: failing, prompt: planted, runtimeContext, telemetry, maxRetries: 0 }));
      });
      assert.equal(calls.length, 2);
      const [streamed, failed] = calls;
      assert.ok(streamed?.firstChunkMs !== undefined && streamed.firstChunkMs <= (streamed.durationMs ?? 0));
      assert.deepEqual([streamed.error, failed?.error], [undefined, 'error']);
    });
  }
});
