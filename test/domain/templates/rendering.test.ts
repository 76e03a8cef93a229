import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMainThreadJobs } from '../../../src/domain/templates/main-thread-jobs.ts';
import { runJob } from '../../../src/domain/templates/template-jobs.ts';
import { anyCharacter } from '../../support/any-character.ts';

/** Renders as a child process would and, if the template is ordinary, as the main thread would. */
function render(text: string, variables: Record<string, unknown> = {}) {
  const templates = { sources: [{ path: '/template', text }], partials: {} };
  const result = runJob({ kind: 'render', ...templates, variables });
  const mainThread = createMainThreadJobs();
  const parsed = mainThread.prepare(templates);
  const resultOfMainThread = parsed && mainThread.render('w', parsed, variables);
  if (resultOfMainThread) assert.deepEqual(resultOfMainThread, result);
  return result;
}

function textOf(text: string, variables: Record<string, unknown> = {}): string | undefined {
  const result = render(text, variables);
  assert.ok(result.ok, JSON.stringify(result));
  return result.texts[0];
}

const hasTag = (text: string) => text.includes('{{') || text.includes('{%');

describe('Text around tags', () => {
  it('any text without {{ and {% renders to itself', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 200 }).filter((text) => !hasTag(text)),
        (text) => textOf(text) === text,
      ),
    );
  });

  it('any text made of braces, signs and blanks but no tag renders to itself', () => {
    const text = fc
      .string({ unit: fc.constantFrom('{', '}', '%', '#', '-', ' ', '\n', '"', 'a'), maxLength: 60 })
      .filter((value) => !hasTag(value));
    fc.assert(fc.property(text, (value) => textOf(value) === value));
  });

  it('any JSON without a tag in it renders to itself, pretty or not', () => {
    const json = fc.tuple(fc.json(), fc.constantFrom(0, 2)).map(([value, indent]) => JSON.stringify(JSON.parse(value), null, indent));
    fc.assert(
      fc.property(
        json.filter((text) => !hasTag(text)),
        (text) => textOf(text) === text,
      ),
    );
  });

  it('a value inside JSON is inserted, and the braces are kept', () => {
    assert.equal(
      textOf('{"a": {"b": {{ x | json }}}, "c": [{"d": "{{ y }}"}]}', { x: { z: 1 }, y: 'q' }),
      '{"a": {"b": {"z":1}}, "c": [{"d": "q"}]}',
    );
  });

  it('the value of a variable is never parsed as a template', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{{', '}}', '{%', '%}', ' a ', 'if', '|'), maxLength: 20 }),
        (value) => textOf('[{{ x }}]', { x: value }) === `[${value}]`,
      ),
    );
  });
});

describe('Values', () => {
  it('any text is inserted unchanged and unescaped', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (value) => textOf('{{ x }}', { x: value }) === value));
  });

  it('objects and lists of objects become JSON, plain lists are joined, null is empty', () => {
    assert.equal(textOf('{{ x }}', { x: { a: [1, 'b'] } }), '{"a":[1,"b"]}');
    assert.equal(textOf('{{ x }}', { x: [{ a: 1 }, 2, [{}]] }), '[{"a":1},2,[{}]]');
    assert.equal(textOf('{{ x }}', { x: ['a', 1, ['b']] }), 'a1b');
    assert.equal(textOf('[{{ x }}{{ y }}{{ z.z.z }}]', { x: null }), '[]');
    assert.equal(textOf('{{ x }} {{ y }}', { x: false, y: 0 }), 'false 0');
  });

  it('conditions, loops, filters and whitespace control work', () => {
    const template =
      '{%- for item in items -%}{{ forloop.index }}. {{ item.name | upcase }}{% unless forloop.last %}, {% endunless %}{%- endfor -%}';
    assert.equal(textOf(template, { items: [{ name: 'a' }, { name: 'b' }] }), '1. A, 2. B');
    assert.equal(textOf("{{ day | date: '%Y-%m-%d' }}", { day: '2026-11-15T23:30:00Z' }), '2026-11-15', 'dates are UTC on every machine');
  });

  it('the filter json keeps any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(JSON.parse(textOf('{{ x | json }}', { x: value }) ?? ''), JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
