import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Liquid, Value } from 'liquidjs';
import { liquid } from '../../../src/domain/templates/liquid.ts';
import { runJob } from '../../../src/domain/templates/template-jobs.ts';

const options = { strictFilters: true, ownPropertyOnly: true, templates: {}, timezoneOffset: 0, locale: 'en-US' };
/** LiquidJS without our changes, except that objects are written as JSON. */
const original = new Liquid({ ...options, outputEscape: (value) => (isObject(value) ? JSON.stringify(value) : value) as string });

function isObject(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isObject) : Object.getPrototypeOf(value ?? 0) === Object.prototype;
}

const expression = fc.constantFrom(
  ...['a', 'b', 'items', 'items[0]', 'items.first.n', 'o.n', 'o["n"]', 'o[k]', 'x', 'forloop.index', 'forloop.last', 'forloop.rindex0'],
  ...[
    '"t"',
    '3',
    'nil',
    'empty',
    'true',
    '(1..3)',
    'items.size',
    'a | upcase',
    'items | map: "n" | join: "-"',
    'b | plus: 1',
    'x | default: a',
  ],
);
const operator = fc.constantFrom('==', '!=', '>', '<=', 'contains', 'and', 'or');
const value = expression.filter((text) => !text.includes('|'));
const condition = fc.oneof(
  value,
  fc.tuple(value, operator, value).map((parts) => parts.join(' ')),
  fc.constant('not a'),
);
const list = fc.constantFrom('items', 'o', 'a', '(1..b)', 'none', '"ab"', 'items[0]');
const modifiers = fc.constantFrom(
  '',
  ' limit: 2',
  ' offset: 1',
  ' reversed',
  ' limit: b offset: 1',
  ' offset: continue',
  ' reversed limit: 1',
);

const { template } = fc.letrec<{ template: string; part: string }>((tie) => ({
  template: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      'text',
      ' ',
      '\n',
      '{% break %}',
      '{% continue %}',
      '{% increment c %}',
      "{% cycle 'p', 'q' %}",
      '{% raw %}{{ a }}{% endraw %}',
    ),
    expression.map((text) => `{{ ${text} }}`),
    expression.map((text) => `{% assign x = ${text} %}`),
    expression.map((text) => `{% liquid assign x = ${text}\necho x %}`),
    fc
      .tuple(condition, tie('template'), condition, tie('template'), tie('template'))
      .map(([a, b, c, d, e]) => `{% if ${a} %}${b}{% elsif ${c} %}${d}{% else %}${e}{% endif %}`),
    fc.tuple(condition, tie('template'), tie('template')).map(([a, b, c]) => `{% unless ${a} %}${b}{% else %}${c}{% endunless %}`),
    fc
      .tuple(value, value, tie('template'), value, tie('template'), tie('template'))
      .map(([a, b, c, d, e, f]) => `{% case ${a} %}{% when ${b}, "t" %}${c}{% when ${d} %}${e}{% else %}${f}{% endcase %}`),
    fc
      .tuple(list, modifiers, tie('template'), tie('template'))
      .map(([a, b, c, d]) => `{% for i in ${a}${b} %}{{ i }}${c}{% else %}${d}{% endfor %}`),
    fc.tuple(list, tie('template')).map(([a, b]) => `{% tablerow i in ${a} cols: 2 %}{{ i }}${b}{% endtablerow %}`),
    tie('template').map((inner) => `{% capture x %}${inner}{% endcapture %}`),
  ),
}));
const scalar = fc.constantFrom<unknown>('', 't', 'Ab', 0, 3, 2.5, true, false, null);
const variables = fc.record({
  a: scalar,
  b: scalar,
  k: fc.constantFrom('n', 'size', 'nothing'),
  o: fc.constantFrom({ n: 1 }, { n: { m: 't' }, z: [1] }, {}),
  items: fc.constantFrom<unknown>([], [1, 2, 3], [{ n: 'p' }, { n: 'q' }], 't'),
});

describe('Our tags', () => {
  it('render whatever LiquidJS renders, in the same way', () => {
    fc.assert(
      fc.property(template, variables, (text, given) => {
        const result = runJob({ kind: 'render', sources: [{ path: '/template', text }], partials: {}, variables: { ...given } });
        let expected: string | undefined;
        try {
          expected = original.parseAndRenderSync(text, { ...given });
        } catch {
          // LiquidJS fails, so our engine must fail as well.
        }
        assert.equal(result.ok ? result.texts[0] : undefined, expected, text);
      }),
      { numRuns: 2000 },
    );
  });

  it('ASVS 15.2.2: end with the same error at the memory limit of LiquidJS as when the budget is used up', () => {
    const texts = ['{% assign a = (1..20000000) %}', '{% for a in (1..20000000) %}{% endfor %}', '{{ "now" | date: "%20000000Y" }}'];
    for (const text of texts) {
      const result = runJob({ kind: 'render', sources: [{ path: '/template', text }], partials: {}, variables: {} });
      assert.equal(result.ok ? '' : result.error.message, 'rendering needs too much time or memory', text);
    }
  });

  it('leave LiquidJS as it is for everyone else in the process', () => {
    assert.equal(Value.prototype.value.constructor.name, 'GeneratorFunction');
    assert.equal(Object.hasOwn(liquid.renderer, 'renderTemplates'), false);
  });
});
