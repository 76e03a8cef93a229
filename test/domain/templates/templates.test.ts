import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { createChildren } from '../../../src/domain/templates/children.ts';
import { createMainThreadJobs } from '../../../src/domain/templates/main-thread-jobs.ts';
import type { TemplateTexts } from '../../../src/domain/templates/template-types.ts';
import { createTemplates } from '../../../src/domain/templates/templates.ts';
import { AppError } from '../../../src/errors.ts';

const source = (text: string) => [{ path: '/template', text }];
const hello: TemplateTexts & { variables: Record<string, unknown> } = {
  sources: source('Hello {{ name }}'),
  variables: { name: 'Ada' },
  partials: {},
};
const greeting = { ok: true, texts: ['Hello Ada'] };
// This template uses up the whole time budget of a child process.
const endless = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}';
const isTooCostly = (err: unknown) => err instanceof AppError && err.code === 'template_too_costly';

describe('Child processes for templates', () => {
  const children = createChildren({ timeoutMs: 60_000, heapMib: 32, idleMs: 60_000 });
  after(() => children.close());

  it('ASVS 15.2.2: a job that uses up the memory ends its process and nothing else', async () => {
    // A list of ten million numbers takes 80 MB.
    const greedy = { ...hello, sources: source('{% assign a = (1..9900000) | reverse %}') };
    await assert.rejects(children.run({ kind: 'render', ...greedy }), isTooCostly);
    assert.deepEqual(await children.run({ kind: 'render', ...hello }), greeting);
  });

  it('ASVS 15.2.2: a job that takes too long ends its process and nothing else', async (test) => {
    const hasty = createChildren({ timeoutMs: 1, heapMib: 128, idleMs: 60_000 });
    test.after(() => hasty.close());
    const slow = Array.from({ length: 20 }, () => source('{{ a }}'.repeat(30_000))).flat();
    await assert.rejects(hasty.run({ kind: 'analyze', sources: slow }), isTooCostly);
    await assert.rejects(hasty.run({ kind: 'analyze', sources: slow }), isTooCostly);
  });

  it('end when they are idle, and are started again when needed', async (test) => {
    const brief = createChildren({ timeoutMs: 60_000, heapMib: 128, idleMs: 1 });
    test.after(() => brief.close());
    assert.deepEqual(await brief.run({ kind: 'render', ...hello }), greeting);
    await delay(5);
    assert.deepEqual(await brief.run({ kind: 'render', ...hello }), greeting);
  });

  it('a template that uses up its budget is stopped, and the process continues', async () => {
    const result = await children.run({ kind: 'render', ...hello, sources: source(endless) });
    assert.match(result.ok ? '' : result.error.message, /too much time or memory/);
    assert.deepEqual(await children.run({ kind: 'render', ...hello }), greeting);
  });
});

describe('Templates', () => {
  const templates = createTemplates();
  after(() => templates.close());

  it('ASVS 15.2.2: one workspace cannot take all child processes, and its own jobs beyond its share are refused', async () => {
    const costly = templates.prepare({ sources: source(endless), partials: {} });
    const flood = Promise.allSettled(Array.from({ length: 120 }, () => templates.render('hostile', costly, {})));
    const others = await Promise.all([
      templates.render(
        'other',
        templates.prepare({ sources: source(`Hello {{ name }}${'{{ no }}'.repeat(200)}`), partials: {} }),
        hello.variables,
      ),
      templates.diff('other', { before: { title: 'a', text: 'x' }, after: { title: 'b', text: 'y' } }),
    ]);
    assert.deepEqual(others[0], greeting);
    assert.match(others[1], /^--- a\n\+\+\+ b\n/);
    const outcomes = await flood;
    const refused = outcomes.filter(({ status }) => status === 'rejected').map((outcome) => 'reason' in outcome && outcome.reason);
    assert.ok(refused.length > 0 && refused.length < 120);
    assert.ok(refused.some((err) => err instanceof AppError && err.status === 429));
    // On a busy machine, some requests wait in the queue for too long.
    assert.ok(refused.every((err) => err instanceof AppError && (err.status === 429 || err.status === 503)));
  });

  it('rejects the running and the waiting jobs when it is closed', async () => {
    const closing = createTemplates();
    const prepared = closing.prepare({ sources: source(endless), partials: {} });
    const running = Array.from({ length: 6 }, (_, index) => closing.render(`${index}`, prepared, {}));
    const outcomes = Promise.allSettled(running);
    await closing.close();
    assert.ok((await outcomes).every(({ status }) => status === 'rejected'));
    await assert.rejects(closing.render('late', prepared, {}));
  });
});

describe('Templates on the main thread', () => {
  const renderWith = (
    mainThread: ReturnType<typeof createMainThreadJobs>,
    workspaceId: string,
    { variables, ...templates }: typeof hello,
  ) => {
    const parsed = mainThread.prepare(templates);
    return parsed && mainThread.render(workspaceId, parsed, variables);
  };
  const render = (text: string, variables: Record<string, unknown> = {}, partials: Record<string, string> = {}) =>
    renderWith(createMainThreadJobs(), 'w', { sources: source(text), variables, partials });

  it('renders ordinary templates on the main thread', () => {
    assert.deepEqual(renderWith(createMainThreadJobs(), 'w', hello), greeting);
    const template = '{% if a contains "x" %}{% for i in items %}{{ i.name | default: "?" | upcase }}{% endfor %}{% endif %}';
    assert.deepEqual(render(template, { a: 'xyz', items: [{ name: 'b' }, {}] }), { ok: true, texts: ['B?'] });
    assert.deepEqual(render("{% render 'p' %}", { a: 1 }, { 'p|production': '{{ a }}' }), { ok: true, texts: ['1'] });
    assert.match(JSON.stringify(render("{{ 'now' | date: '%B %d, %Y' }} {{ a | json }}", { a: [1] })), /20\d\d \[1\]/);
    assert.deepEqual(render('x'.repeat(60_000)), { ok: true, texts: ['x'.repeat(60_000)] });
  });

  it('renders loops in loops, ranges, captures and any filter there, if they are small', () => {
    const text = '{% for a in (1..2) %}{% for b in (1..2) %}{{ a }}{{ b }} {% endfor %}{% endfor %}';
    assert.deepEqual(render(text), { ok: true, texts: ['11 12 21 22 '] });
    assert.deepEqual(render('{% capture a %}<b>x</b>{% endcapture %}{{ a | strip_html }}'), { ok: true, texts: ['x'] });
    assert.deepEqual(render('{% tablerow a in b %}{{ a }}{% endtablerow %}', { b: [1] }), {
      ok: true,
      texts: ['<tr class="row1"><td class="col1">1</td></tr>'],
    });
  });

  const long = 'x'.repeat(150_000);
  const costly: Record<string, { text: string; variables?: Record<string, unknown> }> = {
    'many tags': { text: '{{ a }}'.repeat(200) },
    'a long tag': { text: `{{ a${'.b'.repeat(2000)} }}` },
    'a long tag with braces in quotes': { text: `{{ "}}" ${'| append: "}}" '.repeat(300)}}}` },
    'a long tag after an escaped quote': { text: `{{ "\\"}}" ${'| append: "}}" '.repeat(300)}}}` },
    'loops in loops': { text: '{% for a in b %}{% for c in b %}{% endfor %}{% endfor %}', variables: { b: Array(100).fill(1) } },
    'a long range': { text: '{% for a in (1..100000) %}{% endfor %}' },
    'a long range that is not used': { text: '{% assign a = (1..100000) %}{% assign b = (1..150000) %}' },
    'a long capture': { text: '{% capture a %}{{ b }}{{ b }}{% endcapture %}', variables: { b: long } },
    'a search for a long text': { text: '{% if a contains b %}{% endif %}', variables: { a: long, b: 'x'.repeat(1000) } },
    'a replacement of a long text': { text: '{{ a | replace: b, "" | size }}', variables: { a: long, b: 'x'.repeat(1000) } },
    'many replacements by a long text': { text: '{{ a | replace: "x", b | size }}', variables: { a: 'x'.repeat(1000), b: long } },
    'a comparison of long texts': { text: '{% case a %}{% when b %}{% endcase %}', variables: { a: `${long}a`, b: `${long}b` } },
    'a date in a long format': { text: `{{ 'now' | date: a }}`, variables: { a: '%A'.repeat(40) } },
    'deeply indented JSON': { text: '{{ a | json: 10 | size }}', variables: { a: Array(20_000).fill(1) } },
    'many conditions': {
      text: `{% for a in b %}{% if a ${'and a '.repeat(100)}%}{% endif %}{% endfor %}`,
      variables: { b: Array(100).fill(1) },
    },
    'a loop over a table': { text: '{% tablerow a in b %}{% endtablerow %}', variables: { b: Array(2000).fill(1) } },
  };
  for (const [name, { text, variables }] of Object.entries(costly)) {
    it(`ASVS 15.2.2: leaves ${name} to a child process`, () => assert.equal(render(text, variables), undefined));
  }

  it('ASVS 15.2.2: leaves an included template to a child process, if that is costly', () => {
    assert.equal(render("{% render 'p' %}", {}, { 'p|production': costly['a long range']?.text ?? '' }), undefined);
  });

  it('ASVS 15.2.2: counts what all messages of a prompt allocate together', () => {
    const sources = Array.from({ length: 5 }, (_, index) => ({ path: `/messages/${index}`, text: '{% assign a = (1..50000) %}' }));
    assert.equal(renderWith(createMainThreadJobs(), 'w', { sources, partials: {}, variables: {} }), undefined);
  });

  it('ASVS 15.2.2: leaves much data and long results to a child process', () => {
    assert.equal(render('{{ a }}', { a: 'x'.repeat(300_000) }), undefined);
    assert.equal(render('{{ a }}{{ a }}{{ a }}', { a: 'x'.repeat(100_000) }), undefined);
    assert.equal(render('{% for a in b %}{{ c }}{% endfor %}', { b: Array(1900).fill(1), c: 'x' }), undefined);
    assert.equal(render('{% for a in b %}{{ b }}{% endfor %}', { b: Array(500).fill({}) }), undefined);
    assert.equal(render('{% for a in b %}{% if c == d %}{% endif %}{% endfor %}', bigComparison()), undefined);
    assert.equal(render("{% for a in b %}{{ 'now' | date: '%Y' }}{% endfor %}", { b: Array(100).fill(1) }), undefined);
    const keys = Object.fromEntries(Array.from({ length: 1900 }, (_, index) => [`k${index}`, 1]));
    assert.equal(render('{{ a.size }}'.repeat(20), { a: keys }), undefined);
    assert.equal(render('{% for b in a %}{% break %}{% endfor %}'.repeat(20), { a: keys }), undefined);
  });

  it('ASVS 15.2.2: a workspace has a share of each turn of the event loop, and cannot use the shares of others', async () => {
    const own = createMainThreadJobs();
    const costly = { ...hello, variables: { name: 'x'.repeat(190_000) } };
    for (let count = 0; count < 2; count += 1) assert.ok(renderWith(own, 'busy', costly)?.ok);
    assert.ok(own.hasShare('busy'));
    assert.ok(renderWith(own, 'busy', costly)?.ok);
    assert.equal(own.hasShare('busy'), false);
    assert.ok(own.hasShare('other'));
    await nextTurn();
    assert.ok(own.hasShare('busy'), 'again in the next turn');
  });

  it('ASVS 15.2.2: renders beyond the share wait for the next turns', async () => {
    const templates = createTemplates();
    const prepared = templates.prepare(hello);
    const variables = { name: 'x'.repeat(190_000) };
    const renders = Array.from({ length: 20 }, () => templates.render('busy', prepared, variables));
    assert.equal(templates.renderNow('busy', prepared, hello.variables), undefined);
    assert.deepEqual(templates.renderNow('other', prepared, hello.variables), greeting);
    for (const result of await Promise.all(renders)) assert.ok(result.ok);
  });

  it('returns errors of the template', () => {
    const result = render('a\n {{ a | plus }}{% render "missing" %}');
    assert.deepEqual(result, {
      ok: false,
      error: { path: '/template', message: 'there is no prompt "missing" with the label "production"', line: 2, column: 16 },
    });
  });
});

/** Compares two long strings that differ only in their last character. */
function bigComparison() {
  const text = 'x'.repeat(90_000);
  return { b: Array(100).fill(1), c: `${text}a`, d: `${text}b` };
}
