import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  ApiError,
  type LoadedPrompt,
  type LoadedPrompts,
  type LoadOptions,
  PromptHarbor,
  PromptHarborError,
} from '../../client/src/index.ts';
import { liquid } from '../../client/src/liquid.ts';
import { fakePrompts } from '../../client/src/testing.ts';
import { describeOnEveryEngine, newClient } from '../support/prompts.ts';
import { retryUntil } from '../support/retry.ts';
import type { Service } from '../support/service.ts';

type Variables = Record<string, unknown>;

/** Creates a client that records its requests, and whose connection can be cut. */
async function connect(t: TestContext, service: Service, options: { templates?: typeof liquid; retries?: number } = {}) {
  const { token } = await newClient(service);
  const requests: string[] = [];
  let isCut = false;
  const opened: LoadedPrompts[] = [];
  // This runs before the test's folder is removed, so that nothing is written to the folder at that time.
  t.after(() => Promise.all(opened.map((prompts) => prompts.close())));
  const cuttable: typeof fetch = async (input, init) => {
    requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
    if (isCut) throw new TypeError('fetch failed');
    return fetch(input, init);
  };
  const settings = { baseUrl: service.url, apiKey: token, retries: 20 };
  const ph = new PromptHarbor(settings);
  const cuttablePh = new PromptHarbor({ ...settings, ...options, fetch: cuttable });
  return {
    ph,
    requests,
    cut: () => {
      isCut = true;
    },
    restore: () => {
      isCut = false;
    },
    async load(loadOptions?: LoadOptions) {
      const prompts = await cuttablePh.prompts.load(loadOptions);
      opened.push(prompts);
      return prompts;
    },
  };
}

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-local-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function outcomeOf(render: () => unknown): Promise<unknown> {
  try {
    return await render();
  } catch (err) {
    if (!(err instanceof ApiError)) throw err;
    const { name, status, code, message, details } = err;
    return { name, status, code, message, details };
  }
}

function renderSync(prompt: LoadedPrompt, variables: Variables) {
  try {
    return prompt.renderSync(variables);
  } catch (err) {
    return Promise.reject(err);
  }
}

describeOnEveryEngine('prompts.load renders without the service', (service) => {
  it('gives the same results and errors as the service for every kind of prompt, even if the service is unreachable', async (t) => {
    const { ph, requests, cut, load } = await connect(t, service());
    for (const item of special) await ph.prompts.create(item);
    await ph.versions.create('shared/tone', { template: 'Be {{ mood | default: "kind" }}.' });
    const expected = new Map<string, unknown[]>();
    for (const { name } of special) {
      expected.set(name, await Promise.all(values.map((variables) => outcomeOf(() => ph.prompts.render(name, { variables })))));
    }
    const prompts = await load();
    cut();
    const before = requests.length;
    for (const { name } of special) {
      const prompt = prompts.get(name);
      for (const [index, variables] of values.entries()) {
        assert.deepEqual(await outcomeOf(() => renderSync(prompt, variables)), expected.get(name)?.[index], `renderSync: ${name}`);
        assert.deepEqual(await outcomeOf(() => prompt.render(variables)), expected.get(name)?.[index], `render: ${name}`);
      }
    }
    assert.deepEqual(
      requests.slice(before).filter((request) => request.includes('/render')),
      [],
    );
    const codes = [...expected.values()].flat().flatMap((outcome) => (outcome as { code?: string }).code ?? []);
    for (const code of ['unresolved_partial', 'missing_variables', 'render_failed', 'invalid_input']) assert.ok(codes.includes(code), code);
  });

  it('stays within the limits of the service: includes, their length, variables', async (t) => {
    const { ph, load } = await connect(t, service());
    const long = `{% comment %}${'x'.repeat(200_000)}{% endcomment %}`;
    for (let number = 0; number < 6; number += 1) await ph.prompts.create({ name: `long/${number}`, template: long });
    for (let number = 0; number < 9; number += 1) {
      await ph.prompts.create({
        name: `deep/${number}`,
        template: number === 0 ? '{% if a %}{% endif %}' : `{% render 'deep/${number - 1}' %}`,
      });
    }
    const many = (start: number) => Array.from({ length: 300 }, (_, index) => `{% if v${start + index} %}{% endif %}`).join('');
    for (const start of [0, 200, 300]) await ph.prompts.create({ name: `many/${start}`, template: many(start) });
    const including = {
      'x/long': "{% for n in (1..1) %}{% render 'long/0' %}{% render 'long/1' %}{% endfor %}",
      'x/too-long': [0, 1, 2, 3, 4, 5].map((number) => `{% render 'long/${number}' %}`).join(''),
      'x/deep': "{% render 'deep/7' %}",
      'x/too-deep': "{% render 'deep/8' %}",
      'x/many': "{% render 'many/0' %}{% render 'many/200' %}",
      'x/too-many': "{% render 'many/0' %}{% render 'many/300' %}",
      'x/loop': '{% for n in (1..100000) %}{% for m in (1..1000) %}{{ m }}{% endfor %}{% endfor %}',
    };
    for (const [name, template] of Object.entries(including)) await ph.prompts.create({ name, template });
    const prompts = await load({ folder: 'x' });
    for (const name of Object.keys(including)) {
      const expected = await outcomeOf(() => ph.prompts.render(name));
      assert.deepEqual(await outcomeOf(() => renderSync(prompts.get(name), {})), expected, name);
      assert.equal((expected as { code?: string }).code === undefined, !/too|loop/.test(name), name);
    }
  });

  it('renders the prompts of an update, even if no earlier prompt needed the engine', async (t) => {
    const { ph, requests, load } = await connect(t, service());
    await ph.prompts.create({ name: 'a', template: 'Hello {{ name }}' });
    const prompts = await load();
    assert.equal(prompts.get('a').renderSync({ name: 'Ada' }).text, 'Hello Ada');
    const held = prompts.get('a');
    await ph.prompts.create({ name: 'shared', template: '{{ name | upcase }}' });
    await ph.versions.create('a', { template: "{% if name %}{% render 'shared' %}{% endif %}", labels: ['production'] });
    await retryUntil('the update arrives', () => prompts.get('a').version === 2 && prompts.find('shared') !== undefined);
    assert.equal(prompts.get('a').renderSync({ name: 'Ada' }).text, 'ADA');
    assert.equal(held.renderSync({ name: 'Ada' }).text, 'Hello Ada');
    assert.ok(!requests.some((request) => request.includes('/render')));
  });

  it('accepts the engine from @promptharbor/client/liquid, and engines that leave something to the built-in one', async (t) => {
    const other: typeof liquid = {
      findIncludes: () => [],
      render: ({ sources }) => (sources[0]?.text === '{{ 1 }}' ? { ok: true, texts: ['own'] } : undefined),
    };
    for (const [templates, text] of [
      [liquid, '1'],
      [other, 'own'],
    ] as const) {
      const { ph, requests, load } = await connect(t, service(), { templates });
      await ph.prompts.create({ name: 'a', template: '{{ 1 }}' });
      await ph.prompts.create({ name: 'b', template: '{{ "b" | upcase }}' });
      const prompts = await load();
      assert.equal(prompts.get('a').renderSync().text, text);
      assert.equal((await prompts.get('b').render()).text, 'B');
      assert.ok(!requests.some((request) => request.includes('/render')));
    }
  });

  it('starts from the newer one of the state file and the fallback file, and never writes the state file', async (t) => {
    const { ph, cut, restore, load } = await connect(t, service());
    const folder = await createFolder(t);
    const [stateFile, fallbackFile] = [join(folder, 'state.json'), join(folder, 'fallback.json')];
    await ph.prompts.create({ name: 'shared/foreign', template: 'Hi {{ name }}', syntax: 'mustache' });
    await ph.prompts.create({ name: 'app/a', template: "{% if name %}{% render 'shared/foreign' %}{% endif %}" });
    const options: LoadOptions = { folder: 'app', stateFile, fallbackFile };
    await (await load({ folder: 'app', fallbackFile: stateFile })).close();
    const state = await readFile(stateFile, 'utf8');
    // The file looks as if it had been fetched from another address of the service.
    const given = JSON.stringify({ ...JSON.parse(state), savedAt: '2020-01-01T00:00:00.000Z' }).replaceAll(service().url, 'http://other:1');
    await writeFile(stateFile, given);

    cut();
    const fromState = await load(options);
    assert.equal(fromState.state.source, 'file');
    assert.equal(fromState.get('app/a').renderSync({ name: 'Ada' }).text, 'Hi Ada');
    await fromState.close();
    restore();
    await ph.versions.create('app/a', { template: '{{ name | upcase }}', labels: ['production'] });
    await (await load(options)).close();
    assert.equal(await readFile(stateFile, 'utf8'), given);
    cut();
    assert.equal((await load(options)).get('app/a').renderSync({ name: 'Ada' }).text, 'ADA');
    await writeFile(
      fallbackFile,
      JSON.stringify({ ...JSON.parse(await readFile(fallbackFile, 'utf8')), savedAt: '2019-01-01T00:00:00.000Z' }),
    );
    assert.equal((await load(options)).get('app/a').version, 1, 'the state file is newer now');
  });

  it('refuses a state file that does not belong to the program, even while the service is up', async (t) => {
    const { ph, load } = await connect(t, service());
    const folder = await createFolder(t);
    const stateFile = join(folder, 'state.json');
    await ph.prompts.create({ name: 'a', template: 'A' });
    await (await load({ fallbackFile: stateFile })).close();
    await (await load({ stateFile })).close();
    await assert.rejects(
      load({ stateFile, label: 'staging' }),
      /state\.json has the prompts at the label "production", but .*"staging"\.$/,
    );
    await assert.rejects(load({ stateFile, folder: 'x' }), /in the folder "x"\.$/);
    await assert.rejects(load({ stateFile: join(folder, 'none.json') }), /Cannot read the state file .*none\.json/);
    await writeFile(stateFile, '{}');
    await assert.rejects(load({ stateFile }), (err) => err instanceof PromptHarborError && /is not a state file/.test(err.message));
  });

  it('refuses a state file with invalid content, and ignores a fallback file with such content', async (t) => {
    const { ph, cut, load } = await connect(t, service());
    const folder = await createFolder(t);
    const file = join(folder, 'state.json');
    await ph.prompts.create({ name: 'a', template: 'A' });
    await (await load({ fallbackFile: file })).close();
    const state = JSON.parse(await readFile(file, 'utf8'));
    const broken: Record<string, object> = {
      'no prompt': { prompts: [null] },
      'a text': { prompts: ['a'] },
      'no name': { prompts: [{ ...state.prompts[0], name: 5 }] },
      'no variables': { prompts: [{ ...state.prompts[0], variables: null }] },
      'no included prompt': { partials: [['a']] },
      'no pair': { partials: [5] },
      'no list': { foreignPartials: {} },
      'no time': { savedAt: 'yesterday' },
    };
    cut();
    for (const [what, fields] of Object.entries(broken)) {
      await writeFile(file, JSON.stringify({ ...state, ...fields }));
      await assert.rejects(
        load({ stateFile: file }),
        (err) => err instanceof PromptHarborError && /is not a state file/.test(err.message),
        what,
      );
      const prompts = await load({ fallbackFile: file, startEmpty: true });
      assert.equal(prompts.state.source, 'none', what);
      await prompts.close();
    }
  });

  it('lets the service render messages with parts that only a later release knows', async (t) => {
    const { ph, cut, load } = await connect(t, service(), { retries: 2 });
    const stateFile = join(await createFolder(t), 'state.json');
    await ph.prompts.create({ name: 'a', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] });
    await (await load({ fallbackFile: stateFile })).close();
    const later = (await readFile(stateFile, 'utf8')).replace('{"type":"text","text":"Hi"}', '{"type":"video","url":"x"}');
    assert.match(later, /video/);
    await writeFile(stateFile, later);
    cut();
    const prompt = (await load({ stateFile })).get('a');
    assert.throws(() => prompt.renderSync(), PromptHarborError);
    await assert.rejects(prompt.render(), PromptHarborError);
  });

  it('keeps prompts unchanged when a program changes the values that it got', async (t) => {
    const { ph, cut, load } = await connect(t, service());
    const parameters = { type: 'object', properties: { tone: { enum: ['warm'], default: { a: 1 } } } };
    const history = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
    await ph.prompts.create({
      name: 'a',
      messages: [{ placeholder: 'history' }],
      variables: [{ name: 'history', default: history }],
      tools: [{ name: 'find', parameters }],
      output: { schema: parameters },
    });
    const prompt = (await load()).get('a');
    cut();
    const first = prompt.renderSync();
    const expected = structuredClone(first);
    const spoil = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const inner of Object.values(value)) spoil(inner);
      Object.assign(value, { spoiled: true });
    };
    spoil(first);
    assert.deepEqual(prompt.renderSync(), expected);
  });

  it('starts empty with fallbacks in code, which are used until the service responds', async (t) => {
    const { ph, requests, cut, restore, load } = await connect(t, service());
    await ph.prompts.create({ name: 'a', template: 'From the service' });
    cut();
    const none = join(await createFolder(t), 'none.json');
    const prompts = await load({ fallbackFile: none, startEmpty: true, pollIntervalMs: 50 });
    assert.equal(prompts.state.source, 'none');
    assert.equal(prompts.state.checkedAt.getTime(), 0);
    assert.deepEqual(prompts.names, []);
    assert.throws(() => prompts.get('a'), /There is no prompt "a"/);

    const text = prompts.get('a', { fallback: 'Hello {% if name %}{{ name | upcase }}{% endif %}{{ who.name }}' });
    assert.deepEqual(text.renderSync({ name: 'Ada', who: { name: '!' } }), { name: 'a', version: 0, text: 'Hello ADA!', config: {} });
    await assert.rejects(text.render({ name: 'Ada' }), { code: 'missing_variables', message: 'Variables are missing: who' });
    const chat = prompts.get('b', {
      fallback: { messages: [{ role: 'system', content: 'For {{ name }}' }, { placeholder: 'history' }], config: { model: 'm' } },
    });
    const history = [{ role: 'user', content: 'Hi' }];
    assert.deepEqual(await chat.render({ name: 'Ada', history }), {
      name: 'b',
      version: 0,
      messages: [{ role: 'system', content: 'For Ada' }, ...history],
      config: { model: 'm' },
    });
    assert.throws(() => prompts.get('c', { fallback: "{% render 'x' %}" }).renderSync(), { code: 'unresolved_partial' });
    assert.ok(!requests.some((request) => request.includes('/render')));

    restore();
    await retryUntil('the service is there', () => prompts.state.source === 'service');
    assert.equal(prompts.get('a', { fallback: 'x' }).renderSync().text, 'From the service');
    assert.throws(() => prompts.get('b', { fallback: 'x' }), /There is no prompt "b"/);
  });

  it('uses a fallback for a prompt that the file does not have', async (t) => {
    const { ph, cut, load } = await connect(t, service());
    const fallbackFile = join(await createFolder(t), 'state.json');
    await ph.prompts.create({ name: 'a', template: 'From the service' });
    await (await load({ fallbackFile })).close();
    cut();
    const prompts = await load({ fallbackFile, startEmpty: true });
    assert.equal(prompts.state.source, 'file');
    assert.equal(prompts.get('a', { fallback: 'x' }).renderSync().text, 'From the service');
    assert.equal(prompts.get('b', { fallback: '{{ "x" | upcase }}' }).renderSync().text, 'X');
  });

  it('requires a key that is accepted, even with startEmpty', async (t) => {
    const { load } = await connect(t, service());
    await assert.rejects(new PromptHarbor({ baseUrl: service().url }).prompts.load({ startEmpty: true }), /There is no API key/);
    const wrong = new PromptHarbor({ baseUrl: service().url, apiKey: `ph_${'0'.repeat(64)}` });
    await assert.rejects(wrong.prompts.load({ startEmpty: true, onAuthError: () => undefined }), { status: 401 });
    await (await load({ startEmpty: true })).close();
  });
});

describe('fakePrompts', () => {
  it('renders every template, and says which variables are missing', async () => {
    const prompts = fakePrompts({ a: '{% for x in list %}{{ x | upcase }}{% endfor %}', b: "{% render 'a' %}!" });
    assert.equal(prompts.get('a').renderSync({ list: ['a', 'b'] }).text, 'AB');
    assert.equal((await prompts.get('b').render({ list: ['c'] })).text, 'C!');
    assert.throws(() => prompts.get('a').renderSync(), { code: 'missing_variables' });
    assert.throws(() => prompts.get('b', { fallback: 'x' }) && prompts.get('c', { fallback: 'x' }), /There is no prompt "c"/);
    const withEngine = fakePrompts({ a: '{% if a %}{{ a }}{% endif %}{{ b }}' }, { templates: liquid });
    assert.equal(withEngine.get('a').renderSync().text, '');
  });
});

const tag = (name: string, target = 'label=production') => `@@@langfusePrompt:name=${name}|${target}@@@`;

/** Prompts of all kinds, some of which cannot be rendered. Included prompts come before the prompts that include them. */
const special: Parameters<PromptHarbor['prompts']['create']>[0][] = [
  { name: 'shared/tone', template: 'Be {{ mood }}.' },
  { name: 'shared/staging', template: 'Only {{ mood }}', labels: ['production', 'staging'] },
  { name: 'shared/portable', template: 'Hi {{ name }}', syntax: 'mustache' },
  { name: 'shared/sections', template: '{{#list}}{{.}}{{/list}}', syntax: 'mustache' },
  { name: 'shared/chat', messages: [{ role: 'user', content: 'Hi' }] },
  { name: 'plain', template: "Hello {{ name }}. {% render 'shared/tone' %}" },
  {
    name: 'liquid',
    template:
      "{% for x in list %}{{ x | upcase }}{% unless forloop.last %}, {% endunless %}{% endfor %} {% render 'shared/tone', mood: 'calm' %}",
  },
  {
    name: 'labels',
    template: "{% render 'shared/staging', label: 'staging' %} {% render 'shared/tone', label: 'latest' %} {{ 1 | plus: 1 }}",
  },
  { name: 'failing', template: '{{ mood | append: "!" | base64_decode }}' },
  { name: 'missing', template: "{% render 'shared/none' %}{{ name }}" },
  { name: 'missing-in-branch', template: "{% if never %}{% render 'shared/none', label: 'staging' %}{% endif %}" },
  { name: 'missing-inside', template: "{% render 'missing' %}" },
  { name: 'circular', template: "{% render 'circular-too' %}" },
  { name: 'circular-too', template: "{% render 'circular' %}" },
  { name: 'includes-chat', template: "{% render 'shared/chat' %}" },
  { name: 'includes-mustache', template: "{% if true %}{% render 'shared/portable' %}{% endif %}" },
  { name: 'plainly-includes-mustache', template: "{% render 'shared/portable' %}" },
  { name: 'includes-sections', template: "{% render 'shared/sections' %}" },
  { name: 'mustache', template: `{{#list}}{{.}};{{/list}}${tag('shared/sections')}`, syntax: 'mustache' },
  { name: 'mustache-pinned', template: `{{ name }} ${tag('shared/tone', 'version=1')}`, syntax: 'mustache' },
  { name: 'mustache-pinned-missing', template: tag('shared/tone', 'version=7'), syntax: 'mustache' },
  { name: 'mustache-includes-liquid', template: tag('liquid'), syntax: 'mustache' },
  {
    name: 'chat',
    messages: [
      { role: 'system', content: '{% if name %}For {{ name }}{% endif %}' },
      { placeholder: 'history' },
      { role: 'user', content: '{{ mood }}' },
    ],
    config: { model: 'm' },
  },
  { name: 'mustache-chat', messages: [{ role: 'x', content: '{{ mood }}' }, { placeholder: 'history' }], syntax: 'mustache' },
];

const values: Variables[] = [
  {},
  { name: 'Ada', mood: 'kind', list: ['a', 'b'], history: [{ role: 'user', content: '{{ name }}' }] },
  { name: 'Ada', mood: 3, list: [{ x: 1 }], history: [{ role: 'nobody', content: 'x' }] },
  { name: new Date(0), mood: null, list: 'text', history: 'x' },
];
