import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, call } from '../../support/client.ts';
import { engines, postgres } from '../../support/engines.ts';
import { asJson, connect, type RawServer, startModelService, startRawServer } from '../../support/models.ts';
import { type Client, newClient, pathOf } from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';
import { inWorkspace, newMember, openTestSession } from '../../support/workspaces.ts';

/** A run or check run in progress. The model has written "Once" and writes nothing more. */
interface Begun {
  response: Promise<ApiResponse>;
  /** The model's response. */
  upstream: ServerResponse;
  /** Resolves when the request to the model was aborted. */
  aborted: Promise<unknown>;
}

interface Loss {
  title: string;
  status: number;
  lose(at: Service, parts: { owner: Client; member: Client; cookie: string; connection: string }): Promise<unknown>;
  /** How the request is authenticated. */
  via?: 'session';
}

const asOwner = (owner: Client) => ({ key: owner.token });
const losses: Loss[] = [
  {
    title: 'the member is removed',
    status: 401,
    lose: (at, { owner, member }) => call(at, 'DELETE', `/api/members/${member.userId}`, asOwner(owner)),
  },
  {
    title: 'the role is lowered',
    status: 403,
    lose: (at, { owner, member }) => call(at, 'PATCH', `/api/members/${member.userId}`, { ...asOwner(owner), body: { role: 'viewer' } }),
  },
  { title: 'the key is reset', status: 401, lose: (at, { member }) => call(at, 'DELETE', '/api/auth/token', { key: member.token }) },
  {
    title: 'the session ends',
    status: 401,
    via: 'session',
    lose: (at, { cookie }) => call(at, 'POST', '/api/session/sign-out', { cookie, headers: { origin: at.url } }),
  },
  {
    title: 'the account is deleted',
    status: 401,
    lose: (at, { member }) => at.ctx.store.accounts.delete(member.userId).then(() => at.ctx.access.recheck(member.userId)),
  },
];

function defineTests(running: () => Service, elsewhere: () => Service): void {
  let model: RawServer;
  let onRequest: (res: ServerResponse) => void = () => undefined;
  before(async () => {
    model = await startRawServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Once' } }] })}\n\n`);
      onRequest(res);
    });
  });
  after(() => model.close());

  async function prepare() {
    const owner = await newClient(running());
    await owner.create({ name: 'greet', template: 'Greet' });
    assert.equal((await owner.call('POST', pathOf('greet', '/cases'), { name: 'One', variables: {}, checks: [] })).status, 201);
    const member = await newMember(running(), owner, 'editor');
    const cookie = await openTestSession(running(), member);
    const { id: connection } = await connect(owner, model.url);
    return { owner, member, cookie, connection };
  }

  async function begin(path: string, parts: Awaited<ReturnType<typeof prepare>>, headers: object, via?: 'session'): Promise<Begun> {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>();
    onRequest = resolve;
    const credential = via ? { cookie: parts.cookie } : { key: parts.member.token };
    const response = call(running(), 'POST', path, {
      ...credential,
      headers: { ...inWorkspace(parts.owner).headers, ...(via && { origin: running().url }), ...headers },
      body: { connection: parts.connection },
    });
    // If the response comes first, the run has failed, so the test fails too.
    const upstream = await Promise.race([promise, response.then(({ text }) => assert.fail(text))]);
    return { response, upstream, aborted: once(upstream, 'close') };
  }

  for (const [what, path] of [
    ['a run', pathOf('greet', '/run')],
    ['checks', pathOf('greet', '/checks')],
  ] as const) {
    for (const { title, status, lose, via } of losses) {
      it(`${what}: the stream and the request to the model end when ${title}`, async () => {
        for (const headers of [{}, asJson.headers]) {
          const parts = await prepare();
          const { response, aborted } = await begin(path, parts, headers, via);
          await lose(elsewhere(), parts);
          await aborted;
          const ended = await response;
          assert.doesNotMatch(ended.text, /event: (done|usage)/);
          if (headers === asJson.headers) {
            assert.equal(ended.status, status, ended.text);
            assert.doesNotMatch(ended.text, /Once/);
          } else assert.match(ended.text, new RegExp(`event: error\ndata: .*"status":${status}.*\n\n$`));
        }
      });
    }

    it(`${what}: the stream and the request to the model end when the connection is deleted`, async () => {
      const parts = await prepare();
      const { response, aborted } = await begin(path, parts, {});
      const deleted = await call(elsewhere(), 'DELETE', `/api/models/${parts.connection}`, asOwner(parts.owner));
      assert.equal(deleted.status, 204, deleted.text);
      await aborted;
      assert.match((await response).text, /"code":"canceled"/);
    });
  }

  it('continues after changes that do not end access', async () => {
    const parts = await prepare();
    const { response, upstream } = await begin(pathOf('greet', '/run'), parts, {});
    const { owner, member } = parts;
    await call(elsewhere(), 'PATCH', `/api/members/${member.userId}`, { ...asOwner(owner), body: { role: 'admin' } });
    await call(elsewhere(), 'DELETE', '/api/auth/token', asOwner(owner));
    upstream.end(`data: ${JSON.stringify({ choices: [{ delta: { content: ' more' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
    assert.match((await response).text, /event: done/);
    assert.equal(running().ctx.access.size, 0, 'nothing is watched any longer');
  });
}

for (const engine of engines) {
  describe(`Lost access (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startModelService({ engine });
    });
    after(() => service.close());
    defineTests(
      () => service,
      () => service,
    );
  });
}

describe('Lost access on two instances', () => {
  let first: Service;
  let second: Service;
  before(async () => {
    first = await startModelService({ engine: postgres });
    second = await startModelService({ database: first.database });
  });
  after(async () => {
    await second.close();
    await first.close();
  });
  defineTests(
    () => first,
    () => second,
  );
});
