import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../client/src/errors.ts';
import { PromptHarbor } from '../../client/src/index.ts';
import { liquid } from '../../client/src/liquid.ts';
import type { IncludedPrompt } from '../../client/src/render/complete-engine.ts';
import { plain } from '../../client/src/render/plain.ts';
import { createRender } from '../../client/src/render/render.ts';
import type { SavedVersion } from '../../client/src/types.ts';
import { newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

type Variables = Record<string, unknown>;

const runs = Number(process.env.CLIENT_RENDERS ?? 300);

describe('prompt.render', () => {
  let service: Service;
  let ph: PromptHarbor;
  const partials = new Map<string, IncludedPrompt>();

  before(async () => {
    service = await startService();
    // On a busy machine, the service may shed load for longer than two retries take.
    ph = new PromptHarbor({ baseUrl: service.url, apiKey: (await newClient(service)).token, retries: 20 });
    await ph.prompts.create({ name: 'test', template: 'first' });
    await ph.prompts.create({ name: 'chat', messages: [{ role: 'user', content: 'first' }] });
    for (const [name, template] of Object.entries(included)) {
      await ph.prompts.create({ name, template });
      partials.set(`${name}|production`, { type: 'text', template });
    }
    partials.set('chat|production', { type: 'chat', template: '' });
    partials.set('test|production', { type: 'text', template: 'first' });
  });
  after(() => service.close());

  /** Renders with the service, with the complete engine, and with the plain one if it supports the template. */
  async function compare(version: SavedVersion, variables: Variables): Promise<{ isPlain: boolean }> {
    const request = { variables, version: version.version };
    const expected = await outcomeOf(() => ph.prompts.render(version.name, request));
    const renderWith = (engine: typeof plain) =>
      outcomeOf(async () =>
        createRender(version, { engines: [engine], findIncluded: ({ name, label }) => partials.get(`${name}|${label}`) })(variables),
      );
    const byPlain = await renderWith(plain);
    const byLiquid = await renderWith(liquid);
    if (byPlain !== undefined) assert.deepEqual(byPlain, expected, `plain: ${JSON.stringify(version.template)}`);
    assert.deepEqual(byLiquid, expected, `complete: ${JSON.stringify(version.template)}`);
    return { isPlain: byPlain !== undefined };
  }

  it('renders the same bytes as the service: the corpus', async () => {
    for (const { template, variables, engine } of corpus) {
      const { isPlain } = await compare(await ph.versions.create('test', { template }), variables);
      assert.equal(isPlain, engine === 'plain', template);
    }
  });

  it('renders mustache to the byte as the service does', async () => {
    for (const { template, variables } of mustacheCorpus) {
      const { isPlain } = await compare(await ph.versions.create('test', { template, syntax: 'mustache' }), variables);
      assert.ok(!isPlain, template);
    }
  });

  it('gives the same errors as the service for missing variables, wrong messages and failing filters', async () => {
    const chat = await ph.versions.create('chat', {
      messages: [{ role: 'system', content: 'For {{ a }} {{ b.c }}' }, { placeholder: 'history' }, { role: 'user', content: '{{ a }}' }],
    });
    for (const variables of [
      {},
      { a: 1 },
      { a: 1, b: {} },
      { a: 1, b: { c: [1, [2]] }, history: [{ role: 'user', content: 'Hi {{ a }}' }] },
      { a: 1, b: null, history: [{ role: 'robot', content: 'Hi' }] },
      { a: 1, b: 2, history: 'Hi' },
      { a: undefined, b: 2 },
    ]) {
      assert.deepEqual(await compare(chat, variables), { isPlain: true });
    }
  });

  it(`renders the same bytes as the service: ${runs} random templates`, async () => {
    const counts = { plain: 0, saved: 0 };
    await fc.assert(
      fc.asyncProperty(fc.oneof(plainTemplate, anyTemplate), values, async (template, variables) => {
        const version = await ph.versions.create('test', { template }).catch((err: unknown) => {
          assert.ok(err instanceof ApiError && err.status === 400, String(err));
          return undefined;
        });
        if (!version) return;
        const rendered = await compare(version, variables);
        counts.saved += 1;
        counts.plain += Number(rendered.isPlain);
      }),
      // The report contains the seed. With the seed, `fc.assert` can find the smallest failing template, which may take a long time.
      { numRuns: runs, endOnFailure: true },
    );
    // If few versions were saved, the test has compared little.
    assert.ok(counts.saved > runs / 3, JSON.stringify(counts));
    assert.ok(counts.plain > runs / 10 && counts.saved > counts.plain, JSON.stringify(counts));
  });
});

async function outcomeOf(render: () => Promise<unknown>): Promise<unknown> {
  try {
    return await render();
  } catch (err) {
    if (!(err instanceof ApiError)) throw err;
    const { status, code, message, details } = err;
    return { status, code, message, details };
  }
}

const included = {
  'shared/tone': 'Be {{ a }}.',
  'shared/deep': "{% render 'shared/tone' %}\n{{- b.c -}}\n",
  'shared/loop': '{% for x in d %}{{ x }},{% endfor %}',
};

const corpus: { template: string; variables: Variables; engine: 'plain' | 'complete' }[] = [
  { template: '', variables: {}, engine: 'plain' },
  { template: 'No variables { } {"a": {"b": 1}}', variables: {}, engine: 'plain' },
  { template: 'Hello {{ a }} and {{b.c}} and {{ b.c.d }}!', variables: { a: 'Ada', b: { c: 'x' } }, engine: 'plain' },
  { template: '{{ a }}', variables: { a: { x: [1, null, 'é'] } }, engine: 'plain' },
  { template: '{{ a }}', variables: { a: [1, 'two', [true, null], 4.5] }, engine: 'plain' },
  { template: '{{ a }}', variables: { a: [1, { b: 2 }] }, engine: 'plain' },
  { template: '{{ a }} {{ a.length }} {{ a.constructor }}', variables: { a: 'text' }, engine: 'plain' },
  { template: '{{ a.length }} {{ a.toString }} {{ a.b }}', variables: { a: [1, 2] }, engine: 'plain' },
  { template: '{{ a }}|{{ b }}', variables: { a: -0, b: 1e21 }, engine: 'plain' },
  { template: ' \n\t{{- a -}} \u00a0\n {{ a }}\u200b {{- a }}', variables: { a: '<b>' }, engine: 'plain' },
  { template: 'a{{ a }}b\r\nc{{ a }}d\u2028', variables: { a: '\u0000\ud800' }, engine: 'plain' },
  { template: '{% render \'shared/tone\' %} {%- render "shared/deep" -%} end', variables: { a: 'kind', b: { c: 1 } }, engine: 'plain' },
  { template: "{% render 'shared/tone', label: 'production' %}", variables: { a: 'kind' }, engine: 'plain' },
  { template: '{{ a.size }} {{ a.first }} {{ a[0] }} {{ "x" }} {{ true }}', variables: { a: [1, 2] }, engine: 'complete' },
  { template: '{{ a | upcase }} {% if b %}{{ b.c }}{% endif %}', variables: { a: 'x' }, engine: 'complete' },
  { template: "{% render 'shared/tone', a: 'bold' %}{% render 'shared/loop' %}", variables: { d: [1, 2] }, engine: 'complete' },
  { template: '{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}', variables: {}, engine: 'complete' },
  { template: '{{ a | date: "%Y-%m-%d" }}', variables: { a: new Date(0) }, engine: 'complete' },
  { template: '{{ a | divided_by: 0 }}', variables: { a: 1 }, engine: 'complete' },
  { template: '{% for x in (1..100000) %}{% for y in (1..1000) %}{{ x }}{% endfor %}{% endfor %}', variables: {}, engine: 'complete' },
  {
    template: '{{ a | sha256 }} {{ a | hmac_sha256: "key" }} {{ a | base64_encode | base64_decode }}',
    variables: { a: 'ä\ud800' },
    engine: 'complete',
  },
  { template: '{{ a }}', variables: { a: JSON.parse('{"__proto__": 1}') }, engine: 'plain' },
  { template: '{{ a }}', variables: { a: { constructor: { prototype: 1 } } }, engine: 'plain' },
  { template: '{{ a }}', variables: { a: { constructor: 'Ada', text: '"__proto__": 1' } }, engine: 'plain' },
  { template: "{% render 'shared/missing' %}", variables: {}, engine: 'complete' },
  { template: "{% render 'test' %}", variables: {}, engine: 'complete' },
  { template: "{% render 'chat' %}", variables: {}, engine: 'complete' },
];

const mustacheCorpus: { template: string; variables: Variables }[] = [
  { template: 'Hello {{ a }} {{{ b.c }}}', variables: { a: '<Ada>', b: { c: 1 } } },
  { template: '{{#d}}{{ . }},{{/d}}{{^e}}none{{/e}}', variables: { d: [1, 2] } },
  { template: '{{ a }}', variables: {} },
  { template: '@@@langfusePrompt:name=shared/tone|label=production@@@!', variables: { a: 'kind' } },
  { template: '@@@langfusePrompt:name=shared/loop|label=production@@@', variables: { d: [1] } },
  { template: '@@@langfusePrompt:name=shared/none|version=3@@@', variables: {} },
  { template: '@@@langfusePrompt:name=chat|label=production@@@', variables: {} },
];

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(' ', '\n', '\r\n', '\t', '{', '}', '}}', '%}', 'é', '🙂', '\u00a0', '\u2028', '{"a": 1}'),
);
const path = fc.constantFrom('a', 'b', 'b.c', 'b.c.d', 'd', 'd.length', 'e', 'a.b', 'toString', 'b.__proto__', 'b.hasOwnProperty');
const open = fc.constantFrom('{{ ', '{{', '{{- ', '{{-', '{{\n');
const close = fc.constantFrom(' }}', '}}', ' -}}', '-}}');
const plainPart = fc.oneof(
  text,
  fc.tuple(open, path, close).map((parts) => parts.join('')),
  fc.constantFrom("{% render 'shared/tone' %}", '{%- render "shared/deep" -%}', "{% render 'shared/tone' , label: 'production' %}"),
);
const plainTemplate = fc.array(plainPart, { maxLength: 8 }).map((parts) => parts.join(''));

const filter = fc.constantFrom(
  'upcase',
  'size',
  'json',
  'first',
  'join: ", "',
  'default: "none"',
  'plus: 1',
  'truncate: 3',
  'escape',
  'split: ""',
  'sort',
  'where: "c"',
  'nope',
  'append: b.c',
);
const expression = fc.oneof(
  path,
  fc.constantFrom('a[0]', '"x"', '1', 'true', 'nil', 'a.size', 'd.last', 'empty', '(1..3)', 'a-b', "b['c']"),
);
const output = fc
  .tuple(open, expression, fc.array(filter, { maxLength: 2 }), close)
  .map(([start, value, filters, end]) => start + [value, ...filters].join(' | ') + end);
const anyTemplate = fc.letrec<{ template: string; part: string }>((tie) => ({
  template: fc.array(tie('part'), { maxLength: 5 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'part' },
    plainPart,
    output,
    fc.tuple(expression, tie('template'), tie('template')).map(([value, yes, no]) => `{% if ${value} %}${yes}{% else %}${no}{% endif %}`),
    fc.tuple(expression, tie('template')).map(([value, body]) => `{%- for x in ${value} -%}${body}{{ x }}{% endfor %}`),
    fc.tuple(expression, tie('template')).map(([value, body]) => `{% assign a = ${value} %}${body}`),
    fc.tuple(tie('template')).map(([body]) => `{% capture e %}${body}{% endcapture %}{% raw %}${'{{ a }}'}{% endraw %}`),
    fc.tuple(expression).map(([value]) => `{% render 'shared/loop', d: ${value} %}`),
  ),
})).template;

const value = fc.jsonValue({ maxDepth: 3 });
const values = fc.record(
  {
    a: value,
    b: fc.oneof(value, fc.record({ c: fc.oneof(value, fc.record({ d: value })) })),
    d: fc.oneof(value, fc.array(value, { maxLength: 4 })),
    e: value,
  },
  { requiredKeys: [] },
);
