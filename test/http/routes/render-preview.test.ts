import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import type { Preview } from '../../../src/contract/render.ts';
import type { ApiResponse } from '../../support/client.ts';
import { sqlite } from '../../support/engines.ts';
import { assertRefused, type Client, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

describe('POST /api/render, as a preview of POST /api/prompts/{name}/render', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ engine: sqlite });
    client = await newClient(service);
    await client.create({ name: 'tone', template: 'Be {{ mood }} to {{ a.b }}{% for c in a.c %}, {{ c.d }}{% endfor %}.' });
    await client.create({ name: 'line', template: '- {{ row.e }}: {{ row.f | default: "none" }}' });
  });
  after(() => service.close());

  const preview = (body: object): Promise<ApiResponse> => client.call('POST', '/api/render', body);

  it('400: a name with NUL', async () => {
    const { status, body } = await preview({ template: 'x', name: 'a\0b' });
    assert.equal(status, 400);
    assert.equal((body as ErrorBody).details?.[0]?.path, '/name');
  });

  it('200: shows missing variables by name whatever their type, and refuses values of another type', async () => {
    const declarations = [
      { name: 'age', type: 'number' },
      { name: 'photo', type: 'image' },
      { name: 'tags', type: 'list' },
    ];
    const draft = { template: '{{ age }} {{ photo }} {{ tags | join }}', declarations, placeholders: true };
    const { body } = await preview(draft);
    assert.match((body as { text: string }).text, /^‹age› ‹photo› ‹tags/);
    assertRefused(await preview({ ...draft, variables: { age: 'seven' } }), 422, 'invalid_variables', '/variables/age');
  });

  it('any template with any values renders to the same bytes, or fails in the same way', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(anyContent, anyValues, async (content, variables) => {
        count += 1;
        const name = `draft-${count}`;
        await client.create({ name, ...content });
        const rendered = await client.render(name, { variables });
        const previewed = await preview({ ...content, name, variables });
        assert.equal(previewed.status, rendered.status, `${previewed.text} ${rendered.text}`);
        if (rendered.status === 200) assert.equal(outputOf(previewed), outputOf(rendered));
        else assert.deepEqual(previewed.body, rendered.body);

        const filled = await preview({ ...content, name, variables, placeholders: true });
        if (rendered.status === 400) {
          assert.match(JSON.stringify(variables), /"(?:__proto__|constructor)":/, 'nothing else is refused');
          assert.deepEqual(filled.body, rendered.body);
          return;
        }
        const missing = rendered.status === 422 ? namesOf(rendered) : [];
        assert.equal(filled.status, 200, filled.text);
        const { placeholders = {} } = filled.body as Preview;
        assert.deepEqual(Object.keys(placeholders), missing, 'exactly the missing required variables are filled');
        if (missing.length === 0) assert.equal(outputOf(filled), outputOf(rendered));
        for (const [, named = ''] of outputOf(filled).matchAll(/‹([a-z]+)[^‹›]*›/g)) assert.ok(shownMarks(missing).has(named), named);
      }),
      { numRuns: 60, examples: [[{ template: '{{ a }}' }, JSON.parse('{"a":{"__proto__":0}}')]] },
    );
  });

  it('200: a placeholder names the variable, and the fields that the template or an included prompt uses', async () => {
    const template = [
      '{{ name }} {{ given }} [{{ optional }}{{ place | default: "the harbor" }}]',
      "{% for item in items %}{% render 'line', row: item %}{% endfor %}",
      "{% render 'tone' %}",
    ].join('\n');
    const response = await preview({ template, variables: { given: '', optional: '' }, placeholders: true });
    const { text, placeholders, variables } = response.body as Preview;
    assert.equal(text, '‹name›  [the harbor]\n- ‹items[].e›: none\nBe ‹mood› to ‹a.b›, ‹a.c[].d›.');
    assert.deepEqual(placeholders, {
      name: '‹name›',
      items: [{ e: '‹items[].e›' }],
      a: { b: '‹a.b›', c: [{ d: '‹a.c[].d›' }] },
      mood: '‹mood›',
    });
    const fields = [
      { name: 'e', required: true, kind: 'text' },
      { name: 'f', required: false, kind: 'text' },
    ];
    assert.deepEqual(
      variables.find(({ name }) => name === 'items'),
      { name: 'items', required: true, kind: 'list', items: { kind: 'object', fields } },
    );
  });

  it('200: a saved version lists the same variables with their fields', async () => {
    const template = "{{ order.id }}{% for item in order.items %}{% render 'line', row: item %}{% endfor %}{% render 'tone' %}";
    const { variables } = (await preview({ template, placeholders: true })).body as Preview;
    await client.create({ name: 'order', template });
    assert.deepEqual((await client.get<{ variables: unknown }>('/api/prompts/order')).variables, variables);
    const list = await client.get<{ data: { version: { variables: unknown } }[] }>('/api/prompts?include=content&name=order');
    assert.deepEqual(list.data[0]?.version.variables, variables);
  });

  it('200: a placeholder that a template also uses as a variable has one message', async () => {
    const messages = [{ role: 'user', content: '{{ history[0].content }}!' }, { placeholder: 'history' }];
    const { body } = await preview({ messages, placeholders: true });
    assert.deepEqual((body as Preview).messages, [
      { role: 'user', content: '‹history[].content›!' },
      { role: 'user', content: '‹history›' },
    ]);
  });

  it('422: a draft that includes its own prompt, as when it is saved', async () => {
    await client.create({ name: 'own', template: 'one' });
    const template = "{% render 'own' %}";
    assertRefused(await preview({ template, name: 'own', placeholders: true }), 422, 'unresolved_partial');
    const { version } = await client.save('own', { template });
    assertRefused(await client.render('own', { version }), 422, 'unresolved_partial');
    assert.equal(((await preview({ template })).body as Preview).text, 'one', 'without a name it is no draft of that prompt');
  });

  it('200 with problems: content that cannot be rendered, with its variables', async () => {
    const template = "{% render 'nowhere' %}{{ name }}";
    assertRefused(await preview({ template, placeholders: true }), 422, 'unresolved_partial');
    const { body } = await preview({ template, placeholders: true, problems: true });
    const { problem, variables, text } = body as Preview;
    assert.equal(problem, 'There is no prompt "nowhere" with the label "production"');
    assert.deepEqual([variables, text], [[{ name: 'name', required: true, kind: 'text' }], undefined]);
    const broken = await preview({ template: '{{ a | divided_by: b }}', variables: { a: 1, b: 'x' }, problems: true });
    assert.deepEqual((broken.body as Preview).variables.length, 2);
    assertRefused(await preview({ template: '{{ a', problems: true }), 400, 'invalid_template');
  });

  it('200: a version saved before fields were known lists its variables without them', async () => {
    await client.create({ name: 'old', template: '{{ who.name }}' });
    const variablesBefore = [{ name: 'who', required: true }];
    await service.ctx.store.changePrompts(client.userId, async ({ prompts, versions }) => {
      const prompt = await prompts.find(client.userId, 'old');
      const record = prompt && (await versions.find(client.userId, prompt.id, 1));
      assert.ok(record);
      await versions.insert(client.userId, { ...record, version: 2, variables: JSON.stringify(variablesBefore) });
      await prompts.update(client.userId, record.promptId, { latestVersion: 2, updatedAt: record.createdAt });
    });
    await client.label('old', 'production', 2);
    assert.deepEqual((await client.get<{ variables: unknown }>('/api/prompts/old')).variables, variablesBefore);
    const { variables } = (await preview({ template: "{% render 'old' %}{{ x }}", placeholders: true })).body as Preview;
    assert.deepEqual(variables, [
      { name: 'x', required: true, kind: 'text' },
      { name: 'who', required: true },
    ]);
  });
});

/** Returns the words with which a mark in the preview may start: missing variables, and tags of conditions that depend on them. */
function shownMarks(missing: string[]): Set<string> {
  return new Set([...missing, ...(missing.length > 0 ? ['if', 'unless', 'else', 'end'] : [])]);
}

/** Returns the text or messages exactly as they are in the response. */
function outputOf({ status, text, body }: ApiResponse): string {
  assert.equal(status, 200, text);
  const { text: output, messages } = body as Preview;
  const json = output === undefined ? `"messages":${JSON.stringify(messages)}` : `"text":${JSON.stringify(output)}`;
  assert.ok(text.includes(json), text);
  return json;
}

function namesOf(response: ApiResponse): string[] {
  const { details = [] } = assertRefused(response, 422, 'missing_variables');
  return details.map(({ path }) => path.slice('/variables/'.length));
}

const part = fc.oneof(
  fc
    .string({ unit: fc.constantFrom('x', ' ', '\n', '{', '"', '\\', 'é', '😀', '\u2028'), maxLength: 6 })
    .filter((text) => !/\{\{|\{$/.test(text)),
  fc.constantFrom(
    '{{ a }}',
    '{{ a.b }}',
    '{{ a.c[0].d | upcase }}',
    '{{ e }}',
    '{{ e | default: "none" }}',
    '{{ f | json }}',
    '{{ h | plus: 1 }}{% if h > 3 %}many{% else %}few{% endif %}',
    '{{ g.size }}{{ g | size }}',
    '{{ g | join: ", " }}',
    '{% if e %}{{ h }}{% else %}-{% endif %}',
    '{% if a.b == "x" %}yes{% endif %}',
    '{% unless f %}{{ f }}{% endunless %}',
    '{% for i in g %}{{ forloop.index }}{{ i }}{{ i.b }}{% else %}none{% endfor %}',
    '{% for i in g %}{% for j in i.c %}{{ j.d }}{% endfor %}{% endfor %}',
    '{% assign x = a.b | default: e %}{{ x }}',
    '{% capture y %}{{ e }}{% endcapture %}{{ y | size }}',
    "{% render 'tone' %}",
    "{% render 'tone', mood: e, a: f %}",
    "{% for i in g %}{% render 'line', row: i %}{% endfor %}",
    '{%- comment -%}{{ z }}{%- endcomment -%}',
  ),
);
const anyTemplate = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
const anyContent = fc.oneof(
  fc.record({ template: anyTemplate }),
  fc.record({
    messages: fc.array(
      fc.oneof(fc.record({ role: fc.constantFrom('system', 'user'), content: anyTemplate }), fc.constant({ placeholder: 'history' })),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);
const anyText = fc.string({ unit: 'grapheme', maxLength: 6 });
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.constantFrom('', 'x', null, true, false, 0, -1.5, '{{ a }}', '\ud800'),
  fc.array(fc.oneof(anyText, fc.record({ b: anyText, c: fc.array(fc.record({ d: anyText }), { maxLength: 2 }) })), { maxLength: 3 }),
  fc.record(
    { b: fc.oneof(anyText, fc.jsonValue({ maxDepth: 1 })), c: fc.array(fc.record({ d: anyText }), { maxLength: 2 }) },
    { requiredKeys: [] },
  ),
);
const anyValues = fc.record(
  {
    ...Object.fromEntries(['a', 'e', 'f', 'g', 'h', 'mood'].map((name) => [name, anyValue])),
    history: fc.array(fc.record({ role: fc.constant('user'), content: anyText }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
