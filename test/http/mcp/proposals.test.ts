import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Client as McpClient } from '@modelcontextprotocol/client';
import type { Candidate } from '../../../src/contract/candidates.ts';
import type { DiscussionComment } from '../../../src/contract/comments.ts';
import type { Proposal } from '../../../src/contract/proposals.ts';
import { applyDueProposals } from '../../../src/domain/proposals/due-proposals.ts';
import { connectMcp, eras } from '../../support/mcp.ts';
import { describeOnEveryEngine, type ListBody, pathOf } from '../../support/prompts.ts';
import { newTeam } from '../../support/proposals.ts';
import { inWorkspace } from '../../support/workspaces.ts';

async function callTool(mcp: McpClient, name: string, input: Record<string, unknown>) {
  const { content, isError } = await mcp.callTool({ name, arguments: input });
  return { text: content[0]?.type === 'text' ? content[0].text : '', isError };
}

async function callJson<T = Proposal>(mcp: McpClient, name: string, input: Record<string, unknown>): Promise<T> {
  const { text, isError } = await callTool(mcp, name, input);
  assert.equal(isError, undefined, text);
  return JSON.parse(text) as T;
}

/** Reads the arguments for `propose_change` from the text of an error. */
function argumentsOf(text: string): Record<string, unknown> {
  const [, json = ''] = /Call propose_change with (\{.*\}), and/s.exec(text) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

const target = { name: 'greet', label: 'production' };

describeOnEveryEngine('MCP proposals', (service) => {
  for (const era of eras) {
    it(`let a model propose new content, which people approve and apply (${era})`, async (t) => {
      const { client, join, live, owner } = await newTeam(service());
      const assistant = await join('editor');
      const mcp = await connectMcp(t, service(), { era, key: assistant.client.token, ...inWorkspace(client) });
      const opened = await callJson(mcp, 'propose_change', { ...target, template: 'three', message: 'Shorter\nand kinder' });
      assert.deepEqual([opened.state, opened.changes[0]?.candidate?.title, opened.changes[0]?.from], ['open', 'Shorter', 1]);
      assert.equal(await live(), 1);
      const { data } = await client.get<ListBody<Candidate>>(pathOf('greet', '/candidates'));
      assert.deepEqual(
        data.map(({ template }) => template),
        ['three'],
      );
      const { id } = opened;
      const candidate = opened.changes[0]?.candidate?.id;
      const anchor = { part: 'text', line: 1 };
      const thread = await callJson<DiscussionComment>(mcp, 'comment_on_proposal', {
        id,
        text: 'Short?',
        name: 'greet',
        candidate,
        anchor,
      });
      assert.deepEqual([thread.proposal, thread.candidate, thread.anchor?.quote], [id, candidate, 'three']);
      await callJson(mcp, 'comment_on_proposal', { id, text: 'Short enough.', replyTo: thread.id });
      const { comments, reviews } = await callJson<Proposal & { comments: DiscussionComment[] }>(mcp, 'get_proposal', { id });
      assert.deepEqual(
        comments.map(({ text, thread }) => [text, thread]),
        [
          ['Short?', thread.id],
          ['Short enough.', thread.id],
        ],
      );
      assert.deepEqual(reviews, []);
      await owner.review(opened);
      assert.equal((await callJson(mcp, 'get_proposal', { id })).state, 'approved');
      assert.equal(await live(), 1, 'an approval alone changes nothing');
      assert.equal((await owner.apply(opened)).status, 200);
      assert.equal(await live(), 3);
      const ended = await callJson<{ proposals: Proposal[] }>(mcp, 'list_proposals', { name: 'greet', state: 'ended' });
      assert.deepEqual(
        ended.proposals.map((proposal) => [proposal.id, proposal.state]),
        [[id, 'applied']],
      );
      assert.deepEqual((await callJson<{ proposals: Proposal[] }>(mcp, 'list_proposals', { state: 'open' })).proposals, []);
    });
  }

  it('no tool approves, declines or applies', async (t) => {
    const { client } = await newTeam(service());
    const mcp = await connectMcp(t, service(), { key: client.token });
    const names = (await mcp.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => /propos|approv|review|apply|declin/.test(name)),
      ['list_proposals', 'get_proposal', 'propose_change', 'comment_on_proposal'],
    );
    const { id } = await callJson(mcp, 'propose_change', { ...target, version: 2 });
    const refused = await callTool(mcp, 'comment_on_proposal', { id, text: 'Fine', verdict: 'approve' });
    assert.deepEqual([refused.isError, (await callJson(mcp, 'get_proposal', { id })).reviews], [true, []]);
  });

  it('no tool brings content to the label, with any key: people override rules, and assistants do not', async (t) => {
    const { client, owner, join, live } = await newTeam(service());
    const account = await owner.api('POST', '/api/members/service-accounts', { name: 'Assistant', role: 'editor' });
    const release = { control: 1, arms: [{ version: 2, weight: 1000 }] };
    const keys = [(account.body as { token: string }).token, client.token];
    for (const role of ['editor', 'admin'] as const) keys.push((await join(role)).client.token);
    for (const key of keys) {
      const mcp = await connectMcp(t, service(), { key, ...inWorkspace(client) });
      const calls: [string, Record<string, unknown>][] = [
        ['move_label', { ...target, version: 2, override: 'Hotfix' }],
        ['save_version', { name: 'greet', template: 'three', labels: ['production'] }],
        ['save_version', { name: 'new', template: 'three', labels: ['production'], create: true }],
        ['start_release', { ...target, ...release, override: 'Hotfix' }],
        ['start_release', { ...target, control: 2, arms: [{ version: 1, weight: 1000 }] }],
        ['finish_release', { ...target, version: 2, override: 'Hotfix' }],
        ['change_release', { ...target, arms: release.arms }],
      ];
      for (const [name, input] of calls) assert.equal((await callTool(mcp, name, input)).isError, true, name);
      // The service does not apply a proposal on behalf of a key that must not apply it itself.
      const rules = (approvals: number) => owner.page('PATCH', '/api/workspace', { labelRules: { production: { approvals } } });
      assert.equal((await rules(0)).status, 200);
      const { id } = await callJson(mcp, 'propose_change', { ...target, version: 2, applyAt: '2026-01-01T00:00:00Z' });
      await applyDueProposals(service().ctx);
      assert.match((await callJson(mcp, 'get_proposal', { id })).problem ?? '', /An API key cannot move/);
      assert.equal((await rules(1)).status, 200);
      assert.equal(await live(), 1);
    }
  });

  it('a refused move says which arguments propose it, and they work as they are', async (t) => {
    const { client, live } = await newTeam(service());
    const mcp = await connectMcp(t, service(), { key: client.token });
    const move = await callTool(mcp, 'move_label', { ...target, version: 2 });
    assert.equal(move.isError, true);
    assert.deepEqual(argumentsOf(move.text), { ...target, version: 2 });
    assert.equal((await callJson(mcp, 'propose_change', argumentsOf(move.text))).changes[0]?.version, 2);
    const release = { control: 1, arms: [{ version: 2, weight: 500 }] };
    const start = await callTool(mcp, 'start_release', { ...target, ...release, strict: false });
    assert.deepEqual(argumentsOf(start.text), { ...target, release });
    const proposed = await callJson(mcp, 'propose_change', argumentsOf(start.text));
    assert.deepEqual([proposed.changes[0]?.release?.control, proposed.changes[0]?.release?.arms], [1, release.arms]);
    const save = await callTool(mcp, 'save_version', { name: 'greet', template: 'three', labels: ['production'] });
    assert.match(save.text, /Call propose_change with the same content/);
    const { data } = await client.get<ListBody<{ version: number }>>(pathOf('greet', '/versions'));
    assert.deepEqual([data.length, await live()], [2, 1], 'nothing was saved or moved');
  });

  it('refuses proposals that cannot be opened, and leaves no candidate', async (t) => {
    const { client, join } = await newTeam(service());
    const viewer = await join('viewer');
    const reading = await connectMcp(t, service(), { key: viewer.client.token, ...inWorkspace(client) });
    const names = (await reading.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name.includes('propos')),
      ['list_proposals', 'get_proposal'],
    );
    assert.match((await callTool(reading, 'propose_change', { ...target, version: 2 })).text, /You need the role "editor"/);
    const mcp = await connectMcp(t, service(), { key: client.token });
    const wrong: [Record<string, unknown>, RegExp][] = [
      [target, /exactly one of version, candidate and release/],
      [{ ...target, version: 2, template: 'x' }, /either new content/],
      [{ ...target, version: 9 }, /no version 9/],
      [{ ...target, template: '{{ x' }, /syntax|template/i],
      [{ ...target, template: 'x', reviewers: ['u_unknown'] }, /Not a member/],
      [{ ...target, name: 'nothing', template: 'x' }, /Call list_prompts/],
      [{ ...target, label: 'latest', template: 'x' }, /latest/],
    ];
    for (const [input, text] of wrong) {
      const refused = await callTool(mcp, 'propose_change', input);
      assert.equal(refused.isError, true, JSON.stringify(input));
      assert.match(refused.text, text);
    }
    assert.match((await callTool(mcp, 'get_proposal', { id: 'prop_none' })).text, /Call list_proposals/);
    assert.deepEqual((await client.get<ListBody>(pathOf('greet', '/candidates'))).data, []);
    assert.deepEqual((await callJson<{ proposals: Proposal[] }>(mcp, 'list_proposals', {})).proposals, []);
  });
});
