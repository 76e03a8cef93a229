import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { liquid } from '../../../src/domain/templates/liquid.ts';
import { createMainThreadJobs } from '../../../src/domain/templates/main-thread-jobs.ts';
import { runJob } from '../../../src/domain/templates/template-jobs.ts';

/** Renders a preview as a child process would and, if the template is ordinary, as the main thread would. */
function preview(text: string, variables: Record<string, unknown> = {}): string | undefined {
  const templates = { sources: [{ path: '/template', text }], partials: {} };
  const analyzed = runJob({ kind: 'analyze', sources: templates.sources });
  assert.ok(analyzed.ok, JSON.stringify(analyzed));
  const missing = analyzed.analysis.variables.filter(({ name, required }) => required && !Object.hasOwn(variables, name));
  const result = runJob({ kind: 'render', ...templates, variables, missing });
  const mainThread = createMainThreadJobs();
  const parsed = mainThread.prepare(templates);
  if (parsed) assert.deepEqual(mainThread.render('w', parsed, variables, missing), result);
  assert.ok(result.ok, `${text}: ${JSON.stringify(result)}`);
  return result.texts[0];
}

describe('A preview without the value of a required variable', () => {
  const shown: [template: string, expected: string, variables?: Record<string, unknown>][] = [
    // Filters and properties
    ['{{ n | plus: 1 }}', '‹n›'],
    ['{{ name | upcase }}', '‹name›'],
    ['{{ items.size }} {{ items | size }}', '‹items.size› ‹items›'],
    ['{{ items[0].name }} {{ items.first.name }}', '‹items[].name› ‹items.first.name›'],
    ['{{ items | map: "price" | sum }}', '‹items›'],
    ['{{ order | json }}', '‹order›'],
    ['{{ prices[currency] }}', '‹currency›', { prices: { eur: 1 } }],
    ['{{ text | replace: "a", by }}', '‹by›', { text: 'abc' }],
    ['{{ text | default: other }}{{ other }}', 'abc‹other›', { text: 'abc' }],
    ['{{ n | default: 3 }}{{ n }}', '‹n›‹n›'],
    ['{{ "Dear " | append: name | append: "!" }}', 'Dear ‹name›!'],
    ['{{ "Dear " | append: name | upcase }}', '‹name›'],
    // Fields that are used only under a condition may be missing.
    ['{{ a.b }}{% if a.vip %}VIP{% endif %}{{ a.c | default: "none" }}', '‹a.b›none'],
    // Strings and values that a template computes
    ['{% capture y %}Hi {{ e }}{% endcapture %}{{ y }}, {{ y | size }}', 'Hi ‹e›, ‹e›'],
    ['{% assign total = n | times: 2 %}{{ total | plus: 1 }}', '‹n›'],
    // Loops
    ['{% for i in items %}{{ forloop.index }} of {{ forloop.length }}: {{ i.a | upcase }}{% endfor %}', '1 of ‹items.size›: ‹items[].a›'],
    ['{% for i in (1..n) %}{{ i }},{% endfor %}', '‹n›,'],
    ['{% for i in items limit: n %}{{ i }},{% endfor %}', '‹n›,', { items: [1, 2, 3] }],
    ['{% tablerow i in items %}{{ i }}{% endtablerow %}', '<tr class="row1"><td class="col1">‹items[]›</td></tr>'],
    // Conditions
    ['{{ n }}{% if n %}yes{% else %}no{% endif %}', '‹n›yes'],
    ['{{ n }}{% if n == blank or n == nil %}no{% else %}yes{% endif %}', '‹n›yes'],
    ['{{ n }} {% if n > 3 %}many{% else %}few{% endif %}', '‹n› ‹if n > 3›many‹else›few‹end›'],
    [
      '{{ n }} {% if n > 3 and x %}a{% elsif n contains "b" %}b{% elsif true %}c{% else %}d{% endif %}',
      '‹n› ‹if n contains "b"›b‹elsif true›c‹end›',
    ],
    ['{{ n }} {% if not n == 3 or x %}a{% endif %}', '‹n› a', { x: 1 }],
    ['{{ n }} {% unless n == 1 %}a{% else %}b{% endunless %}', '‹n› ‹unless n == 1›a‹else›b‹end›'],
    ['{{ n }} {% case n %}{% when 1, 2 %}a{% when 3 %}b{% else %}c{% endcase %}', '‹n› ‹case n when 1, 2›a‹when 3›b‹else›c‹end›'],
    ['{{ n }} {% if n == 1 %}{% assign x = 1 %}{% else %}{% assign x = 2 %}{% endif %}{{ x }}', '‹n› ‹n›'],
    [
      '{{ n }}{% for i in items %} {% if i > n %}{{ i }}{% break %}{% endif %}.{% endfor %}',
      '‹n› ‹if i > n›1‹end›. ‹if i > n›2‹end›.',
      { items: [1, 2] },
    ],
  ];
  for (const [template, expected, variables] of shown) {
    it(`${template} shows ${expected}`, () => assert.equal(preview(template, variables), expected));
  }

  it('every filter shows the name, for a missing input and for a missing argument', () => {
    // With `default`, a variable is optional.
    for (const name of Object.keys(liquid.filters).filter((filter) => filter !== 'default')) {
      const expected = name === 'append' ? '‹secret›a' : name === 'prepend' ? 'a‹secret›' : '‹secret›';
      assert.equal(preview(`{{ secret | ${name}: "a", "b" }}`), expected, name);
      assert.ok(preview(`{{ given | ${name}: secret }}`, { given: 'x' })?.includes('‹secret›'), name);
    }
  });

  it('doubling a text with a missing value again and again ends with an error', () => {
    const text = `{% assign x = name %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}{{ x }}`;
    const missing = [{ name: 'name', required: true }];
    const result = runJob({ kind: 'render', sources: [{ path: '/template', text }], partials: {}, variables: {}, missing });
    assert.ok(!result.ok && /too much/.test(result.error.message));
  });

  it('with all values, nothing differs from a render', () => {
    const parts = [
      '{{ a | upcase }}',
      '{% if a > b %}x{% else %}y{% endif %}',
      '{% for i in b %}{{ i }}{% endfor %}',
      '{% capture c %}{{ a }}{% endcapture %}{{ c | size }}',
      '{% case a %}{% when b %}1{% else %}2{% endcase %}',
    ];
    const value = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.integer(),
      fc.constantFrom(null, true, false),
      fc.array(fc.integer(), { maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 4 }), value, value, (chosen, a, b) => {
        const render = {
          kind: 'render' as const,
          sources: [{ path: '/template', text: chosen.join('') }],
          partials: {},
          variables: { a, b },
        };
        assert.deepEqual(runJob({ ...render, missing: [{ name: 'unused', required: true }] }), runJob(render));
      }),
    );
  });
});
