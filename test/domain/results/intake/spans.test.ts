import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readJsonSpans } from '../../../../src/domain/results/intake/otlp-json.ts';
import { toCalls } from '../../../../src/domain/results/intake/spans.ts';
import { jsonSpan, jsonTraces } from '../../../support/otlp.ts';

const prompt = { 'gen_ai.prompt.name': 'support/triage', 'gen_ai.prompt.version': 3 };
const read = (...spans: Parameters<typeof jsonSpan>[0][]) => toCalls(readJsonSpans(jsonTraces(...spans.map(jsonSpan))));
const [outer, middle, inner, other] = ['0a', '0b', '0c', '0d'].map((byte) => byte.repeat(8));

describe('Spans that name a prompt', () => {
  const products: [string, Record<string, unknown>, number | string | undefined][] = [
    ['OpenTelemetry', { 'gen_ai.prompt.name': 'a/b', 'gen_ai.prompt.version': 'v2' }, 'v2'],
    ['OpenTelemetry, without a version', { 'gen_ai.prompt.name': 'a/b' }, undefined],
    [
      'Langfuse',
      { 'langfuse.observation.type': 'generation', 'langfuse.observation.prompt.name': 'a/b', 'langfuse.observation.prompt.version': 2 },
      2,
    ],
    ['Langfuse, older', { 'langfuse.prompt.name': 'a/b', 'langfuse.prompt.version': 2 }, 2],
    ['LangWatch', { 'langwatch.span.type': 'llm', 'langwatch.prompt.handle': 'a/b', 'langwatch.prompt.version.number': 2 }, 2],
    ['LangWatch, with one id', { 'langwatch.prompt.id': 'a/b:2' }, 2],
    ['OpenInference', { 'openinference.span.kind': 'LLM', 'prompt.id': 'a/b', 'llm.prompt_template.version': 'v2' }, 'v2'],
    ['Traceloop', { 'traceloop.prompt.key': 'a/b', 'traceloop.prompt.version': 2 }, 2],
    ['PostHog', { $ai_prompt_name: 'a/b', $ai_prompt_version: 2 }, 2],
    ['MLflow', { 'mlflow.linkedPrompts': '[{"name":"a/b","version":"2"}]' }, '2'],
    ['MLflow, as a tag of the trace', { 'mlflow.traceTag.mlflow.linkedPrompts': '[{"name":"a/b","version":"2"}]' }, '2'],
    ['the AI SDK', { 'ai.telemetry.metadata.gen_ai.prompt.name': 'a/b', 'ai.telemetry.metadata.gen_ai.prompt.version': '2' }, '2'],
    ['the AI SDK 7', { 'ai.settings.context.gen_ai.prompt.name': 'a/b', 'ai.settings.context.gen_ai.prompt.version': '2' }, '2'],
    ['the AI SDK with Langfuse', { 'ai.telemetry.metadata.langfusePrompt': '{"name":"a/b","version":2,"prompt":"x"}' }, 2],
    [
      'the AI SDK 7 with Langfuse',
      { 'ai.settings.context.langfusePrompt.name': 'a/b', 'ai.settings.context.langfusePrompt.version': 2 },
      2,
    ],
  ];
  for (const [title, attributes, version] of products) {
    it(`as ${title} does`, () => {
      const { report, rejected } = read({ attributes });
      assert.deepEqual([report.calls.length, report.unnamed, rejected], [1, 0, 0]);
      assert.deepEqual([report.calls[0]?.prompt, report.calls[0]?.version], ['a/b', version]);
    });
  }

  it('the name and the version come from the same product', () => {
    const { report } = read({ attributes: { 'gen_ai.prompt.name': 'a/b', $ai_prompt_name: 'c', $ai_prompt_version: 7 } });
    assert.deepEqual([report.calls[0]?.prompt, report.calls[0]?.version], ['a/b', undefined]);
  });

  const containers: [string, Record<string, unknown>][] = [
    ['a span of Langfuse', { 'langfuse.observation.type': 'span' }],
    ['a chain of OpenInference', { 'openinference.span.kind': 'CHAIN' }],
    ['a prompt that LangWatch has fetched', { 'langwatch.span.type': 'prompt' }],
    ['a tool', { 'gen_ai.operation.name': 'execute_tool' }],
    ['a step of the AI SDK', { 'gen_ai.operation.name': 'agent_step' }],
    ['the outer span of the AI SDK', { 'ai.operationId': 'ai.generateText' }],
  ];
  for (const [title, attributes] of containers) {
    it(`${title} is no call`, () => {
      const { report, rejected } = read({ attributes: { ...prompt, ...attributes } });
      assert.deepEqual([report.calls.length, report.unnamed, rejected], [0, 0, 0]);
    });
  }

  it('a call within a call of the same version counts once', () => {
    const { report } = read(
      { spanId: outer, attributes: { ...prompt, 'gen_ai.operation.name': 'invoke_agent' } },
      { spanId: middle, parentSpanId: outer, attributes: {} },
      { spanId: inner, parentSpanId: middle, attributes: { ...prompt, 'gen_ai.operation.name': 'chat' } },
    );
    assert.deepEqual(
      report.calls.map(({ identity }) => identity.spanId),
      [inner],
    );
  });

  it('a call within a call of another prompt or version counts too', () => {
    const { report } = read(
      { spanId: outer, attributes: prompt },
      { spanId: middle, parentSpanId: outer, attributes: { ...prompt, 'gen_ai.prompt.version': 4 } },
      { spanId: inner, parentSpanId: middle, attributes: { 'gen_ai.prompt.name': 'b' } },
    );
    assert.equal(report.calls.length, 3);
  });

  it('a call gets its missing measurements from the model calls below it', () => {
    const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5-mini', 'gen_ai.usage.input_tokens': 10 };
    const { report } = read(
      { spanId: inner, parentSpanId: middle, attributes: { ...model, 'gen_ai.usage.output_tokens': 5, 'gen_ai.response.id': 'r-1' } },
      { spanId: middle, parentSpanId: outer, attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.usage.input_tokens': 999 } },
      { spanId: outer, attributes: prompt },
      { spanId: other, attributes: model },
    );
    assert.equal(report.unnamed, 3);
    assert.equal(report.calls.length, 1);
    const [call] = report.calls;
    assert.deepEqual([call?.inputTokens, call?.outputTokens, call?.model, call?.identity.responseId], [10, 5, 'gpt-5-mini', 'r-1']);
  });

  it('the tokens of a call are not replaced by the tokens of calls below it', () => {
    const { report } = read(
      { spanId: outer, attributes: { ...prompt, 'gen_ai.usage.input_tokens': 7 } },
      { spanId: inner, parentSpanId: outer, attributes: { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 } },
    );
    assert.deepEqual([report.calls[0]?.inputTokens, report.calls[0]?.outputTokens], [7, undefined]);
  });

  it('spans that are their own ancestors are read like others', () => {
    const { report } = read(
      { spanId: outer, parentSpanId: inner, attributes: prompt },
      { spanId: inner, parentSpanId: outer, attributes: { 'gen_ai.usage.input_tokens': 10 } },
    );
    assert.equal(report.calls[0]?.inputTokens, 10);
  });

  const invalid: [string, Parameters<typeof jsonSpan>[0]][] = [
    ['no start', { startTimeUnixNano: undefined }],
    ['no end', { endTimeUnixNano: '0' }],
    ['an end before the start', { endTimeUnixNano: '5' }],
    ['a duration of a year', { startTimeUnixNano: '1758000000000000000', endTimeUnixNano: '1790000000000000000' }],
    ['a time with letters', { startTimeUnixNano: 'x' }],
    ['a short trace id', { traceId: '0102' }],
    ['a trace id of zeros', { traceId: '0'.repeat(32) }],
    ['a span id that is base64', { spanId: 'AQIDBAUGBwg=' }],
    ['a name that is a number', { attributes: { 'gen_ai.prompt.name': 5 } }],
    ['a name that is too long', { attributes: { 'gen_ai.prompt.name': 'x'.repeat(401) } }],
    ['a version that is a fraction', { attributes: { ...prompt, 'gen_ai.prompt.version': 1.5 } }],
    ['a version below zero', { attributes: { ...prompt, 'gen_ai.prompt.version': -1 } }],
    ['tokens below zero', { attributes: { ...prompt, 'gen_ai.usage.input_tokens': -1 } }],
    ['tokens that are a text', { attributes: { ...prompt, 'gen_ai.usage.input_tokens': 'many' } }],
    ['too many tokens', { attributes: { ...prompt, 'gen_ai.usage.output_tokens': 1e15 } }],
    ['a cost that is a list', { attributes: { ...prompt, 'gen_ai.usage.cost': { arrayValue: {} } } }],
    ['a list of prompts that is not JSON', { attributes: { 'mlflow.linkedPrompts': '[{' } }],
  ];
  for (const [title, span] of invalid) {
    it(`${title} is rejected, and the other spans count`, () => {
      const { report, rejected, reason } = read({ attributes: prompt, ...span }, { spanId: other, attributes: prompt });
      assert.deepEqual([report.calls.length, report.invalid, rejected], [1, 1, 1]);
      assert.match(String(reason), /invalid/);
    });
  }

  it('at most 10,000 named spans of a request count', () => {
    const spans = Array.from({ length: 10_003 }, (_, at) => ({ spanId: (at + 1).toString(16).padStart(16, '0'), attributes: prompt }));
    const { report, rejected, reason } = read(...spans, { attributes: {} });
    assert.deepEqual([report.calls.length, report.unnamed, rejected], [10_000, 1, 3]);
    assert.match(String(reason), /10,000/);
  });
});
