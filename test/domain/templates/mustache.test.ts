import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import mustache from 'mustache';
import { isPortable } from '../../../src/contract/composition.ts';
import { createMainThreadJobs } from '../../../src/domain/templates/main-thread-jobs.ts';
import { parseMustache } from '../../../src/domain/templates/mustache-parser.ts';
import { runJob } from '../../../src/domain/templates/template-jobs.ts';

const sourcesOf = (text: string) => [{ path: '/template', text }];

/** Renders as a child process and as the main thread would. */
function render(text: string, variables: Record<string, unknown> = {}) {
  const templates = { syntax: 'mustache' as const, sources: sourcesOf(text), partials: {} };
  const result = runJob({ kind: 'render', ...templates, variables });
  const mainThread = createMainThreadJobs();
  const parsed = mainThread.prepare(templates);
  const resultOfMainThread = parsed && mainThread.render('w', parsed, variables);
  if (resultOfMainThread) assert.deepEqual(resultOfMainThread, result);
  return result;
}

function analyze(text: string) {
  return runJob({ kind: 'analyze', syntax: 'mustache', sources: sourcesOf(text) });
}

const names = ['a', 'b', 'a.b', 'items', 'items.0', 'text.length', '.', 'missing'];
const anyTag = fc
  .tuple(fc.constantFrom('{{', '{{&', '{{{'), fc.constantFrom(...names))
  .map(([open, name]) => `${open}${name}${open === '{{{' ? '}}}' : '}}'}`);
const { template: anyTemplate } = fc.letrec((tie) => ({
  template: fc.array(tie('part'), { maxLength: 5 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small' },
    anyTag,
    fc.constantFrom('text', ' ', '\n', ' \n', '\n\n', '{ }', '}}', '{{! comment }}', '{{> partial}}', '{{=<% %>=}}<% b %><%={{ }}=%>'),
    tie('section'),
  ),
  section: fc
    .tuple(fc.constantFrom('#', '^'), fc.constantFrom(...names), tie('template'))
    .map(([kind, name, inner]) => `{{${kind}${name}}}${inner}{{/${name}}}`),
}));

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

describe('Mustache templates', () => {
  it('render as mustache itself does without escaping, for any template', () => {
    const variables = { a: { b: '<1>' }, b: 'x & y', items: [{ a: 1 }, 'two', 3], text: 'four' };
    fc.assert(
      fc.property(anyTemplate as fc.Arbitrary<string>, (template) => {
        const expected = mustache.render(template, variables, {}, { escape: String });
        assert.deepEqual(render(template, variables), { ok: true, texts: [expected] });
      }),
    );
  });

  it('are refused where mustache itself refuses them', () => {
    const anyText = fc.array(fc.constantFrom('{{', '}}', '{', '}', '#', '/', '^', '=', ' ', 'a', 'b', '\n', '{{#a}}', '{{/a}}', '&', '!'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(anyText, (parts) => {
        const text = parts.join('');
        const expected = attempt(() => mustache.render(text, { a: [1, 2], b: 'B' }, {}, { escape: String }));
        const { error: _position, ...result } = { error: undefined, ...render(text, { a: [1, 2], b: 'B' }) };
        assert.deepEqual(result, expected === undefined ? { ok: false } : { ok: true, texts: [expected] });
      }),
      { numRuns: 2000 },
    );
  });

  it('with a million characters or endless spaces are parsed or refused like short ones', () => {
    const long = 'ab é\n'.repeat(200_000);
    assert.deepEqual(render(long, {}), { ok: true, texts: [long] });
    for (const text of [`{{a${' '.repeat(1_000_000)}`, `{{{a${' '.repeat(500_000)}}}`, '{{ '.repeat(300_000)]) {
      assert.throws(() => parseMustache(text), /^Error: Unclosed tag at \d+$/);
    }
  });

  it('find only what the caller has sent', () => {
    const text = '{{constructor}}{{toString}}{{a.constructor.name}}{{#valueOf}}x{{/valueOf}}{{__proto__}}{{a.__proto__.b}}';
    assert.deepEqual(render(text, { a: {} }), { ok: true, texts: [''] });
  });

  it('report errors with their line and column', () => {
    const result = analyze('one\n  {{#open}}\nthree');
    assert.ok(!result.ok);
    assert.deepEqual(
      result.errors.map(({ line, message }) => [line, message]),
      [[3, 'Unclosed section "open"']],
    );
  });

  it('list variables, which are required only outside sections, and includes', () => {
    const result = analyze(
      '{{name}} {{#items}}{{title}} @@@langfusePrompt:name=in|label=x@@@{{/items}} {{user.email}} @@@langfusePrompt:name=out|version=2@@@',
    );
    assert.ok(result.ok);
    assert.deepEqual(
      result.analysis.variables.map(({ name, required, kind }) => [name, required, kind]),
      [
        ['name', true, 'text'],
        ['items', false, undefined],
        ['title', false, 'text'],
        ['user', true, 'object'],
      ],
    );
    assert.deepEqual(
      result.analysis.partials.map(({ name, label, conditional }) => [name, label, conditional]),
      [
        ['in', 'x', true],
        ['out', '@2', false],
      ],
    );
  });

  it('are rendered alike by both languages if both can render them', () => {
    const anyPlain = fc
      .array(fc.constantFrom('{{ a }}', '{{b.c}}', 'text', '{ } %', '\n'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    const variables = { a: 'A', b: { c: 'C' } };
    fc.assert(
      fc.property(anyPlain, (text) => {
        assert.ok(isPortable(text));
        assert.deepEqual(runJob({ kind: 'render', sources: sourcesOf(text), partials: {}, variables }), render(text, variables));
      }),
    );
    for (const text of [
      '{{ a | upcase }}',
      '{% if a %}',
      '{{#a}}',
      '{{{a}}}',
      '{{ a.size }}',
      '{{- a }}',
      '{{ a',
      '{{ true }}',
      '{{ a b }}',
    ]) {
      assert.ok(!isPortable(text), text);
    }
  });
});
