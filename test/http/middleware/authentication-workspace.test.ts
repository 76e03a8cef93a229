import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { callFromPage } from '../../support/browser.ts';
import { call } from '../../support/client.ts';
import { assertRefused, type Client, describeOnEveryEngine, type ListBody, newClient } from '../../support/prompts.ts';
import { type RawResponse, sendRawOnce } from '../../support/raw.ts';
import { countHandled, inWorkspace, newMember, openTestSession } from '../../support/workspaces.ts';

describeOnEveryEngine('PromptHarbor-Workspace', (service) => {
  let owner: Client;
  let member: Client;
  before(async () => {
    owner = await newClient(service());
    await owner.create({ name: 'greeting', template: 'Grüße, {{ name }}' });
    member = await newMember(service(), owner, 'editor');
    await member.create({ name: 'own', template: 'x' });
  });

  /** Returns the response without the parts that differ between two equal requests. The headers keep their order. */
  async function send(lines: string[], body = ''): Promise<Omit<RawResponse, 'headers'> & { headers: [string, string][] }> {
    const [first = '', ...more] = lines;
    const request = [first, 'Host: localhost', 'Connection: close', ...more].join('\r\n');
    const { headers, ...response } = await sendRawOnce(service(), `${request}\r\n\r\n${body}`);
    return { ...response, headers: Object.entries({ ...headers, 'x-request-id': '', date: '' }) };
  }

  async function namesSeenBy(headers: Record<string, string>, credential = { key: member.token } as object): Promise<string[]> {
    const { status, body, text } = await call(service(), 'GET', '/api/prompts', { ...credential, headers });
    assert.equal(status, 200, text);
    return (body as ListBody).data.map(({ name }) => name);
  }

  it('200: without the header or with the caller’s own id, a request acts in the caller’s workspace, with another id in that workspace', async () => {
    const cookie = await openTestSession(service(), member);
    for (const credential of [{ key: member.token }, { cookie }]) {
      for (let time = 0; time < 2; time += 1) {
        assert.deepEqual(await namesSeenBy({}, credential), ['own']);
        assert.deepEqual(await namesSeenBy({ 'promptharbor-workspace': member.userId }, credential), ['own']);
        assert.deepEqual(await namesSeenBy({ 'PROMPTHARBOR-WORKSPACE': owner.userId }, credential), ['greeting']);
      }
    }
  });

  it('404, with equal responses: an unknown, another’s, a deleted and a malformed workspace, by key and by session', async () => {
    const [other, deleted] = [await newClient(service()), await newClient(service())];
    await service().ctx.store.memberships.put(deleted.userId, member.userId, 'admin');
    assert.deepEqual(await namesSeenBy({ 'promptharbor-workspace': deleted.userId }), []);
    await service().ctx.store.accounts.delete(deleted.userId);
    const cookie = await openTestSession(service(), member);
    const ids = [
      'u_nobody',
      other.userId,
      deleted.userId,
      '',
      'u_',
      owner.email,
      owner.userId.toUpperCase(),
      'x'.repeat(2000),
      '%00',
      "' or 1=1",
    ];
    for (const id of ids) {
      for (const credential of [{ key: member.token }, { cookie }]) {
        for (const [method, path] of [
          ['GET', '/api/prompts'],
          ['GET', '/api/stats'],
          ['POST', '/api/render'],
        ] as const) {
          const body = method === 'POST' ? { body: { template: 'x' } } : {};
          const options = { ...credential, ...body, headers: { 'promptharbor-workspace': id } };
          const response = await callFromPage(service(), method, path, options);
          assert.equal(
            response.text,
            '{"error":"There is no such workspace, or you are not a member of it","code":"workspace_not_found"}',
            id,
          );
          assert.equal(response.status, 404);
        }
      }
    }
  });

  it('404: two headers, even with the same id', async () => {
    for (const ids of [
      [owner.userId, owner.userId],
      [owner.userId, member.userId],
      [member.userId, ''],
    ]) {
      const lines = ids.map((id) => `PromptHarbor-Workspace: ${id}`);
      const { status, text } = await send(['GET /api/prompts HTTP/1.1', `Authorization: Bearer ${member.token}`, ...lines]);
      assert.equal(status, 404, text);
      assert.match(text, /workspace_not_found/);
    }
  });

  it('401: an invalid key or session, whatever workspace it names', async () => {
    for (const credential of [{ key: `ph_${'0'.repeat(64)}` }, { key: 'nonsense' }, { cookie: 'promptharbor.session=no' }, {}]) {
      for (const id of [owner.userId, 'u_nobody', '']) {
        const { status, text } = await call(service(), 'GET', '/api/prompts', { ...credential, headers: { 'promptharbor-workspace': id } });
        assert.deepEqual([status, text], [401, '{"error":"Unauthorized"}']);
      }
    }
  });

  it('200: operations on the caller’s account do not depend on the header', async () => {
    for (const path of ['/api/auth/token', '/api/account', '/api/account/activity', '/api/session', '/api/workspaces']) {
      const expected = await member.get(path);
      for (const id of [owner.userId, 'u_nobody', '', 'u_a, u_b']) {
        for (let time = 0; time < 2; time += 1) {
          const { status, body } = await member.call('GET', path, undefined, { headers: { 'promptharbor-workspace': id } });
          assert.deepEqual([status, body], [200, expected], path);
        }
      }
    }
  });

  it('200: a member is served from the same cache as the owner, on the fast path, with the same bytes as by the route', async () => {
    const paths = ['/api/prompts', '/api/prompts?include=content', '/api/prompts/greeting', '/api/prompts/greeting/versions'];
    const asMember = [`Authorization: Bearer ${member.token}`, `PromptHarbor-Workspace: ${owner.userId}`];
    for (const path of paths) {
      const first = `GET ${path} HTTP/1.1`;
      const expected = await send([first, `Authorization: Bearer ${owner.token}`]);
      assert.equal(expected.status, 200);
      const handled = await countHandled(async () => assert.deepEqual(await send([first, ...asMember]), expected));
      assert.equal(handled, 0, 'on the fast path');
      // The fast path leaves a request with a Content-Length to the route.
      assert.deepEqual(await send([first, ...asMember, 'Content-Length: 0']), expected);
      const etag = new Map(expected.headers).get('etag');
      assert.equal((await send([first, ...asMember, `If-None-Match: ${etag}`])).status, 304);
      assert.match(new Map(expected.headers).get('vary') ?? '', /promptharbor-workspace/);
    }
  });

  it('200: a member renders on the fast path, with the same bytes as by the route', async () => {
    const body = '{"variables":{"name":"Zoë"}}';
    const lines = (token: string, ...more: string[]) => [
      'POST /api/prompts/greeting/render HTTP/1.1',
      `Authorization: Bearer ${token}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...more,
    ];
    const json = 'Content-Type: application/json';
    const workspace = `PromptHarbor-Workspace: ${owner.userId}`;
    const expected = await send(lines(owner.token, json), body);
    assert.equal(expected.status, 200);
    assert.equal(await countHandled(async () => assert.deepEqual(await send(lines(member.token, json, workspace), body), expected)), 0);
    // The fast path accepts the content type only without parameters.
    assert.deepEqual(await send(lines(member.token, `${json};charset=utf-8`, workspace), body), expected);
  });

  it('404 and 403: the fast path and the route refuse with the same bytes', async () => {
    const stranger = await newClient(service());
    for (const path of ['/api/prompts', '/api/prompts/greeting']) {
      const lines = [`GET ${path} HTTP/1.1`, `Authorization: Bearer ${stranger.token}`, `PromptHarbor-Workspace: ${owner.userId}`];
      const expected = await send([...lines, 'Content-Length: 0']);
      assert.equal(expected.status, 404);
      assert.deepEqual(await send(lines), expected);
    }
  });

  it('201: a member’s writes belong to the workspace, and everyone sees them with the next request', async () => {
    await member.call('POST', '/api/prompts', { name: 'from-member', template: 'x' }, inWorkspace(owner));
    const { data } = await owner.get<ListBody>('/api/prompts');
    assert.deepEqual(data.map(({ name }) => name).sort(), ['from-member', 'greeting']);
    assert.deepEqual(await namesSeenBy({}), ['own']);
    assert.equal((await owner.call('DELETE', '/api/prompts/from-member')).status, 204);
    assert.deepEqual(await namesSeenBy({ 'promptharbor-workspace': owner.userId }), ['greeting']);
    assertRefused(await member.call('GET', '/api/prompts/from-member', undefined, inWorkspace(owner)), 404, 'prompt_not_found');
  });

  it('404: after a removal, the next request in the workspace is refused by session and by key, but not in the member’s own workspace', async () => {
    const guest = await newMember(service(), owner, 'editor');
    const cookie = await openTestSession(service(), guest);
    const statuses = async () => {
      const statuses: number[] = [];
      for (const credential of [{ key: guest.token }, { cookie }]) {
        const options = { ...credential, ...inWorkspace(owner) };
        statuses.push((await callFromPage(service(), 'GET', '/api/prompts', options)).status);
        statuses.push((await callFromPage(service(), 'PATCH', '/api/prompts/greeting', { ...options, body: { tags: [] } })).status);
        statuses.push((await callFromPage(service(), 'GET', '/api/prompts', credential)).status);
      }
      return statuses;
    };
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200, 200]);
    await service().ctx.store.memberships.put(owner.userId, guest.userId, 'viewer');
    assert.deepEqual(await statuses(), [200, 403, 200, 200, 403, 200]);
    await service().ctx.store.memberships.remove(owner.userId, guest.userId);
    assert.deepEqual(await statuses(), [404, 404, 200, 404, 404, 200]);
  });
});
