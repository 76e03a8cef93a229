import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { call } from '../../support/client.ts';
import { postgres } from '../../support/engines.ts';
import { connectMcp } from '../../support/mcp.ts';
import { newMember } from '../../support/members.ts';
import { describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { inWorkspace } from '../../support/workspaces.ts';

const all = { promptsListChanged: true, resourcesListChanged: true };

describeOnEveryEngine('MCP subscriptions/listen', (service) => {
  it('notifies only the workspace in which something changed', async (t) => {
    const [owner, other] = [await newClient(service()), await newClient(service())];
    const own = await listen(t, service(), { key: owner.token }, all);
    const others = await listen(t, service(), { key: other.token }, all);
    await other.create({ name: 'b', template: 'x' });
    assert.deepEqual(await others.take(2), ['prompts/list_changed', 'resources/list_changed']);
    assert.deepEqual(own.heard, []);
    // The first notification is about this change.
    await owner.create({ name: 'a', template: 'x' });
    assert.deepEqual(await own.take(2), ['prompts/list_changed', 'resources/list_changed']);
  });

  it('notifies of the resources that were requested, as they were spelled, at the label in their address', async (t) => {
    const owner = await newClient(service());
    await owner.create({ name: 'team/a', template: 'x' });
    await owner.create({ name: 'team/b', template: 'x' });
    const uris = ['promptharbor://prompts/team/a', 'promptharbor://prompts/team%2Fa@staging'];
    const { take, heard } = await listen(t, service(), { key: owner.token, label: 'staging' }, { ...all, resourceSubscriptions: uris });
    await owner.save('team/b', { template: 'y' });
    await owner.save('team/a', { template: 'y' });
    assert.deepEqual(
      await take(2),
      uris.map((uri) => `resources/updated ${uri}`),
    );
    await owner.label('team/b', 'production', 2);
    await owner.label('team/b', 'staging', 2);
    assert.deepEqual(await take(1), ['prompts/list_changed']);
    assert.deepEqual(heard, []);
  });

  it('notifies of nothing when a version has worse results, because no prompt has changed', async (t) => {
    const owner = await newClient(service());
    const { id } = await owner.create({ name: 'a', template: 'x' });
    const uris = ['promptharbor://prompts/a'];
    const { take, heard } = await listen(t, service(), { key: owner.token }, { ...all, resourceSubscriptions: uris });
    const detail = JSON.stringify({ label: 'production', version: 1, from: 2, metric: 'errors', current: 1, previous: 0, calls: 50 });
    const event = { type: 'results.worsened', at: new Date().toISOString(), by: null, prompt: { id, name: 'a' }, detail };
    await service().ctx.store.changeWorkspace(owner.userId, async ({ events }) => events.add(event));
    // The first notifications are about this change.
    await owner.create({ name: 'b', template: 'x' });
    assert.deepEqual(await take(2), ['prompts/list_changed', 'resources/list_changed']);
    assert.deepEqual(heard, []);
  });

  it('ends when the key is reset, and when a membership ends: 401 and 404 on the next call', async (t) => {
    const owner = await newClient(service());
    const member = await newMember(owner, 'viewer');
    const own = await listen(t, service(), { key: owner.token }, all);
    const members = await listen(t, service(), { key: member.token, ...inWorkspace(owner) }, all);
    assert.equal((await owner.call('DELETE', `/api/members/${member.userId}`)).status, 204);
    assert.equal(await members.closed, 'graceful');
    await assert.rejects(members.mcp.listPrompts(), /workspace_not_found/);
    assert.equal((await owner.call('DELETE', '/api/auth/token')).status, 200);
    assert.equal(await own.closed, 'graceful');
    await assert.rejects(own.mcp.listPrompts(), /Unauthorized|401/);
  });

  it('refuses an invalid filter, and more resources than it can watch', async () => {
    const owner = await newClient(service());
    const statusOf = async (notifications: unknown) => {
      const { status, text } = await owner.call('POST', '/mcp', listenMessage(notifications), { key: owner.token, headers: modernHeaders });
      return [status, text];
    };
    for (const filter of [
      undefined,
      7,
      'x',
      { resourceSubscriptions: 'x' },
      { resourceSubscriptions: [1] },
      { promptsListChanged: 'yes' },
    ]) {
      const [status, text] = await statusOf(filter);
      assert.equal(status, 200);
      assert.match(String(text), /-32602/);
    }
    assert.equal((await statusOf({ resourceSubscriptions: Array(1001).fill('promptharbor://prompts/a') }))[0], 400);
    // This subscription has nothing to listen to, so it is acknowledged and ends at once.
    assert.match(String((await statusOf({}))[1]), /acknowledged.*"resultType":"complete"/s);
  });
});

describe('MCP subscriptions/listen on two instances', () => {
  it('reports writes made on the other instance, and ends when the key is reset there', async (t) => {
    const first = await startService({ engine: postgres });
    const second = await startService({ database: first.database });
    t.after(async () => {
      await second.close();
      await first.close();
    });
    const owner = await newClient(first);
    const { take, closed } = await listen(t, second, { key: owner.token }, all);
    await owner.create({ name: 'a', template: 'x' });
    assert.deepEqual(await take(2), ['prompts/list_changed', 'resources/list_changed']);
    assert.equal((await owner.call('DELETE', '/api/auth/token')).status, 200);
    for (const service of [first, second]) {
      assert.equal((await call(service, 'POST', '/mcp', { key: owner.token, body: listenMessage({}) })).status, 401);
    }
    assert.equal(await closed, 'graceful');
  });

  it('ends with a message before the service stops', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const owner = await newClient(service);
    const { closed } = await listen(t, service, { key: owner.token }, all);
    await service.close();
    assert.equal(await closed, 'graceful');
  });
});

const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };

function listenMessage(notifications: unknown): object {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  return { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications, _meta } };
}

/** Starts a client that listens and keeps its notifications until the test takes them. */
async function listen(
  t: TestContext,
  service: Service,
  options: Parameters<typeof connectMcp>[2],
  filter: Record<string, boolean | string[]>,
) {
  const mcp = await connectMcp(t, service, options);
  const heard: string[] = [];
  let wake = () => {};
  const hear = (text: string) => {
    heard.push(text);
    wake();
  };
  mcp.setNotificationHandler('notifications/prompts/list_changed', () => hear('prompts/list_changed'));
  mcp.setNotificationHandler('notifications/resources/list_changed', () => hear('resources/list_changed'));
  mcp.setNotificationHandler('notifications/resources/updated', ({ params }) => hear(`resources/updated ${params.uri}`));
  const { closed } = await mcp.listen(filter);
  return {
    mcp,
    heard,
    closed,
    /** Waits for as many notifications as expected. */
    async take(count: number): Promise<string[]> {
      while (heard.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      return heard.splice(0, count);
    },
  };
}
