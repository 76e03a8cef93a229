import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Client as McpClient } from '@modelcontextprotocol/client';
import { assign } from '../../../src/contract/release-assignment.ts';
import type { ReleaseFields, SavedRelease } from '../../../src/contract/releases.ts';
import { connectMcp, eras, protocolErrorOf } from '../../support/mcp.ts';
import { describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const releasePath = pathOf('greeting', '/labels/production/release');
const target = { name: 'greeting', label: 'production' };
const rules = [{ if: { plan: ['internal'] }, version: 2 }];

/** Creates a prompt with two versions, the first of which is labeled. */
async function newPrompt(service: Service) {
  const owner = await newClient(service);
  await owner.create({ name: 'greeting', template: 'Hello {{ name }}' });
  await owner.save('greeting', { template: 'Good day {{ name }}' });
  return owner;
}

async function callTool(mcp: McpClient, name: string, input: Record<string, unknown>) {
  const { content, isError, _meta } = await mcp.callTool({ name, arguments: input });
  const text = content[0]?.type === 'text' ? content[0].text : '';
  return { text, isError, release: _meta?.['promptharbor/release'] };
}

async function callJson<T>(mcp: McpClient, name: string, input: Record<string, unknown>): Promise<T> {
  const { text, isError } = await callTool(mcp, name, input);
  assert.equal(isError, undefined, text);
  return JSON.parse(text) as T;
}

describeOnEveryEngine('MCP releases', (service) => {
  for (const era of eras) {
    it(`prompts/get: chooses the version by the key and the context in the metadata (${era})`, async (t) => {
      const owner = await newPrompt(service());
      const started = await owner.call('PUT', releasePath, { control: 1, arms: [{ version: 2, weight: 5000 }], rules });
      const release = started.body as SavedRelease;
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      const get = async (meta?: Record<string, unknown>) => {
        const { messages, _meta } = await mcp.getPrompt({ name: 'greeting', arguments: { name: 'Ada' }, ...(meta && { _meta: meta }) });
        const [message] = messages;
        return { text: message?.content.type === 'text' ? message.content.text : '', release: _meta?.['promptharbor/release'] };
      };
      for (const key of Array.from({ length: 12 }, (_, index) => `user ${index} Zoë 😀`)) {
        const { version } = assign(release, { key });
        assert.deepEqual(await get({ 'promptharbor/key': key }), {
          text: version === 1 ? 'Hello Ada' : 'Good day Ada',
          release: { id: release.id, arm: version === 1 ? 'control' : 'v2', reason: 'SPLIT' },
        });
      }
      const internal = await get({ 'promptharbor/context': { plan: 'internal' } });
      assert.deepEqual(internal, { text: 'Good day Ada', release: { id: release.id, arm: 'v2', reason: 'RULE' } });
      assert.deepEqual(await get(), { text: 'Hello Ada', release: { id: release.id, arm: 'control', reason: 'NO_KEY' } });
      const error = await protocolErrorOf(get({ 'promptharbor/key': '' }));
      assert.equal(error.code, -32602);
      assert.match(error.message, /promptharbor.*key/);

      assert.equal((await owner.get<{ keys: number }>(pathOf('greeting', '/keys'))).keys, 12);
      const reads = await service().ctx.store.statistics.readReleaseReads({ accountId: owner.userId, releaseId: release.id });
      const callsOf = (reason: string) => reads.filter((row) => row.reason === reason).reduce((sum, { calls }) => sum + calls, 0);
      assert.deepEqual(['SPLIT', 'RULE', 'NO_KEY'].map(callsOf), [12, 1, 1]);

      await owner.call('DELETE', releasePath);
      assert.deepEqual(await get({ 'promptharbor/key': 'u' }), { text: 'Hello Ada', release: undefined });
    });

    it(`let a model start, widen, pause, finish and roll back a release (${era})`, async (t) => {
      const owner = await newPrompt(service());
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      const started = await callJson<SavedRelease>(mcp, 'start_release', { ...target, control: 1, arms: [{ version: 2, weight: 500 }] });
      assert.deepEqual([started.state, started.warnings], ['running', []]);
      const wider = await callJson<ReleaseFields>(mcp, 'change_release', { ...target, arms: [{ version: 2, weight: 10_000 }] });
      assert.deepEqual(wider.arms, [{ version: 2, weight: 10_000 }]);
      await callJson(mcp, 'change_release', { ...target, state: 'paused' });
      const { warnings: _, ...fields } = await owner.get<SavedRelease>(releasePath);
      assert.deepEqual(await callJson<ReleaseFields>(mcp, 'get_release', target), fields);
      assert.match((await callTool(mcp, 'roll_back_release', target)).text, /rolled back/);
      assert.equal((await owner.get<ReleaseFields>(releasePath)).state, 'rolled_back');
      await callJson(mcp, 'start_release', { ...target, control: 1, arms: [{ version: 2, weight: 500 }] });
      assert.equal((await callJson<ReleaseFields>(mcp, 'finish_release', { ...target, version: 2 })).state, 'finished');
      assert.equal((await owner.get<{ version: number }>(pathOf('greeting'))).version, 2);
    });
  }

  it('tools: choose the version by the arguments key and context', async (t) => {
    const owner = await newPrompt(service());
    const started = await owner.call('PUT', releasePath, { control: 1, arms: [{ version: 2, weight: 10_000 }], rules });
    const { id } = started.body as SavedRelease;
    const mcp = await connectMcp(t, service(), { key: owner.token });
    const split = { id, arm: 'v2', reason: 'SPLIT' };
    const read = await callTool(mcp, 'get_prompt', { name: 'greeting', key: 'u' });
    const version = JSON.parse(read.text) as { version: number; release: object };
    assert.deepEqual([version.version, version.release, read.release], [2, split, split]);
    const variables = { name: 'Ada' };
    assert.deepEqual(await callTool(mcp, 'render_prompt', { name: 'greeting', variables, key: 'u' }), {
      text: 'Good day Ada',
      isError: undefined,
      release: split,
    });
    const internal = await callTool(mcp, 'render_prompt', { name: 'greeting', variables, context: { plan: 'internal' } });
    assert.deepEqual(internal.release, { id, arm: 'v2', reason: 'RULE' });
    const anonymous = await callTool(mcp, 'render_prompt', { name: 'greeting', variables });
    assert.deepEqual([anonymous.text, anonymous.release], ['Hello Ada', { id, arm: 'control', reason: 'NO_KEY' }]);
    const fixed = await callTool(mcp, 'render_prompt', { name: 'greeting', variables, version: 1, key: 'u' });
    assert.deepEqual([fixed.text, fixed.release], ['Hello Ada', undefined]);
    for (const input of [{ key: '' }, { key: 'x'.repeat(1001) }, { context: { plan: [] } }]) {
      assert.equal((await callTool(mcp, 'render_prompt', { name: 'greeting', variables, ...input })).isError, true);
    }
    await service().ctx.recorder.flush();
    assert.deepEqual(await service().ctx.store.statistics.readReleaseReads({ accountId: owner.userId, releaseId: id }), [
      { version: 1, reason: 'NO_KEY', calls: 1 },
      { version: 2, reason: 'RULE', calls: 1 },
      { version: 2, reason: 'SPLIT', calls: 2 },
    ]);
  });

  it('tools for releases require the roles of the REST API, and say what to do about an error', async (t) => {
    const owner = await newPrompt(service());
    const viewer = await newMember(service(), owner, 'viewer');
    const reading = await connectMcp(t, service(), { key: viewer.token, ...inWorkspace(owner) });
    const names = (await reading.listTools()).tools.map(({ name }) => name).filter((name) => name.includes('release'));
    assert.deepEqual(names, ['get_release']);
    const arms = [{ version: 2, weight: 500 }];
    assert.match((await callTool(reading, 'start_release', { ...target, control: 1, arms })).text, /You need the role "editor"/);
    assert.match((await callTool(reading, 'get_release', target)).text, /Call start_release/);
    const mcp = await connectMcp(t, service(), { key: owner.token });
    const expected: [string, Record<string, unknown>, RegExp][] = [
      ['start_release', { ...target, control: 1, arms: [] }, /\/arms/],
      ['start_release', { ...target, control: 1, arms: [{ version: 9, weight: 1 }] }, /no version 9/],
      ['start_release', { ...target, arms }, /\/control: Required/],
      ['change_release', { ...target, state: 'paused' }, /Call start_release/],
      ['roll_back_release', { name: 'greeting' }, /\/label: Required/],
    ];
    for (const [tool, input, text] of expected) {
      const response = await callTool(mcp, tool, input);
      assert.equal(response.isError, true, tool);
      assert.match(response.text, text);
    }
    await callJson(mcp, 'start_release', { ...target, control: 1, arms });
    assert.match((await callTool(mcp, 'move_label', { ...target, version: 2 })).text, /Call get_release/);
    const read = await callJson<ReleaseFields>(reading, 'get_release', target);
    assert.equal(read.state, 'running');
  });
});
