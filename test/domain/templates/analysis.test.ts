import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Shape } from '../../../src/contract/variables.ts';
import { countFields } from '../../../src/domain/templates/shapes.ts';
import { runJob } from '../../../src/domain/templates/template-jobs.ts';

function analyze(...templates: string[]) {
  return runJob({ kind: 'analyze', sources: templates.map((text, index) => ({ path: `/${index}`, text })) });
}

/** Lists the variables. Optional variables have a question mark. */
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
    "{{ 'text'.size }}{{ (1..n).first }}": ['n'],
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

  it('of several messages: each sees the caller’s variables, and none sees what another message assigned', () => {
    assert.deepEqual(variablesOf('{% assign x = 1 %}{{ x }}{{ a }}', '{{ x }}{{ b }}'), ['a', 'x', 'b']);
  });
});

/**
 * Writes `{name}` for an object with a field `name`, `(name)` if the field is optional, `[…]` for a list, and `name?` if the template does
 * not show the type.
 */
function format(name: string, { kind, fields = [], items = {} }: Shape): string {
  if (kind === 'object')
    return `${name}{${fields.map((field) => (field.required ? format(field.name, field) : `(${format(field.name, field)})`)).join(' ')}}`;
  if (kind === 'list') return `${name}[${format('', items)}]`;
  return kind === 'text' ? name : `${name}?`;
}

function shapesOf(...templates: string[]): string {
  const result = analyze(...templates);
  assert.ok(result.ok, JSON.stringify(result));
  return result.analysis.variables.map((variable) => format(variable.name, variable)).join(' ');
}

describe('The fields of a variable', () => {
  const table: Record<string, string> = {
    '{{ a }}{{ b | upcase }}{% if c %}{% endif %}': 'a b c',
    '{{ a.b }}{{ a }}{{ a.c.d }}{{ a["e f"] }}': 'a{b c{d} e f}',
    '{{ a[0] }}{{ b[-1].c }}': 'a[] b[{c}]',
    '{% for x in a %}{{ x }}{% endfor %}': 'a[]',
    '{% for x in a %}{{ x.price }}{% for y in x.tags %}{{ y }}{% endfor %}{{ a.size }}{% endfor %}': 'a[{price tags[]}]',
    '{% for x in a.b %}{{ x.c }}{% else %}{{ x.d }}{% endfor %}{{ x.e }}': 'a{b[{c (d)}]} x{e}',
    '{% tablerow x in a %}{{ x.b }}{% endtablerow %}': 'a[{b}]',
    '{{ a.b }}{% if a.c %}{{ a.d }}{% endif %}{{ a.e | default: f.g }}': 'a{b (c) (d) (e)} f{(g)}',
    // Objects and lists can both have `first` and `last`.
    '{{ a.first }} {{ a.last }}': 'a{first last}',
    '{{ a[0].b }}{{ a.first.c }}': 'a[{b c}]',
    '{{ users.first.name }}{{ users.last.age }}{{ users.size }}': 'users[{name age}]',
    '{{ a.size }}{{ b.size }}{{ b.color }}': 'a? b{size color}',
    '{% assign x = a.b %}{% assign y = x %}{{ y.c }}': 'a{b{c}}',
    '{% assign a = a | default: b %}{{ a.c }}{{ b }}': 'a{c} b',
    '{% capture a %}{% endcapture %}{{ a.b }}': '',
    "{% assign x = a | where: 'b', c | sort: 'd.e' | reverse %}{% for y in x %}{{ y.f }}{% endfor %}": 'a[{(b) (d{(e)}) f}] c',
    "{{ a | map: 'b.c' | join: ', ' }}{{ d | join }}": 'a[{b{c}}] d[]',
    '{% assign x = a | first %}{{ x.b }}{% assign y = c | split: "," %}{% for z in y %}{{ z.d }}{% endfor %}': 'a[{b}] c',
    // These constructs work with any value.
    "{{ a | json }}{% if b contains 'x' %}{% endif %}{{ c[d] }}": 'a? b? c? d',
    '{{ a | json }}{{ a.b }}': 'a{b}',
    '{{ a.__proto__.b }}{{ constructor.name }}': 'a{__proto__{b}} constructor{name}',
    '{{ a.b.c.d.e.f.g.h.i }}': 'a{b{c{d{e{f{g?}}}}}}',
    [`{{ a.${'b'.repeat(101)} }}`]: 'a?',
  };
  for (const [template, expected] of Object.entries(table)) {
    it(JSON.stringify(template).slice(0, 120), () => assert.equal(shapesOf(template), expected));
  }

  it('of several messages are combined', () => {
    assert.equal(shapesOf('{{ a.b }}', '{% assign a = c %}{{ a.d }}', '{{ a.e }}'), 'a{b e} c{d}');
  });

  it('are limited in number, whatever a template does', () => {
    const names = Array.from({ length: 2000 }, (_, index) => `{{ a.f${index} }}{{ b.f${index} }}`);
    const loops = '{% for x in y %}{% assign y = x.z %}'.repeat(200);
    const result = analyze(`${names.join('')}${loops}${'{% endfor %}'.repeat(200)}{{ q${'.r[0]'.repeat(10_000)} }}`);
    assert.ok(result.ok, JSON.stringify(result).slice(0, 300));
    const fields = result.analysis.variables.reduce((sum, variable) => sum + countFields(variable), 0);
    assert.ok(fields >= 500 && fields <= 500 + result.analysis.variables.length, `${fields} fields`);
  });
});

describe('The prompts that a template includes', () => {
  const table: Record<string, unknown[]> = {
    "{% render 'a/b' %}": [{ name: 'a/b', label: 'production', bound: [], conditional: false }],
    "{% render 'a', label: 'staging', x: 1, y: 'z' %}": [{ name: 'a', label: 'staging', bound: ['x', 'y'], conditional: false }],
    "{% for x in xs %}{% render 'a', y: x, z: x.b[0].c %}{% endfor %}{% render 'a', y: 'q', z: w %}": [
      {
        name: 'a',
        label: 'production',
        bound: ['y', 'z'],
        conditional: false,
        passed: { y: [['xs', 0]], z: [['xs', 0, 'b', 0, 'c'], ['w']] },
      },
    ],
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
  it('are found; names that a loop, a condition or a filter reads count as used', () => {
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
    '{{ a == }}': [1, 6, /"==" has no value/],
    '{{ and a }}': [1, 4, /"and" has no value/],
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
