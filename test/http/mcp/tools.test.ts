import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Client as McpClient } from '@modelcontextprotocol/client';
import type { PromptResults } from '../../../src/contract/results.ts';
import { connectMcp, eras } from '../../support/mcp.ts';
import { describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const readingTools = [
  'list_prompts',
  'get_prompt',
  'render_prompt',
  'compare_versions',
  'get_results',
  'get_release',
  'list_proposals',
  'get_proposal',
];
const releaseTools = ['start_release', 'change_release', 'roll_back_release', 'finish_release'];

describeOnEveryEngine('MCP tools', (service) => {
  for (const era of eras) {
    it(`let a model find, change, compare and deploy a prompt (${era})`, async (t) => {
      const owner = await newClient(service());
      const { id } = await owner.create({ name: 'greeting', description: 'Says hello', template: 'Hello {{ name }}' });
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      const { tools } = await mcp.listTools();
      assert.deepEqual(
        tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
        [
          ...readingTools.map((name) => [name, true, undefined]),
          ['save_version', false, false],
          ...['move_label', ...releaseTools].map((name) => [name, false, true]),
          ...['propose_change', 'comment_on_proposal'].map((name) => [name, false, false]),
        ],
      );

      assert.deepEqual(JSON.parse(await textOf(mcp, 'list_prompts', { search: 'hello' })), {
        prompts: [
          {
            name: 'greeting',
            type: 'text',
            description: 'Says hello',
            latestVersion: 1,
            labels: { production: 1 },
            matches: [
              { path: '/description', line: 1, text: 'Says hello' },
              { version: 1, path: '/template', line: 1, text: 'Hello {{ name }}' },
            ],
          },
        ],
      });
      const saved = { name: 'greeting', template: 'Good day {{ name }}', message: 'Politer', baseVersion: 1 };
      assert.deepEqual(JSON.parse(await textOf(mcp, 'save_version', saved)), { name: 'greeting', version: 2, labels: [] });
      assert.equal(await textOf(mcp, 'render_prompt', { name: 'greeting', variables: { name: 'Ada' } }), 'Hello Ada');
      assert.match(await textOf(mcp, 'compare_versions', { name: 'greeting', from: 1, to: 2 }), /-Hello \{\{ name \}\}\n.*\+Good day/s);
      assert.deepEqual(JSON.parse(await textOf(mcp, 'move_label', { name: 'greeting', label: 'production', version: 2 })), {
        name: 'greeting',
        version: 2,
        labels: ['production'],
      });
      assert.equal(await textOf(mcp, 'render_prompt', { name: 'greeting', variables: { name: 'Ada' } }), 'Good day Ada');
      const read = JSON.parse(await textOf(mcp, 'get_prompt', { name: 'greeting' })) as Record<string, unknown>;
      assert.deepEqual(
        [read.template, read.version, read.labels, read.variables],
        ['Good day {{ name }}', 2, ['production'], [{ name: 'name', required: true, kind: 'text' }]],
      );
      await service().ctx.recorder.flush();
      const { byPrompt, byRoute } = await owner.get<{
        byPrompt: { promptId: string; calls: number }[];
        byRoute: { route: string; calls: number }[];
      }>('/api/stats');
      assert.equal(byPrompt.find(({ promptId }) => promptId === id)?.calls, 3, 'two renders and a read');
      assert.equal(byRoute.find(({ route }) => route === 'MCP tools/call')?.calls, 7);
    });
  }

  it('say what to do about an error, and change nothing', async (t) => {
    const owner = await newClient(service());
    await owner.create({ name: 'greeting', template: 'Hello {{ name }}' });
    const mcp = await connectMcp(t, service(), { key: owner.token });
    for (const [tool, input, expected] of [
      ['get_prompt', { name: 'greetings' }, /^There is no prompt with this name\. Call list_prompts/],
      ['get_prompt', { name: 'greeting', version: 9 }, /^The prompt has no version 9/],
      ['get_prompt', { name: 'greeting', version: 1, label: 'production' }, /\/version: Send either label or version, not both/],
      ['get_prompt', {}, /\/name: Required/],
      ['get_prompt', { name: 7, other: true }, /\/name: Must be a string/],
      ['render_prompt', { name: 'greeting' }, /^Variables are missing: name/],
      ['save_version', { name: 'new', template: 'x' }, /To create it, send "create": true\./],
      ['save_version', { name: 'greeting', template: '{% if %' }, /syntax error\n\/template: .*\(line 1, column 1\)/],
      ['save_version', { name: 'greeting', template: 'x', baseVersion: 4 }, /baseVersion/],
      [
        'save_version',
        { name: 'greeting', template: ' ', labels: ['production'], strict: true },
        /Nothing was changed: The template is empty/,
      ],
      ['move_label', { name: 'greeting', label: 'latest', version: 1 }, /latest always points at the newest version/],
      ['compare_versions', { name: 'greeting', from: 1, to: 5 }, /^The prompt has no version 5/],
      ['get_results', { name: 'greetings' }, /^There is no prompt with this name\. Call list_prompts/],
      ['get_results', { from: '2020-01-01' }, /at most 400 days/],
      ['get_results', { version: 1 }, /\/version/],
      ['delete_everything', {}, /^There is no such tool/],
      ['constructor', {}, /^There is no such tool/],
    ] as const) {
      const { isError, content } = await mcp.callTool({ name: tool, arguments: input });
      assert.equal(isError, true, tool);
      assert.match(content[0]?.type === 'text' ? content[0].text : '', expected);
    }
    assert.equal((await owner.get<{ data: unknown[] }>('/api/prompts/greeting/versions')).data.length, 1);
  });

  it('get_results: returns the results of a prompt by version and model, or the prompts of the workspace by cost', async (t) => {
    const owner = await newClient(service());
    await owner.create({ name: 'greeting', template: 'Hello' });
    await owner.save('greeting', { template: 'Good day' });
    const calls = [1, 1, 2].map((version) => ({ prompt: 'greeting', version, model: 'gpt-5-mini', durationMs: 100, cost: 0.5 }));
    calls.push({ prompt: 'missing', version: 1, model: 'gpt-5-mini', durationMs: 100, cost: 0.5 });
    assert.equal((await owner.call('POST', '/api/results', { calls })).status, 202);
    await owner.call('POST', '/api/feedback', { prompt: 'greeting', version: 2, name: 'helpful', value: true });
    const viewer = await newMember(service(), owner, 'viewer');
    const mcp = await connectMcp(t, service(), { key: viewer.token, ...inWorkspace(owner) });
    const read = async (input: Record<string, unknown>) => JSON.parse(await textOf(mcp, 'get_results', input));
    const { versions, models, deployments, series, releases } = await read({ name: 'greeting' });
    assert.deepEqual(
      versions.map((row: PromptResults['versions'][number]) => [row.version, row.calls, row.cost, row.scores.map(({ name }) => name)]),
      [
        [2, 1, 0.5, ['helpful']],
        [1, 2, 1, []],
      ],
    );
    assert.deepEqual([models.length, models[0].calls, deployments.length, series, releases], [1, 3, 1, undefined, []]);
    assert.deepEqual((await read({ name: 'greeting', from: '2026-01-01', to: '2026-10-01' })).versions, []);
    assert.deepEqual((await read({ name: 'greeting', label: 'staging' })).versions, []);
    const { prompts, totals, dropped } = await read({});
    assert.deepEqual(
      [prompts.length, prompts[0].name, prompts[0].calls, totals.cost, dropped],
      [1, 'greeting', 3, 1.5, [{ reason: 'unknown_prompt', count: 1 }]],
    );
  });

  it('create a prompt when asked to', async (t) => {
    const owner = await newClient(service());
    const mcp = await connectMcp(t, service(), { key: owner.token });
    const input = { name: 'new/one', messages: [{ role: 'user', content: 'Hi {{ name }}' }], create: true, labels: ['staging'] };
    assert.deepEqual(JSON.parse(await textOf(mcp, 'save_version', input)), { name: 'new/one', version: 1, labels: ['staging'] });
    assert.deepEqual(JSON.parse(await textOf(mcp, 'render_prompt', { name: 'new/one', label: 'staging', variables: { name: 'Ada' } })), {
      messages: [{ role: 'user', content: 'Hi Ada' }],
    });
  });

  it('403: a viewer sees and calls only tools that read; only deployers move protected labels', async (t) => {
    const owner = await newClient(service());
    await owner.create({ name: 'greeting', template: 'Hello' });
    assert.equal((await owner.call('PATCH', '/api/workspace', { protectedLabels: ['production'] })).status, 200);
    const connectAs = async (role: 'viewer' | 'editor' | 'deployer') =>
      connectMcp(t, service(), { key: (await newMember(service(), owner, role)).token, ...inWorkspace(owner) });
    const [viewer, editor, deployer] = [await connectAs('viewer'), await connectAs('editor'), await connectAs('deployer')];
    assert.deepEqual(
      (await viewer.listTools()).tools.map(({ name }) => name),
      readingTools,
    );
    const save = { name: 'save_version', arguments: { name: 'greeting', template: 'Bye' } };
    const move = { name: 'move_label', arguments: { name: 'greeting', label: 'production', version: 1 } };
    for (const input of [save, move]) {
      const { isError, content } = await viewer.callTool(input);
      assert.equal(isError, true);
      assert.match(JSON.stringify(content), /need the role \\"editor\\" in this workspace\. Your role is \\"viewer\\"/);
    }
    assert.equal((await editor.callTool(save)).isError, undefined);
    assert.match(JSON.stringify((await editor.callTool(move)).content), /deployer/);
    assert.equal((await deployer.callTool(move)).isError, undefined);
  });
});

/** Calls a tool, which must succeed, and returns the text of its result. */
async function textOf(mcp: McpClient, name: string, input: Record<string, unknown>): Promise<string> {
  const { isError, content } = await mcp.callTool({ name, arguments: input });
  const [first] = content;
  assert.ok(!isError && first?.type === 'text', JSON.stringify(content));
  return first.text;
}
