import assert from 'node:assert/strict';
import { it } from 'node:test';
import { connectMcp, eras, protocolErrorOf } from '../../support/mcp.ts';
import { describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';

describeOnEveryEngine('MCP resources and completion', (service) => {
  for (const era of eras) {
    it(`a prompt is a resource with its labels, versions and source (${era})`, async (t) => {
      const owner = await newClient(service());
      await owner.create({ name: 'team@home/größe', template: 'Hello {{ name }}', labels: ['staging'] });
      await owner.save('team@home/größe', { template: 'Good day {{ name }}', message: 'Politer' });
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      const uri = 'promptharbor://prompts/team%40home%2Fgr%C3%B6%C3%9Fe';
      assert.deepEqual(
        (await mcp.listResources()).resources.map((resource) => [resource.uri, resource.name]),
        [[uri, 'team@home/größe']],
      );
      assert.equal((await mcp.listResourceTemplates()).resourceTemplates.length, 2);

      const [details, source] = (await mcp.readResource({ uri })).contents;
      assert.ok(details && 'text' in details && source && 'text' in source);
      const { name, labels, versions } = JSON.parse(details.text) as { name: string; labels: object; versions: { message: string }[] };
      assert.deepEqual([name, labels, versions.map(({ message }) => message)], ['team@home/größe', { staging: 1 }, ['Politer', '']]);
      assert.deepEqual([source.uri, source.mimeType, source.text], [`${uri}@latest`, 'text/x-liquid', 'Good day {{ name }}']);
      for (const version of ['staging', '1']) {
        const { contents } = await mcp.readResource({ uri: `${uri}@${version}` });
        assert.deepEqual(contents, [{ uri: `${uri}@${version}`, mimeType: 'text/x-liquid', text: 'Hello {{ name }}' }]);
      }
    });

    it(`-32602: an unknown resource, or one of another workspace, is not found (${era})`, async (t) => {
      const [owner, stranger] = [await newClient(service()), await newClient(service())];
      await owner.create({ name: 'a', template: 'x' });
      const mcp = await connectMcp(t, service(), { era, key: stranger.token });
      for (const uri of [
        'promptharbor://prompts/a',
        'promptharbor://prompts/',
        'promptharbor://prompts/a@b@c',
        'file:///etc/passwd',
        'x',
        '%',
      ]) {
        const { code, data } = await protocolErrorOf(mcp.readResource({ uri }));
        assert.deepEqual([code, data], [-32602, { uri }]);
      }
    });

    it(`completes values of the prompt’s test cases, after those of the config (${era})`, async (t) => {
      const [owner, other] = [await newClient(service()), await newClient(service())];
      const config = { variables: { tone: { enum: ['warm', 'wry'] } } };
      await owner.create({ name: 'reply', template: '{{ tone }}{{ customer }}', config });
      await other.create({ name: 'reply', template: '{{ tone }}{{ customer }}' });
      const cases = [{ tone: 'wry', customer: 'Ada' }, { tone: 'worn', customer: 7 }, { customer: 'Ada' }, { customer: 'x'.repeat(201) }];
      const data = [...cases, { customer: '' }, { customer: 'adam' }].map((variables, index) => ({ name: `Case ${index}`, variables }));
      assert.equal((await owner.call('POST', pathOf('reply', '/cases/import'), { data })).status, 201);
      const completed = async (key: string, name: string, value: string) => {
        const mcp = await connectMcp(t, service(), { era, key });
        return (await mcp.complete({ ref: { type: 'ref/prompt', name: 'reply' }, argument: { name, value } })).completion;
      };
      assert.deepEqual(await completed(owner.token, 'tone', 'w'), { values: ['warm', 'wry', 'worn'], total: 3, hasMore: false });
      assert.deepEqual((await completed(owner.token, 'customer', 'AD')).values, ['Ada', 'adam']);
      assert.deepEqual((await completed(owner.token, 'toString', '')).values, []);
      assert.deepEqual((await completed(other.token, 'tone', '')).values, [], 'another workspace');

      const many = Array.from({ length: 120 }, (_, index) => ({ name: `Case ${index}`, variables: { customer: `Bob ${index}` } }));
      assert.equal((await owner.call('POST', pathOf('reply', '/cases/import'), { data: many })).status, 201);
      const bounded = await completed(owner.token, 'customer', 'Bob');
      assert.deepEqual([bounded.values.length, bounded.total, bounded.hasMore], [100, 120, true]);
    });

    it(`completes values that the config lists, names and labels (${era})`, async (t) => {
      const owner = await newClient(service());
      const config = { variables: { tone: { enum: ['warm', 'wry', 'dry', 3] }, other: 'text', list: { enum: {} } } };
      await owner.create({ name: 'support/triage', template: '{{ tone }}{{ other }}', config });
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      const valuesOf = async (
        ref: Parameters<typeof mcp.complete>[0]['ref'],
        name: string,
        value: string,
        given?: Record<string, string>,
      ) => (await mcp.complete({ ref, argument: { name, value }, ...(given && { context: { arguments: given } }) })).completion.values;
      const prompt = { type: 'ref/prompt', name: 'support/triage' } as const;
      assert.deepEqual(await valuesOf(prompt, 'tone', ''), ['warm', 'wry', 'dry', '3']);
      assert.deepEqual(await valuesOf(prompt, 'tone', 'W'), ['warm', 'wry']);
      for (const name of ['other', 'list', 'unknown', '__proto__']) assert.deepEqual(await valuesOf(prompt, name, ''), []);
      const resource = (uri: string) => ({ type: 'ref/resource', uri }) as const;
      assert.deepEqual(await valuesOf(resource('promptharbor://prompts/{name}'), 'name', 'tri'), ['support/triage']);
      assert.deepEqual(await valuesOf(resource('promptharbor://prompts/{name}@{version}'), 'version', 'p', { name: 'support/triage' }), [
        'production',
      ]);
      assert.deepEqual(await valuesOf(resource('other://{name}'), 'name', ''), []);
      assert.equal((await protocolErrorOf(valuesOf({ type: 'ref/prompt', name: 'no' }, 'tone', ''))).code, -32602);
      const version = resource('promptharbor://prompts/{name}@{version}');
      for (const name of ['no', '\0', '\ud800']) {
        assert.equal((await protocolErrorOf(valuesOf(version, 'version', '', { name }))).code, -32602);
      }
    });
  }
});
