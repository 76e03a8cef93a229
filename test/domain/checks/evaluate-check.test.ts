import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CaseCheck } from '../../../src/contract/cases.ts';
import { evaluate } from '../../../src/domain/checks/evaluate-check.ts';
import { readVerdict } from '../../../src/domain/checks/judge.ts';
import type { Context } from '../../../src/domain/context.ts';
import { createChildren } from '../../../src/domain/templates/children.ts';

describe('Expressions and schemas of users', () => {
  const patient = createChildren();
  const hasty = createChildren({ timeoutMs: 300, heapMib: 64, idleMs: 60_000 });
  after(() => Promise.all([patient.close(), hasty.close()]));

  async function messageOf(children: typeof patient, check: CaseCheck, output: string): Promise<string> {
    const templates = {
      check: (_workspaceId: string, job: object) => children.run({ kind: 'check', ...job } as Parameters<typeof children.run>[0]),
    };
    // The check uses no other part of the context.
    const ctx = { templates } as unknown as Context;
    const { passed, message } = await evaluate(ctx, 'u_test', check, { prompt: '', output });
    assert.equal(passed, message === '');
    return message;
  }

  it('that are costly fail their check, and the next check runs', async () => {
    const tooCostly = 'The output cannot be checked within the time and memory limits';
    const long = 'a'.repeat(200_000);
    assert.equal(await messageOf(hasty, { kind: 'matches', value: '(?:(?:\\pL{0,100}){0,10})$' }, long), tooCostly);
    const schema = { pattern: '^(a|a)*$' };
    assert.equal(await messageOf(hasty, { kind: 'jsonSchema', value: schema }, JSON.stringify(`${'a'.repeat(40)}!`)), tooCostly);
    assert.equal(await messageOf(patient, { kind: 'matches', value: 'a$' }, long), '');
  });

  it('with quadratic searches fail their check too', async () => {
    const value = `${'a'.repeat(5000)}b${'a'.repeat(4999)}`;
    const long = 'a'.repeat(1_000_000);
    for (const kind of ['contains', 'notContains'] as const) {
      assert.match(await messageOf(hasty, { kind, value }, long), /cannot be checked within the time/);
      const isFound = kind === 'contains';
      assert.equal((await messageOf(patient, { kind, value }, `${'c'.repeat(2000)}${value}`)) === '', isFound);
      assert.equal((await messageOf(patient, { kind, value }, 'c'.repeat(2000))) === '', !isFound);
      assert.equal((await messageOf(patient, { kind, value: 'b' }, long)) === '', !isFound);
    }
  });

  it('recognize long JSON, and reject what is not JSON', async () => {
    const long = JSON.stringify('a'.repeat(100_000));
    assert.equal(await messageOf(patient, { kind: 'json', value: true }, long), '');
    assert.equal(await messageOf(patient, { kind: 'json', value: true }, '['.repeat(100_000)), 'The output is not JSON');
  });

  it('let other requests run in between, even if there are many and the text is long', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    for (let index = 0; index < 20; index += 1) {
      const message = await messageOf(patient, { kind: 'maxCharacters', value: 1 }, '😀'.repeat(500_000));
      assert.equal(message, 'The output has 500000 characters, but at most 1 are allowed');
    }
    clearImmediate(next);
    assert.ok(turns > 1);
    assert.equal(await messageOf(patient, { kind: 'maxCharacters', value: 4 }, '\u{d83d}a\u{de00}\u{d83d}'), '');
  });

  it('that are invalid or endless report that', async () => {
    const failing = (value: unknown) => messageOf(patient, { kind: 'jsonSchema', value }, '{"a":"b"}');
    assert.match(await failing({ $ref: '#' }), /cannot be checked: it refers to itself endlessly/);
    assert.match(await failing({ properties: { a: { pattern: '(' } } }), /cannot be checked: Invalid regular expression/);
    assert.match(
      await failing({ required: ['b'], properties: { a: { type: 'number' } } }),
      /^The output must have required properties b; at \/a must be number/,
    );
    assert.match(await failing(false), /^The output /);
    assert.equal(await failing(true), '');
    assert.equal(await failing({ type: 'object', additionalProperties: { type: 'string' } }), '');
  });
});

describe('A judge', () => {
  it('lets an output pass only if it says so', () => {
    for (const text of ['{"pass":true}', '```json\n{"passed": true}\n```', 'PASS', 'Yes, it is.', '**Passed**: good', 'true']) {
      assert.equal(readVerdict(text).passed, true, text);
    }
    for (const text of [
      '{"pass":false}',
      '{"pass":"true"}',
      'FAIL',
      'No.',
      '',
      'It should pass',
      'passable',
      'null',
      '{}',
      '```',
      ' '.repeat(1_000_000),
      `{"pass":true,"because":${'['.repeat(1_000_000)}`,
    ]) {
      assert.equal(readVerdict(text).passed, false, text.slice(0, 20));
    }
    assert.match(readVerdict('Maybe').message, /answered neither pass nor fail: Maybe/);
  });
});
