import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type LoadedPrompts, NotFoundError, PromptHarbor, PromptHarborError } from '../../client/src/index.ts';
import { type CallerOptions, chooseVersion, type LoadedRelease } from '../../client/src/load/choose-version.ts';
import { fakePrompts } from '../../client/src/testing.ts';
import type { Version } from '../../client/src/types.ts';
import { chooseVersion as chooseOnService } from '../../src/domain/releases/release-choice.ts';
import { createRandom, type Random } from '../support/random.ts';
import { createReleasedPrompt, label, matching, name, unreachable, variables } from '../support/released-prompt.ts';
import { retryUntil } from '../support/retry.ts';
import { type Service, startService } from '../support/service.ts';

const contexts: NonNullable<CallerOptions['context']>[] = [{}, matching, { plan: 'internal' }, { plan: 'free', seats: 5 }];

/** Returns keys of all kinds: ids, text of any language, emoji, halves of surrogate pairs, and long ones. */
function randomKeys(random: Random, count: number): string[] {
  const part = (low: number, high: number) => String.fromCharCode(low + random.below(high - low));
  const kinds = [
    () => `user-${random.below(1_000_000)}`,
    () => part(0x20, 0x7f),
    () => part(0xa0, 0xd800),
    () => random.pick(['😀', '👨‍👩‍👧', 'é', '\u0000', 'İ', '\ufeff', ' ']),
    () => part(0xd800, 0xe000),
    () => part(0x4e00, 0x9fff).repeat(random.pick([1, 40, 200])),
  ];
  return Array.from({ length: count }, () => Array.from({ length: 1 + random.below(4) }, () => random.pick(kinds)()).join(''));
}

describe('releases', () => {
  let service: Service;
  let folder: string;
  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'promptharbor-releases-'));
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const setUp = (t: TestContext, wrap?: (inner: typeof fetch) => typeof fetch) => createReleasedPrompt(t, service, wrap);

  it('decides for 100,000 keys as the service does', async (t) => {
    const { ph, start } = await setUp(t);
    await start();
    const {
      data: [listed],
    } = await ph.prompts.list({ include: 'content', label });
    const { version: labeled, release } = listed ?? assert.fail();
    assert.ok(labeled && release);
    const random = createRandom();
    t.diagnostic(`seed ${random.seed}`);
    const counts = new Map<string, number>();
    for (const key of randomKeys(random, 100_000)) {
      const context = random.pick(contexts);
      const { version, release: assigned } = chooseVersion(labeled, release, { key, context });
      const expected = chooseOnService(release, { key, context });
      assert.deepEqual([version, assigned], [expected.version, expected.release], JSON.stringify({ key, context }));
      const kind = `${assigned?.reason} ${version}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    t.diagnostic(JSON.stringify([...counts]));
    assert.deepEqual([...counts.keys()].sort(), ['RULE 2', 'SPLIT 1', 'SPLIT 2']);
  });

  it('decides as the service does over HTTP, in reads and renders, without any request', async (t) => {
    const { ph, load, start, sent } = await setUp(t);
    const release = await start();
    const prompts = await load();
    await prompts.close();
    const random = createRandom();
    t.diagnostic(`seed ${random.seed}`);
    const keys = randomKeys(random, 3000);
    const callers: CallerOptions[] = keys.map((key) => ({ key, context: random.pick(contexts) }));
    sent.length = 0;
    const local = callers.map((caller) => {
      const prompt = prompts.get(name, caller);
      return { content: prompt.content, rendered: prompt.renderSync(variables) };
    });
    assert.equal(sent.length, 0);
    for (const [index, caller] of callers.entries()) {
      const { content, rendered } = local[index] ?? assert.fail();
      if (index % 2 === 0) assert.deepEqual(content, await ph.prompts.get(name, caller), JSON.stringify(caller));
      else assert.deepEqual(rendered, await ph.prompts.render(name, { ...caller, variables }), JSON.stringify(caller));
    }
    const arm = local.filter(({ content }) => content.version === 2).length;
    t.diagnostic(`${arm} of ${keys.length} keys get version 2`);
    assert.ok(local.every(({ content }) => content.release?.id === release.id));
  });

  it('gives callers without a key the control, unless a rule matches', async (t) => {
    const { ph, load, start } = await setUp(t);
    const before = await load();
    assert.deepEqual([before.get(name, { key: 'u' }).release, before.get(name, { key: 'u' }).version], [undefined, 1]);
    const { id } = await start();
    const prompts = await load();
    const prompt = prompts.get(name);
    assert.deepEqual([prompt.version, prompt.release], [1, { id, arm: 'control', reason: 'NO_KEY' }]);
    assert.deepEqual(await prompt.render(variables), await ph.prompts.render(name, { variables }));
    const context = matching;
    const ruled = prompts.find(name, { context });
    assert.deepEqual([ruled?.version, ruled?.release], [2, { id, arm: 'v2', reason: 'RULE' }]);
    assert.deepEqual(ruled?.renderSync(variables), await ph.prompts.render(name, { variables, context }));
    const { data } = await ph.prompts.list({ include: 'content', label, context });
    assert.deepEqual(data[0]?.version, ruled?.content);
  });

  it('receives wider arms by push, and never gives a key the control again', async (t) => {
    const { ph, load, start, sent } = await setUp(t);
    const prompts = await load({ pollIntervalMs: 600_000 });
    await until(() => prompts.state.status === 'live' && prompts.state.ageMs === 0);
    const keys = randomKeys(createRandom(1), 2000);
    const read = () => keys.map((key) => prompts.get(name, { key }).version);
    const held = prompts.get(name, { key: 'held' });
    let change = nextChange(prompts);
    await start();
    assert.deepEqual(await change, { added: [], changed: [name], removed: [] });
    let before = read();
    for (const weight of [3001, 5000, 9000, 10_000]) {
      change = nextChange(prompts);
      await ph.releases.change(name, { label, arms: [{ version: 2, weight }] });
      assert.deepEqual(await change, { added: [], changed: [name], removed: [] });
      const now = read();
      assert.ok(before.every((version, index) => version === 1 || now[index] === 2));
      before = now;
    }
    assert.ok(before.every((version) => version === 2));
    change = nextChange(prompts);
    await ph.releases.rollBack(name, { label });
    await change;
    assert.ok(read().every((version) => version === 1));
    assert.equal(prompts.get(name, { key: 'u' }).release, undefined);
    assert.deepEqual([held.version, held.release], [1, undefined], 'what is held does not change');
    change = nextChange(prompts);
    await start();
    await change;
    change = nextChange(prompts);
    await ph.releases.finish(name, { label, version: 2 });
    await change;
    assert.deepEqual([prompts.get(name, { key: 'u' }).version, prompts.get(name, { key: 'u' }).release], [2, undefined]);
    assert.equal((await ph.releases.get(name, { label })).state, 'finished');
    assert.ok(!sent.some(({ path }) => path.endsWith('/render')));
  });

  it('keeps releases in its file, and decides from the file while the service is down', async (t) => {
    const { token, load, start } = await setUp(t);
    await start();
    const fallbackFile = join(folder, 'state.json');
    const first = await load({ fallbackFile });
    await first.close();
    const keys = randomKeys(createRandom(2), 500);
    const expected = keys.map((key) => first.get(name, { key }).renderSync(variables));
    assert.equal(new Set(expected.map(({ version }) => version)).size, 2);

    const fromFile = async (change: (state: State) => void) => {
      const state = JSON.parse(await readFile(fallbackFile, 'utf8')) as State;
      change(state);
      state.source.baseUrl = unreachable;
      const file = join(folder, `state-${Math.random()}.json`);
      await writeFile(file, JSON.stringify(state));
      const ph = new PromptHarbor({ baseUrl: unreachable, apiKey: token });
      const prompts = await ph.prompts.load({ fallbackFile: file });
      await prompts.close();
      assert.equal(prompts.state.source, 'file');
      return keys.map((key) => prompts.get(name, { key }).renderSync(variables));
    };
    assert.deepEqual(await fromFile(() => {}), expected);
    // With a file of an earlier client, which has no releases, all callers get the control.
    const controls = await fromFile((state) => {
      delete state.releases;
      for (const version of state.prompts) version.release = { id: 'rel_1', arm: 'control', reason: 'NO_KEY' };
    });
    assert.ok(controls.every(({ version, release, text }) => version === 1 && !release && text === 'One Ada'));
    const broken = fromFile((state) => Object.assign(state.releases?.[0]?.[1] ?? {}, { rules: [{}] }));
    await assert.rejects(broken, { name: 'ConnectionError' }, 'a broken file is not used');
  });

  it('uses the control with a service that has no releases yet', async (t) => {
    const { load, start } = await setUp(t, (inner) => async (input, init) => {
      const response = await inner(input, init);
      if (!String(input).includes('include=content')) return response;
      const page = (await response.json()) as { data: { version: Version; release?: LoadedRelease }[] };
      for (const item of page.data) {
        delete item.release;
        delete item.version.release;
      }
      return Response.json(page, { headers: response.headers });
    });
    await start();
    const prompts = await load();
    const prompt = prompts.get(name, { key: 'u', context: matching });
    assert.deepEqual([prompt.version, prompt.release, prompt.renderSync(variables).text], [1, undefined, 'One Ada']);
    assert.deepEqual(Object.keys(prompt.attributes()), ['gen_ai.prompt.name', 'gen_ai.prompt.version', 'promptharbor.prompt.label']);
  });

  it('uses the control of included prompts, as the service does', async (t) => {
    const { ph, load } = await setUp(t);
    await ph.prompts.create({ name: 'page', template: `1: {% render '${name}' %}` });
    await ph.versions.create('page', { template: `2: {% render '${name}' %}{% render 'shared/tone' %}` });
    await ph.prompts.create({ name: 'shared/tone', template: ' kindly' });
    for (const released of [name, 'page']) {
      await ph.releases.start(released, { label, control: 1, arms: [{ version: 2, weight: 10_000 }] });
    }
    for (const options of [{}, { folder: 'support' }]) {
      const prompts = await load(options);
      assert.equal(prompts.get(name, { key: 'u' }).renderSync(variables).text, 'Two ADA');
    }
    const prompts = await load();
    const rendered = prompts.get('page', { key: 'u' }).renderSync(variables);
    assert.equal(rendered.text, '2: One Ada kindly');
    assert.deepEqual(rendered, await ph.prompts.render('page', { variables, key: 'u' }));
    const change = nextChange(prompts);
    await ph.versions.create('shared/tone', { template: ' briefly', labels: [label] });
    assert.deepEqual((await change).changed, ['page', 'shared/tone'].sort());
    assert.equal(prompts.get('page', { key: 'u' }).renderSync(variables).text, '2: One Ada briefly');
  });

  it('loads what only the version of an arm includes', async (t) => {
    const { ph, load } = await setUp(t);
    await ph.prompts.create({ name: 'shared/tone', template: 'Be kind.', labels: ['canary'] });
    const { version } = await ph.versions.create(name, { template: "{% render 'shared/tone', label: 'canary' %}" });
    await ph.releases.start(name, { label, control: 1, arms: [{ version, weight: 10_000 }] });
    const expected = await ph.prompts.render(name, { key: 'u' });
    const prompts = await load({ folder: 'support' });
    assert.deepEqual(prompts.get(name, { key: 'u' }).renderSync(), expected);
  });

  it('refuses keys that the service refuses, even without a release', async (t) => {
    const { load, start } = await setUp(t);
    const prompts = await load();
    const refuses = (each: LoadedPrompts) => {
      // Programs in JavaScript may pass anything.
      for (const key of ['', 'x'.repeat(1001), '😀'.repeat(1001), 42 as unknown as string]) {
        assert.throws(() => each.get(name, { key }), PromptHarborError);
        assert.throws(() => each.find(name, { key }), PromptHarborError);
        assert.throws(() => each.get('missing', { key, fallback: 'One' }), /A key must be/);
      }
      for (const key of ['x', '😀'.repeat(1000), undefined]) assert.ok(each.find(name, { key }));
    };
    refuses(prompts);
    await start();
    refuses(await load());
    refuses(fakePrompts({ [name]: 'One' }));
    assert.equal(prompts.find('missing', { key: 'u' }), undefined);
  });

  it('ph.releases throws for a label without a release', async (t) => {
    const { ph } = await setUp(t);
    await assert.rejects(ph.releases.get(name, { label }), NotFoundError);
  });
});

interface State {
  source: { baseUrl: string };
  prompts: Version[];
  releases?: [string, LoadedRelease][];
}

function nextChange(prompts: LoadedPrompts): Promise<{ added: string[]; changed: string[]; removed: string[] }> {
  return new Promise((resolve) => {
    const stop = prompts.onChange((change) => {
      stop();
      resolve(change);
    });
  });
}

function until(isReached: () => boolean): Promise<void> {
  return retryUntil(`never: ${isReached}`, isReached);
}
