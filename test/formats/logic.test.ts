import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showContent } from '../../src/contract/message-content.ts';
import { liquid } from '../../src/domain/templates/liquid.ts';
import { renderTexts } from '../../src/domain/templates/render-texts.ts';
import type { ConvertedPrompt } from '../../src/formats/draft-types.ts';
import { convertOne, summarize } from './support.ts';

function textOf({ draft, findings }: ConvertedPrompt): string {
  assert.ok(draft, JSON.stringify(findings));
  assert.equal(draft.syntax, 'liquid');
  const [first] = draft.messages ?? [];
  return draft.template ?? (first && 'content' in first ? showContent(first.content) : '');
}

function render(text: string, variables: Record<string, unknown>): string {
  const result = renderTexts({ sources: [{ path: '/template', text }], partials: {}, variables }, (each) => liquid.parse(each));
  assert.ok(result.ok, JSON.stringify(result));
  return result.texts[0] ?? '';
}

type Example = [what: string, text: string, liquid: string, renders: [variables: Record<string, unknown>, output: string][]];

describe('conditions and loops of dotprompt', () => {
  const examples: Example[] = [
    [
      'if, else if and else',
      '{{#if vip}}Dear {{name}}{{else if known}}Hi {{name}}{{else}}Hello{{/if}}!',
      '{% if vip != blank %}Dear {{name}}{% elsif known != blank %}Hi {{name}}{% else %}Hello{% endif %}!',
      [
        [{ vip: true, name: 'Ada' }, 'Dear Ada!'],
        [{ vip: '', known: 'yes', name: 'Ada' }, 'Hi Ada!'],
        [{ vip: [], known: false }, 'Hello!'],
        [{}, 'Hello!'],
      ],
    ],
    [
      'unless, and the inverse of a name',
      '{{#unless quiet}}Hello{{/unless}}{{^items}}Nothing{{/items}}',
      '{% unless quiet != blank %}Hello{% endunless %}{% unless items != blank %}Nothing{% endunless %}',
      [
        [{ quiet: true, items: [1] }, ''],
        [{ quiet: '', items: [] }, 'HelloNothing'],
      ],
    ],
    [
      'each with this, fields, @index, @first, @last, else and ../',
      '{{#each orders}}{{@index}}{{#if @first}}*{{/if}} {{name}} {{this.price}}{{../currency}}{{#unless @last}}, {{/unless}}{{else}}none{{/each}}',
      '{% for order in orders %}{{ forloop.index0 }}{% if forloop.first %}*{% endif %} {{ order.name }} {{ order.price }}{{ currency }}{% unless forloop.last %}, {% endunless %}{% else %}none{% endfor %}',
      [
        [
          {
            currency: '€',
            orders: [
              { name: 'tea', price: 3 },
              { name: 'cup', price: 5 },
            ],
          },
          '0* tea 3€, 1 cup 5€',
        ],
        [{ currency: '€', orders: [] }, 'none'],
      ],
    ],
    [
      'a loop in a loop, with names of its own',
      '{{#each rows as |row number|}}{{number}}:{{#each row.cells}}{{this}}{{/each}} {{/each}}{{#each cell}}{{.}}{{/each}}',
      '{% for row in rows %}{{ forloop.index0 }}:{% for item in row.cells %}{{ item }}{% endfor %} {% endfor %}{% for item in cell %}{{ item }}{% endfor %}',
      [[{ rows: [{ cells: ['a', 'b'] }, { cells: ['c'] }], cell: [1] }, '0:ab 1:c 1']],
    ],
    [
      'with, ifEquals, unlessEquals, json, @root and length',
      '{{#with user}}{{name}} of {{@root.city}}{{/with}}{{#ifEquals tone "kind"}} kindly{{/ifEquals}}{{#unlessEquals n 2}} n{{/unlessEquals}} {{json user}} {{items.length}}',
      '{% if user != blank %}{{ user.name }} of {{ city }}{% endif %}{% if tone == "kind" %} kindly{% endif %}{% if n != 2 %} n{% endif %} {{ user | json }} {{ items.size }}',
      [[{ user: { name: 'Ada' }, city: 'London', tone: 'kind', n: 2, items: [1, 2] }, 'Ada of London kindly {"name":"Ada"} 2']],
    ],
    [
      'lines with a tag alone, which Handlebars leaves out',
      'Items:\n{{#each items}}\n  - {{this}}\n{{/each}}\n\n{{! a comment }}\n{{#if note}}\nNote: {{note}}\n{{else}}\nNo note\n{{/if}}\nEnd',
      'Items:\n{% for item in items %}  - {{ item }}\n{% endfor %}\n{% if note != blank %}Note: {{note}}\n{% else %}No note\n{% endif %}End',
      [
        [{ items: ['a', 'b'], note: 'x' }, 'Items:\n  - a\n  - b\n\nNote: x\nEnd'],
        [{ items: [] }, 'Items:\n\nNo note\nEnd'],
      ],
    ],
    [
      'signs that trim, escaped tags and tags of Liquid, which are text',
      'a {{~#if b~}} {{b}} {{~/if~}} c \\{{d}} {% e %}',
      'a {%- if b != blank -%} {{b}} {%- endif -%} c {% raw %}{{d}}{% endraw %} {% raw %}{%{% endraw %} e %}',
      [[{ b: 'B' }, 'aBc {{d}} {% e %}']],
    ],
  ];
  for (const [what, text, expected, renders] of examples) {
    it(`converts ${what}`, async () => {
      const converted = textOf(await convertOne('a.prompt', text));
      assert.equal(converted, expected);
      for (const [variables, output] of renders) assert.equal(render(converted, variables), output);
    });
  }

  it('tests variables by their types, and says what each tag became', async () => {
    const text = '---\ninput:\n  schema:\n    vip: boolean\n    count: integer\n---\n{{#if vip}}A{{/if}}{{#if count}}B{{/if}}';
    const converted = await convertOne('a.prompt', text);
    assert.equal(textOf(converted), '{% if vip %}A{% endif %}{% if count != blank and count != 0 %}B{% endif %}');
    assert.equal(render(textOf(converted), { vip: false, count: 0 }), '');
    assert.deepEqual(summarize(converted.findings).slice(0, 1), ['note 7 {{#if vip}}: Converted to {% if vip %}']);
  });

  it('keeps constructs that Liquid lacks as text on request, with a remark for each', async () => {
    const { draft, findings, asText } = await convertOne(
      'a.prompt',
      '{{#if a}}{{upper a}}{{/if}} {{#list b}}x{{/list}} {{> c}} {{#each d}}',
    );
    assert.equal(draft, undefined);
    assert.deepEqual(
      findings.filter(({ severity }) => severity === 'error').map(({ construct }) => construct),
      ['{{upper a}}', '{{#list b}}', '{{/list}}', '{{> c}}', '{{#each d}}'],
    );
    assert.ok(asText);
    assert.equal(render(textOf(asText), { a: 1 }), '{{upper a}} {{#list b}}x{{/list}} {{> c}} {{#each d}}');
    assert.equal(asText.findings.filter(({ severity }) => severity === 'warning').length, 5);
  });
});

describe('conditions and loops of Prompty', () => {
  const examples: Example[] = [
    [
      'a loop that is valid Liquid, as it is written',
      '{% for item in items %}\n- {{ item.name }}\n{% endfor %}',
      '{% for item in items %}\n- {{ item.name }}\n{% endfor %}',
      [[{ items: [{ name: 'a' }] }, '\n- a\n']],
    ],
    [
      'if, elif, else, comparisons, and, or, not, in',
      '{% if a and b == "x" %}1{% elif c > 2 or d %}2{% elif not e %}3{% elif "y" in f %}4{% else %}5{% endif %}',
      '{% if a != blank and b == "x" %}1{% elsif c > 2 or d != blank %}2{% elsif e == blank %}3{% elsif f contains "y" %}4{% else %}5{% endif %}',
      [
        [{ a: 1, b: 'x' }, '1'],
        [{ c: 3 }, '2'],
        [{ e: [] }, '3'],
        [{ e: 1, f: ['y'] }, '4'],
        [{ e: 1, f: [] }, '5'],
      ],
    ],
    [
      'values of loops, keys and values, ranges, set, length and filters',
      '{% set n = name | trim | upper %}{{ n }} {% for key, value in map.items() %}{{ loop.index }}{{ key }}={{ value.x }}{% if not loop.last %},{% endif %}{% endfor %}{% if list | length > 1 %} {{ list | join(", ") }}{% endif %}{% for i in range(2) %}{{ i }}{% endfor %}',
      '{% assign n = name | strip | upcase %}{{ n }} {% for key_value in map %}{{ forloop.index }}{{ key_value[0] }}={{ key_value[1].x }}{% if forloop.last == blank %},{% endif %}{% endfor %}{% if list.size > 1 %} {{ list | join: ", " }}{% endif %}{% for i in (0..1) %}{{ i }}{% endfor %}',
      [[{ name: ' ada ', map: { a: { x: 1 }, b: { x: 2 } }, list: ['x', 'y'] }, 'ADA 1a=1,2b=2 x, y01']],
    ],
    [
      'raw texts and signs that trim',
      'a {%- if b is defined -%} {{- b -}} {%- endif %} {% raw %}{{ c }}{% endraw %}',
      'a {%- if b != nil -%} {{- b -}} {%- endif %} {% raw %}{{ c }}{% endraw %}',
      [[{ b: 1 }, 'a1 {{ c }}']],
    ],
  ];
  for (const [what, text, expected, renders] of examples) {
    it(`converts ${what}`, async () => {
      const converted = textOf(await convertOne('a.prompty', `---\nname: a\n---\nuser:\n${text}`));
      // Blank lines around a message are dropped.
      assert.equal(converted, expected.trim());
      for (const [variables, output] of renders) assert.equal(render(converted, variables).trim(), output.trim());
    });
  }

  it('knows the kinds of inputs', async () => {
    const text = '---\ninputs:\n  - name: vip\n    kind: boolean\n---\n{% if vip %}A{% endif %}';
    assert.equal(textOf(await convertOne('a.prompty', text)), '{% if vip %}A{% endif %}');
  });

  it('keeps constructs that Liquid lacks as text on request', async () => {
    const text = '{% macro m(a) %}x{% endmacro %}{{ a if b else c }} {{ d | title }} {% if a or b and c %}y{% endif %} {{ e }}';
    const { draft, asText } = await convertOne('a.prompty', text);
    assert.equal(draft, undefined);
    assert.ok(asText);
    assert.equal(render(textOf(asText), { e: 'E' }), text.replace('{{ e }}', 'E'));
  });

  it('converts a sample to a test case', async () => {
    const { cases } = await convertOne('a.prompty', '---\nsample:\n  name: Ada\n  items: [1]\n---\nHello {{ name }}');
    assert.deepEqual(cases, [{ name: 'sample', variables: { name: 'Ada', items: [1] }, checks: [] }]);
  });
});
