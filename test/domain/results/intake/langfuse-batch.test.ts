import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLangfuseBatch } from '../../../../src/domain/results/intake/langfuse-batch.ts';

const started = '2026-09-21T13:33:20.000Z';
const startedAtMs = Date.parse(started);
const prompt = { promptName: 'support/triage', promptVersion: 3 };

let events = 0;
function event(type: string, body: unknown) {
  events += 1;
  return { id: `e${events}`, type, timestamp: started, body };
}
const create = (body: object) => event('generation-create', { id: 'g1', traceId: 't1', startTime: started, ...body });
const update = (body: object) => event('generation-update', { id: 'g1', traceId: 't1', ...body });
const score = (body: object) => event('score-create', { id: 's1', traceId: 't1', name: 'helpful', ...body });
const read = (...batch: unknown[]) => readLangfuseBatch({ batch });

describe('A batch of a Langfuse SDK', () => {
  it('a generation without an end is open, and the end may be in a later batch', () => {
    const { calls, ends } = read(create({ ...prompt, model: 'gpt-5-mini', input: 'x' })).report;
    assert.deepEqual(ends, []);
    assert.deepEqual(calls, [
      { prompt: 'support/triage', version: 3, identity: { traceId: 't1', spanId: 'g1' }, startedAtMs, model: 'gpt-5-mini', isOpen: true },
    ]);
    const later = read(update({ endTime: '2026-09-21T13:33:21.000Z', completionStartTime: '2026-09-21T13:33:20.500Z', level: 'ERROR' }));
    assert.deepEqual(later.report.calls, []);
    assert.deepEqual(later.report.ends, [
      {
        identity: { traceId: 't1', spanId: 'g1' },
        model: undefined,
        endedAtMs: startedAtMs + 1000,
        firstChunkAtMs: startedAtMs + 500,
        inputTokens: undefined,
        outputTokens: undefined,
        cost: undefined,
        error: 'error',
      },
    ]);
  });

  it('an update that says nothing about the end is dropped', () => {
    const { calls, ends, unnamed } = read(update({ metadata: { a: 1 } })).report;
    assert.deepEqual([calls, ends, unnamed], [[], [], 1]);
  });

  it('the events of a generation are merged, in any order', () => {
    const end = update({ endTime: '2026-09-21T13:33:21.000Z', usage: { input: 10, output: 5 }, model: 'later' });
    for (const batch of [
      [create({ ...prompt, model: 'earlier' }), end],
      [end, create({ ...prompt, model: 'earlier' })],
    ]) {
      const { calls, ends } = read(...batch).report;
      assert.deepEqual(ends, []);
      assert.deepEqual(
        calls.map(({ durationMs, inputTokens, outputTokens, model, isOpen }) => [durationMs, inputTokens, outputTokens, model, isOpen]),
        [[1000, 10, 5, 'later', undefined]],
      );
    }
  });

  it('observations count if they are generations', () => {
    const body = { id: 'o1', traceId: 't1', startTime: started, endTime: started, ...prompt };
    const { calls } = read(
      event('observation-create', { ...body, type: 'GENERATION' }),
      event('observation-create', { ...body, type: 'SPAN' }),
    ).report;
    assert.equal(calls.length, 1);
    assert.equal(read(event('span-create', body), event('event-create', body)).report.calls.length, 0);
  });

  const usages: [string, object, (number | undefined)[]][] = [
    ['usageDetails', { usageDetails: { input: 10, output: 5, total: 15 } }, [10, 5, undefined]],
    [
      'usageDetails with parts',
      { usageDetails: { input: 10, input_cached_tokens: 90, output: 5, output_reasoning_tokens: 2 } },
      [100, 7, undefined],
    ],
    ['usageDetails of OpenAI', { usageDetails: { prompt_tokens: 10, completion_tokens: 5 } }, [10, 5, undefined]],
    ['usage', { usage: { input: 10, output: 5, unit: 'TOKENS', totalCost: 0.5 } }, [10, 5, 0.5]],
    ['usage in camel case', { usage: { promptTokens: 10, completionTokens: 5 } }, [10, 5, undefined]],
    ['costDetails', { costDetails: { input: 0.1, total: 0.3 } }, [undefined, undefined, 0.3]],
    ['null', { usage: null, usageDetails: null, costDetails: null }, [undefined, undefined, undefined]],
  ];
  for (const [title, usage, expected] of usages) {
    it(`reads the usage: ${title}`, () => {
      const [call] = read(create({ ...prompt, endTime: started, ...usage })).report.calls;
      assert.deepEqual([call?.inputTokens, call?.outputTokens, call?.cost], expected);
    });
  }

  const scores: [object, unknown][] = [
    [{ value: 1 }, 1],
    [{ value: 0.5, dataType: 'NUMERIC' }, 0.5],
    [{ value: 1, dataType: 'BOOLEAN' }, true],
    [{ value: 0, dataType: 'BOOLEAN' }, false],
    [{ value: true, dataType: 'BOOLEAN' }, true],
    [{ value: 'kind', dataType: 'CATEGORICAL' }, 'kind'],
    [{ value: 'kind', dataType: null }, 'kind'],
  ];
  for (const [body, value] of scores) {
    it(`reads a score: ${JSON.stringify(body)}`, () => {
      const { report, events } = read(score(body));
      assert.deepEqual(report.scores, [
        { rated: { traceId: 't1', spanId: undefined }, name: 'helpful', value, comment: undefined, id: 's1' },
      ]);
      assert.equal(events[0]?.error, undefined);
    });
  }

  it('accepts scores that are texts, have an unknown type or rate a session, and does not keep them', () => {
    const { report, events } = read(
      score({ value: 'What a person wrote', dataType: 'TEXT' }),
      score({ value: 'What a person wrote', dataType: 'A_LATER_TYPE' }),
      score({ value: 1, dataType: 'constructor' }),
      score({ value: 1, dataType: {} }),
      score({ value: 1, traceId: undefined, sessionId: 'x' }),
    );
    assert.deepEqual([report.scores, report.invalid], [[], 0]);
    assert.deepEqual(
      events.map(({ error }) => error),
      [undefined, undefined, undefined, undefined, undefined],
    );
  });

  it('keeps a comment up to its limit, and no longer one', () => {
    const commentOf = (length: number) => read(score({ value: 1, comment: 'x'.repeat(length) })).report.scores[0]?.comment?.length;
    assert.deepEqual([commentOf(500), commentOf(501)], [500, undefined]);
  });

  it('a score without an id has the same id whenever it is sent', () => {
    const idOf = (value: number) => read(score({ value, id: undefined })).report.scores[0]?.id;
    assert.equal(idOf(1), idOf(1));
    assert.notEqual(idOf(1), idOf(2));
  });

  const invalid: [string, ReturnType<typeof event>][] = [
    ['a name that is a number', create({ promptName: 5 })],
    ['a version that is a text', create({ ...prompt, promptVersion: '3' })],
    ['a start that is no time', create({ ...prompt, startTime: 'x' })],
    ['tokens below zero', create({ ...prompt, usage: { input: -1 } })],
    ['a generation without an id', create({ ...prompt, id: undefined })],
    ['an id of 201 characters', create({ ...prompt, id: 'x'.repeat(201) })],
    ['a score of another type', score({ value: 'x', dataType: 'NUMERIC' })],
    ['a score that is too long', score({ value: 'x'.repeat(101) })],
    ['a score without a name', score({ value: 1, name: '' })],
    ['no body', event('score-create', null)],
  ];
  for (const [title, wrong] of invalid) {
    it(`refuses ${title}, and counts the other events`, () => {
      const { report, events } = read(wrong, event('generation-create', { id: 'g2', startTime: started, endTime: started, ...prompt }));
      assert.deepEqual([report.calls.length, report.scores.length, report.invalid], [1, 0, 1]);
      assert.deepEqual(
        events.map(({ error }) => error !== undefined),
        [true, false],
      );
    });
  }

  it('a call that ends before it starts is dropped and counted as invalid, but its events are accepted', () => {
    const { report, events } = read(create(prompt), update({ endTime: '2026-09-21T13:33:19.000Z' }));
    assert.deepEqual([report.calls.length, report.invalid], [0, 1]);
    assert.deepEqual(
      events.map(({ error }) => error),
      [undefined, undefined],
    );
  });
});
