import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runJob } from '../../../src/domain/templates/jobs.ts';

function analyze(...templates: string[]) {
  return runJob({ kind: 'analyze', sources: templates.map((text, index) => ({ path: `/${index}`, text })) });
}

/** Required names as they are, optional ones with a question mark. */
function variablesOf(...templates: string[]): string[] {
  const result = analyze(...templates);
  assert.ok(result.ok, JSON.stringify(result));
  return result.analysis.variables.map(({ name, required }) => (required ? name : `${name}?`));
}

describe('The variables of a template', () => {
  const table: Record<string, string[]> = {
    'no tag at all': [],
    '{{ a }}{{ a }}{{ b }}': ['a', 'b'],
    "{{ 'text' }}{{ 1 }}{{ true }}{{ nil }}{{ empty }}{{ blank }}": [],
    '{{ a.b.c }}': ['a'],
    '{{ a.b[c.d].e }}': ['a', 'c'],
    "{{ a['b'] }}{{ a[0] }}": ['a'],
    "{{ ['odd name'] }}": ['odd name'],
    '{{ a-b }}': ['a-b'],
    '{{ größe }}{{ 名前 }}': ['größe', '名前'],
    '{{ a | upcase | append: b }}': ['a', 'b'],
    "{{ a | where: 'k', v | map: 'x' }}": ['a', 'v'],
    "{{ a | default: 'x' }}": ['a?'],
    '{{ a | default: b }}': ['a?', 'b?'],
    '{{ a | upcase | default: b, allow_false: c }}': ['a?', 'b?', 'c?'],
    '{{ a | default: 1 }}{{ a }}': ['a'],
    '{{ a == b and c or not d }}': ['a', 'b', 'c', 'd'],
    '{% if a %}{{ b }}{% elsif c %}{{ d }}{% else %}{{ e }}{% endif %}': ['a?', 'c?', 'b?', 'd?', 'e?'],
    '{% if a %}x{% endif %}{{ a }}': ['a'],
    "{% if a contains 'x' and b > 1 %}x{% endif %}": ['a?', 'b?'],
    '{% unless a %}{{ b }}{% endunless %}': ['a?', 'b?'],
    '{% case a %}{% when b %}{{ c }}{% else %}{{ d }}{% endcase %}': ['a?', 'b?', 'c?', 'd?'],
    '{% for x in xs %}{{ x.name }}{{ forloop.index }}{{ y }}{% endfor %}': ['xs', 'y'],
    '{% for x in xs %}{{ x }}{% else %}{{ y }}{% endfor %}': ['xs', 'y?'],
    '{% for x in xs %}{% for y in x.ys %}{{ x }}{{ y }}{% endfor %}{% endfor %}{{ y }}': ['xs', 'y'],
    '{% for x in (a..b) limit: c offset: d reversed %}{{ x }}{% endfor %}': ['a', 'b', 'c', 'd'],
    '{% if a %}{% for x in xs %}{{ x }}{% endfor %}{% endif %}': ['a?', 'xs?'],
    '{% tablerow x in xs cols: n %}{{ x }}{% endtablerow %}': ['xs', 'n'],
    '{% assign x = a | append: b %}{{ x }}': ['a', 'b'],
    '{{ x }}{% assign x = 1 %}': ['x'],
    '{% capture x %}{{ a }}{% endcapture %}{{ x }}': ['a'],
    '{% increment n %}{{ n }}': [],
    '{% cycle a, b %}': ['a', 'b'],
    '{% echo a %}': ['a'],
    '{% liquid\n assign x = a\n echo x\n if b\n echo c\n endif\n%}': ['a', 'b?', 'c?'],
    '{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}{% # {{ c }} %}': [],
    "{% render 'p', x: a, y: 'b' %}": ['a'],
  };
  for (const [template, expected] of Object.entries(table)) {
    it(JSON.stringify(template), () => assert.deepEqual(variablesOf(template), expected));
  }

  it('of several messages: each sees the caller’s variables, and none what another assigned', () => {
    assert.deepEqual(variablesOf('{% assign x = 1 %}{{ x }}{{ a }}', '{{ x }}{{ b }}'), ['a', 'x', 'b']);
  });
});

describe('The prompts that a template includes', () => {
  const table: Record<string, unknown[]> = {
    "{% render 'a/b' %}": [{ name: 'a/b', label: 'production', bound: [], conditional: false }],
    "{% render 'a', label: 'staging', x: 1, y: z %}": [{ name: 'a', label: 'staging', bound: ['x', 'y'], conditional: false }],
    "{% if x %}{% render 'a' %}{% endif %}": [{ name: 'a', label: 'production', bound: [], conditional: true }],
    "{% if x %}{% render 'a' %}{% endif %}{% render 'a' %}": [{ name: 'a', label: 'production', bound: [], conditional: false }],
    '{% for x in xs %}{% render "a", label: "latest" %}{% endfor %}': [{ name: 'a', label: 'latest', bound: [], conditional: false }],
    "{% comment %}{% render 'a' %}{% endcomment %}": [],
  };
  for (const [template, expected] of Object.entries(table)) {
    it(template, () => {
      const result = analyze(template);
      assert.ok(result.ok);
      assert.deepEqual(result.analysis.partials, expected);
    });
  }
});

describe('Names that are assigned and never used', () => {
  it('are found; those read in a loop, a condition or a filter are used', () => {
    const result = analyze(
      '{% assign a = 1 %}{% assign b = 1 %}{% assign c = 1 %}{% assign d = 1 %}{% if b %}{{ 1 | plus: c }}{% endif %}{% for x in d %}{% endfor %}',
    );
    assert.ok(result.ok);
    assert.deepEqual(result.analysis.unused, ['a']);
  });
});

describe('A template that does not parse', () => {
  const table: Record<string, [line: number, column: number, text: RegExp]> = {
    '{{': [1, 1, /not closed/],
    'Hello\n  {{ name': [2, 3, /not closed/],
    '{% if a': [1, 1, /not closed/],
    'a\nb\n  {% if x %}': [3, 3, /not closed/],
    '{% endif %}': [1, 1, /not found/],
    'x\n{% for x of y %}{% endfor %}': [2, 1, /./],
    '{% nonsense %}': [1, 1, /"nonsense" not found/],
    'a {{ x | nonsense }}': [1, 3, /undefined filter: nonsense/],
    '{{ }}': [1, 4, /invalid value/],
    '{{ a b }}': [1, 6, /unexpected "b"/],
    'one\n{{ a.first b }}': [2, 12, /unexpected "b"/],
    '{{ a - b }}': [1, 6, /unexpected "-"/],
    '{{ a == }}': [1, 6, /"==" lacks a value/],
    '{{ and a }}': [1, 4, /"and" lacks a value/],
    '{% if a b %}{% endif %}': [1, 9, /unexpected "b"/],
    '{% assign x = a b %}{{ x }}': [1, 17, /unexpected "b"/],
    "{% include 'a' %}": [1, 1, /not found/],
    "{% layout 'a' %}": [1, 1, /not found/],
    '{% render a %}': [1, 1, /in quotes/],
    "{% render 'a' with b %}": [1, 1, /by name/],
    "{% render 'a', label: b %}": [1, 1, /label in quotes/],
  };
  for (const [template, [line, column, text]] of Object.entries(table)) {
    it(`${JSON.stringify(template)} has the position ${line}:${column}`, () => {
      const result = analyze(template);
      assert.ok(!result.ok, JSON.stringify(result));
      const [error] = result.errors;
      assert.match(error?.message ?? '', text);
      assert.deepEqual([error?.line, error?.column], [line, column]);
      assert.doesNotMatch(error?.message ?? '', /line:|file:|node_modules/);
    });
  }

  it('all invalid messages are named at once', () => {
    const result = analyze('{{', 'fine', '{% if %}');
    assert.deepEqual(!result.ok && result.errors.map(({ path }) => path), ['/0', '/2']);
  });
});
