import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Candidate } from '../../src/contract/candidates.ts';
import type { Diff } from '../../src/contract/history.ts';
import { cliSettings, createCliFolder } from '../support/cli.ts';
import { newClient, pathOf } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

describe('promptharbor and candidates', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function prepare(t: TestContext) {
    const client = await newClient(service);
    await client.create({ name: 'greet', template: 'one', labels: ['production'] });
    await client.save('greet', { template: 'two' });
    const content = { title: 'Three', template: 'three', config: { temperature: 1 } };
    const { id } = (await client.call('POST', pathOf('greet', '/candidates'), content)).body as unknown as Candidate;
    return { client, id, folder: await createCliFolder(t, cliSettings(service, client)) };
  }

  it('diff compares a version, a label and a candidate outside a project', async (t) => {
    const { id, folder } = await prepare(t);
    const live = await folder.run(['diff', 'greet', '--to', id]);
    assert.equal(live.code, 1, 'there are differences');
    assert.match(live.stdout, new RegExp(`^--- version 1\n\\+\\+\\+ candidate ${id}\n@@ .* @@\n-one\n`));
    assert.match(live.stdout, /^\+three$/m);
    assert.match(live.stdout, /^\+ {2}"temperature": 1$/m);
    const newest = JSON.parse((await folder.run(['diff', 'greet', '--from', '1', '--json'])).stdout) as Diff;
    assert.deepEqual([newest.from, newest.to], [1, 2]);
    const same = await folder.run(['diff', 'greet', '--from', 'latest', '--to', '2']);
    assert.deepEqual([same.code, same.stdout], [0, '']);
  });

  it('diff refuses what it cannot compare', async (t) => {
    const { folder } = await prepare(t);
    for (const args of [
      ['--from', '1'],
      ['greet', 'other', '--from', '1'],
      ['greet', '--from', '1x'],
      ['greet', '--to', 'No Label'],
    ]) {
      assert.equal((await folder.run(['diff', ...args])).code, 2, args.join(' '));
    }
    assert.equal((await folder.run(['diff', 'greet', '--to', 'cand_missing'])).code, 4);
  });

  it('check runs the test cases of a candidate', async (t) => {
    const { client, id, folder } = await prepare(t);
    const checks = [{ kind: 'contains', value: 'three', on: 'prompt' }];
    await client.call('POST', pathOf('greet', '/cases/import'), { data: [{ name: 'Counts', variables: {}, checks }] });
    const passed = await folder.run(['check', 'greet', '--candidate', id]);
    assert.deepEqual([passed.code, passed.stdout], [0, `passed  greet  candidate ${id}, 1 test case\n`]);
    assert.equal((await folder.run(['check', 'greet', '--label', 'latest'])).code, 1);
    assert.equal((await folder.run(['check', 'greet', '--candidate', id, '--label', 'latest'])).code, 2);
  });
});
