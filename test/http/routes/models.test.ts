import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ModelConnection, ModelConnectionTest } from '../../../src/contract/models.ts';
import { connect, describeWithModels, providerKey, startModelService, startRawServer } from '../../support/models.ts';
import { assertRefused, type Client, type ListBody, newClient } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const nowhere = 'http://127.0.0.1:1/v1';

describeWithModels('/api/models', ({ service, mock }) => {
  const list = async (client: Client) => (await client.get<ListBody<ModelConnection>>('/api/models')).data;
  const test = async (client: Client, { id }: { id: string }): Promise<ModelConnectionTest> => {
    const response = await client.call('POST', `/api/models/${id}/test`);
    assert.equal(response.status, 200, response.text);
    return response.body as ModelConnectionTest;
  };

  it('creates, lists, changes and deletes connections, and never shows the key', async () => {
    const client = await newClient(service());
    const created = await connect(client, 'http://127.0.0.1:1/v1/', { name: ' Local ', prices: { 'some-model': { input: 1, output: 2 } } });
    assert.equal(created.baseUrl, nowhere);
    assert.equal(created.name, 'Local');
    assert.equal(created.keyHint, providerKey.slice(-4));
    assert.deepEqual(await list(client), [created]);

    const changed = await client.call('PATCH', `/api/models/${created.id}`, { name: 'Renamed', models: [] });
    assert.equal(changed.status, 200, changed.text);
    const { updatedAt } = changed.body as ModelConnection;
    assert.deepEqual(changed.body, { ...created, name: 'Renamed', models: [], updatedAt });
    assert.equal((await client.call('DELETE', `/api/models/${created.id}`)).status, 204);
    assert.deepEqual(await list(client), []);
    assertRefused(await client.call('DELETE', `/api/models/${created.id}`), 404, 'connection_not_found');

    await service().ctx.recorder.flush();
    const activity = (await client.call('GET', '/api/account/activity')).text;
    for (const type of ['model_created', 'model_changed', 'model_deleted']) assert.match(activity, new RegExp(type));
    assert.doesNotMatch(activity + service().logs(), new RegExp(providerKey));
  });

  it('have the protocol OpenAI unless they name another one, which can be changed', async () => {
    const client = await newClient(service());
    const { id, kind } = await connect(client, nowhere);
    assert.equal(kind, 'openai');
    for (const given of ['anthropic', 'gemini', 'openai'] as const) {
      assert.equal((await connect(client, nowhere, { kind: given })).kind, given);
      const { body, text } = await client.call('PATCH', `/api/models/${id}`, { kind: given });
      const changed = body as ModelConnection;
      assert.deepEqual([changed.kind, changed.keyHint], [given, providerKey.slice(-4)], text);
      assert.equal((await list(client)).find((each) => each.id === id)?.kind, given);
    }
    assertRefused(await client.call('PATCH', `/api/models/${id}`, { kind: 'other' }), 400, 'invalid_input', '/kind');
    assertRefused(await client.call('POST', '/api/models', { name: 'A', baseUrl: nowhere, kind: null }), 400, 'invalid_input', '/kind');
    const blocked = { name: 'A', baseUrl: 'http://10.1.2.3/v1', kind: 'gemini' };
    assertRefused(await client.call('POST', '/api/models', blocked), 400, 'invalid_input', '/baseUrl');
  });

  it('drops the key when the base address changes, unless a new one is given with it', async () => {
    const client = await newClient(service());
    const { id } = await connect(client, nowhere);
    const change = async (body: object) => ((await client.call('PATCH', `/api/models/${id}`, body)).body as ModelConnection).keyHint;
    assert.equal(await change({ baseUrl: `${nowhere}/` }), providerKey.slice(-4), 'it is the same address');
    assert.equal(await change({ baseUrl: 'http://127.0.0.1:2/v1' }), null);
    assert.equal(await change({ apiKey: 'another-key-of-32-characters-abcd' }), 'abcd');
    assert.equal(await change({ baseUrl: nowhere, apiKey: 'another-key-of-32-characters-efgh' }), 'efgh');
    assert.equal(await change({ name: 'Other' }), 'efgh');
    assert.equal(await change({ apiKey: null }), null);
  });

  it('a key that was copied to another address in the database cannot be decrypted', async () => {
    const client = await newClient(service());
    const { id } = await connect(client, nowhere);
    const { connections } = service().ctx.store;
    await connections.update(client.userId, id, { baseUrl: `${mock.url}/v1`, updatedAt: new Date().toISOString() });
    mock.clearRequests();
    assert.equal((await client.call('POST', `/api/models/${id}/test`)).status, 500);
    assert.deepEqual(mock.getRequests(), []);
  });

  it('400: says what is wrong with each field', async () => {
    const client = await newClient(service());
    const valid = { name: 'A', baseUrl: nowhere };
    const refused = async (fields: object, path: string) =>
      assertRefused(await client.call('POST', '/api/models', { ...valid, ...fields }), 400, 'invalid_input', path).details?.[0]?.message ??
      '';
    assert.match(await refused({ baseUrl: 'localhost' }, '/baseUrl'), /such as https/);
    assert.match(await refused({ baseUrl: 'http://10.1.2.3/v1' }, '/baseUrl'), /OUTBOUND_ALLOW=10\.1\.2\.3/);
    assert.match(await refused({ baseUrl: 'http://user:pass@127.0.0.1/v1' }, '/baseUrl'), /without a user name/);
    assert.match(await refused({ baseUrl: `${nowhere}?key=1` }, '/baseUrl'), /without a query/);
    assert.match(await refused({ apiKey: 'two words' }, '/apiKey'), /cannot contain spaces/);
    await refused({ apiKey: 'sk-é' }, '/apiKey');
    await refused({ apiKey: 7 }, '/apiKey');
    await refused({ name: '' }, '/name');
    await refused({ name: ' ' }, '/name');
    await refused({ name: 'a\0b' }, '/name');
    await refused({ name: 'm_x' }, '/name');
    await refused({ models: ['a\0'] }, '/models/0');
    await refused({ models: 'a' }, '/models');
    await refused({ prices: { a: { input: -1, output: 0 } } }, '/prices/a/input');
    await refused({ other: 1 }, '/other');
    assert.deepEqual(await list(client), []);
  });

  it('409: two connections of a workspace do not have the same name', async () => {
    const client = await newClient(service());
    await connect(client, nowhere, { name: 'Same' });
    const { id } = await connect(client, nowhere, { name: 'Other' });
    assertRefused(await client.call('POST', '/api/models', { name: 'Same', baseUrl: nowhere }), 409, 'connection_name_taken');
    assertRefused(await client.call('PATCH', `/api/models/${id}`, { name: 'Same' }), 409, 'connection_name_taken');
    await connect(await newClient(service()), nowhere, { name: 'Same' });
  });

  it('403 and 404: editors list, admins change, and nobody sees the connections of another workspace', async () => {
    const owner = await newClient(service());
    const { id, name } = await connect(owner, nowhere);
    const there = inWorkspace(owner);
    const viewer = await newMember(service(), owner, 'viewer');
    assertRefused(await viewer.call('GET', '/api/models', undefined, there), 403, 'forbidden');
    const editor = await newMember(service(), owner, 'editor');
    assert.equal((await editor.call('GET', '/api/models', undefined, there)).status, 200);
    for (const [method, path] of [
      ['POST', '/api/models'],
      ['PATCH', `/api/models/${id}`],
      ['DELETE', `/api/models/${id}`],
      ['POST', `/api/models/${id}/test`],
    ] as const) {
      const body = method === 'DELETE' || path.endsWith('test') ? undefined : { name: 'A', baseUrl: nowhere };
      assertRefused(await editor.call(method, path, body, there), 403, 'forbidden');
      if (path !== '/api/models') assertRefused(await editor.call(method, path, body), 404, 'connection_not_found');
    }
    for (const path of ['/api/models/a%00b', `/api/models/${encodeURIComponent(name)}`]) {
      assertRefused(await owner.call('DELETE', path), 404, 'connection_not_found');
    }
    const admin = await newMember(service(), owner, 'admin');
    assert.equal((await admin.call('DELETE', `/api/models/${id}`, undefined, there)).status, 204);
  });

  it('POST …/test lists the server’s models and sends the key', async () => {
    const client = await newClient(service());
    const { id, models } = await connect(client, `${mock.url}/v1`, { models: [] });
    mock.clearRequests();
    const result = await test(client, { id });
    assert.deepEqual(models, []);
    assert.equal(result.problem, null);
    assert.ok(result.ok && result.models.length > 0);
    const unknown = await test(client, await connect(client, `${mock.url}/v1`, { models: ['no-such-model'] }));
    assert.ok(!unknown.ok);
    assert.match(unknown.problem ?? '', /has no model “no-such-model”\. It offers /);
  });

  it('POST …/test says what is wrong, without the key', async (t) => {
    const client = await newClient(service());
    let status = 401;
    let text = JSON.stringify({ error: { message: `Incorrect API key provided: ${providerKey}` } });
    const raw = await startRawServer((_req, res) => void res.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(text));
    t.after(() => raw.close());
    const problemOf = async (baseUrl: string, fields: object = { models: [] }): Promise<string> => {
      const { ok, problem } = await test(client, await connect(client, baseUrl, fields));
      assert.equal(ok, false);
      assert.ok(problem && !problem.includes(providerKey));
      return problem;
    };
    assert.match(await problemOf(raw.url), /rejected the key \(401\): Incorrect API key provided: \[key\]/);
    assert.match(await problemOf(raw.url, { models: ['a'] }), /rejected the key/);
    text = '{"message":"No key"}';
    assert.match(await problemOf(raw.url, { models: [], apiKey: undefined }), /requires a key \(401\): No key/);
    [status, text] = [404, '<html>Not found</html>'];
    assert.match(
      await problemOf(raw.url),
      /responded with 404: it does not support the OpenAI protocol at this base address, which usually ends in \/v1/,
    );
    [status, text] = [200, '<html>Welcome</html>'];
    assert.match(await problemOf(raw.url), /does not support the OpenAI protocol/);
    [status, text] = [200, 'null'];
    assert.match(await problemOf(raw.url), /does not support the OpenAI protocol/);
    [status, text] = [302, ''];
    assert.match(await problemOf(raw.url), /a redirect \(\d+\), which is not followed/);
    [status, text] = [500, '{"error":"out of memory"}'];
    assert.match(await problemOf(raw.url), /responded with 500: out of memory/);
    assert.match(await problemOf(nowhere), /refused the connection\. .*If PromptHarbor runs in a container, localhost is that container/);
    assert.match(await problemOf('http://does-not-exist.invalid/v1'), /The host does-not-exist\.invalid was not found/);
    assert.match(await problemOf(raw.url.replace('http:', 'https:')), /does not use TLS .*enter an address that starts with http:/);
    assert.doesNotMatch(service().logs(), new RegExp(providerKey));
  });

  it('POST …/test asks for a completion where models are not listed', async (t) => {
    const client = await newClient(service());
    const raw = await startRawServer((req, res) => void res.writeHead(req.method === 'GET' ? 404 : 200).end('{}'));
    t.after(() => raw.close());
    assert.deepEqual(
      { ...(await test(client, await connect(client, raw.url))), durationMs: 0 },
      { ok: true, models: [], problem: null, durationMs: 0 },
    );
  });
});

it('403: a workspace has at most QUOTA_MODELS connections', async (t) => {
  const service = await startModelService({ env: { QUOTA_MODELS: '1' } });
  t.after(() => service.close());
  const client = await newClient(service);
  await connect(client, nowhere);
  const refused = assertRefused(await client.call('POST', '/api/models', { name: 'B', baseUrl: nowhere }), 403, 'quota_exceeded');
  assert.match(refused.error, /at most 1 model connections \(setting QUOTA_MODELS\)/);
});
