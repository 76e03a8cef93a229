import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { PromptHarbor } from '../../client/src/index.ts';
import type { CallerOptions } from '../../client/src/load/choose-version.ts';
import { fakePrompts } from '../../client/src/testing.ts';
import { createReleasedPrompt, label, matching, name, unreachable, variables } from '../support/released-prompt.ts';
import { createProgramFolder } from '../support/sdk-programs.ts';
import { type Service, startService } from '../support/service.ts';

describe('reports of calls with a release', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('reports the release and the key only if the key has decided', async (t) => {
    const { ph, load, start, sent } = await createReleasedPrompt(t, service);
    const read = async (caller: CallerOptions) => {
      const prompts = await load();
      const prompt = prompts.get(name, caller);
      sent.length = 0;
      await prompt.observe(async () => 'answer');
      await ph.results.flush();
      await prompt.feedback({ name: 'helpful', value: true });
      await prompts.close();
      const bodies = sent.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body));
      const [call] = bodies.flatMap(({ calls = [] }) => calls);
      const feedback = bodies.filter(({ value }) => value === true);
      const attributes = prompt.attributes();
      assert.deepEqual(prompt.renderSync(variables).attributes(), attributes);
      assert.deepEqual((await prompt.render(variables)).attributes(), attributes);
      assert.deepEqual([call.prompt, call.version, call.label], [name, prompt.version, label]);
      assert.ok(feedback.every((each) => each.prompt === name && each.version === prompt.version && each.label === label && each.id));
      return { prompt, call, keys: feedback.map(({ key }) => key), attributes, all: JSON.stringify([sent, attributes]) };
    };
    const context = matching;
    const none = await read({ key: 'planted key', context });
    const { id } = await start();
    const split = await read({ key: 'planted key' });
    assert.equal(split.prompt.release?.reason, 'SPLIT');
    assert.deepEqual([split.call.release, split.call.key], [id, 'planted key']);
    assert.deepEqual(split.keys, ['planted key']);
    assert.equal(split.attributes['promptharbor.release'], id);
    assert.equal(split.attributes['promptharbor.key'], 'planted key');
    for (const { call, keys, attributes, all } of [
      none,
      await read({ key: 'planted key', context }),
      await read({ context }),
      await read({}),
    ]) {
      assert.deepEqual([call.release, call.key, ...keys], [undefined, undefined, undefined]);
      assert.deepEqual(Object.keys(attributes), ['gen_ai.prompt.name', 'gen_ai.prompt.version', 'promptharbor.prompt.label']);
      assert.doesNotMatch(all, /planted|internal|"rel_/);
    }
  });

  it('sends neither a key nor a report for a fallback in code, and nothing in tests', async () => {
    const requests: string[] = [];
    const ph = new PromptHarbor({
      baseUrl: unreachable,
      apiKey: 'ph_x',
      fetch: async (input) => {
        requests.push(String(input));
        throw new TypeError('offline');
      },
    });
    const prompts = await ph.prompts.load({ startEmpty: true });
    await prompts.close();
    requests.length = 0;
    for (const text of ['One', 'Two']) {
      const prompt = prompts.get('any', { fallback: text, key: 'u' });
      assert.deepEqual([prompt.version, prompt.release, prompt.renderSync().text], [0, undefined, text]);
      await prompt.feedback({ name: 'helpful', value: true });
    }
    const fake = fakePrompts({ any: 'Hi' }).get('any', { key: 'u' });
    await fake.feedback({ name: 'helpful', value: true });
    assert.deepEqual([fake.renderSync().text, requests], ['Hi', []]);
  });

  it('client/README.md: the examples of releases run as they are printed', { skip: process.platform === 'win32' }, async (t) => {
    const { ph, token } = await createReleasedPrompt(t, service);
    const prompt = 'support/triage';
    await ph.prompts.create({ name: prompt, template: 'Sort this from {{ customer }}: {{ request }}' });
    await ph.versions.create(prompt, { template: 'Sort this by urgency, from {{ customer }}: {{ request }}' });
    await ph.releases.start(prompt, { label, control: 1, arms: [{ version: 2, weight: 10_000 }] });
    const readme = readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8');
    const [, section = ''] = /^## Releases\n(.*?)^## /ms.exec(readme) ?? [];
    const [read = '', change = '', ...others] = [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
    assert.deepEqual(others, []);
    const folder = createProgramFolder();
    t.after(() => folder.remove());
    const env = { PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: token };
    const { stdout } = await folder.run(read, env);
    assert.equal(stdout.trim(), /console\.log\(.*\); \/\/ (.*)/.exec(read)?.[1]);
    await ph.releases.rollBack(prompt, { label });
    await folder.run(`import { PromptHarbor } from '@promptharbor/client';\nconst ph = new PromptHarbor();\n${change}`, env);
    const { state, arms } = await ph.releases.get(prompt, { label });
    assert.deepEqual([state, arms], ['finished', [{ version: 2, weight: 5000 }]]);
    assert.equal((await ph.prompts.get(prompt)).version, 2);
  });
});
