import assert from 'node:assert/strict';
import { it } from 'node:test';
import { workspaceHeader } from '../../../src/contract/permissions.ts';
import { call } from '../../support/client.ts';
import { assertLangfuseError, basic, callLangfuse, langfusePath, post, promptsPath, read } from '../../support/langfuse.ts';
import { newMember } from '../../support/members.ts';
import { describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { sendRawOnce } from '../../support/raw.ts';

describeOnEveryEngine('Langfuse’s endpoints', (service) => {
  it('401: every header but one with the key as password', async () => {
    const client = await newClient(service());
    const { token, userId } = client;
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const refused = {
      'no password': `Basic ${encode(`${token}:`)}`,
      'no colon': `Basic ${encode(token)}`,
      'two colons': `Basic ${encode(`a:b:${token}`)}`,
      'a colon behind': `Basic ${encode(`a:${token}:`)}`,
      'the key as user name': `Basic ${encode(`${token}:x`)}`,
      'not base64': `Basic ${encode(`a:${token}`)}*`,
      'in pieces': `Basic ${encode(`a:${token}`).slice(0, 8)} ${encode(`a:${token}`).slice(8)}`,
      'two spaces': `Basic  ${encode(`a:${token}`)}`,
      nothing: 'Basic ',
      'another scheme': `Digest ${encode(`a:${token}`)}`,
    };
    for (const [what, authorization] of Object.entries(refused)) {
      const response = await call(service(), 'GET', promptsPath, { headers: { authorization } });
      assert.equal(response.status, 401, what);
      const message = 'Invalid credentials. The secret key must be an API key of this PromptHarbor service.';
      assert.deepEqual(response.body, { message, error: 'Unauthorized' }, what);
    }
    for (const user of [userId, '', 'anyone', token]) {
      assert.equal((await call(service(), 'GET', promptsPath, { headers: basic(user, token) })).status, 200, user);
    }
    assert.equal((await call(service(), 'GET', promptsPath, { key: token })).status, 200, 'a bearer works too');
    assert.equal((await call(service(), 'GET', '/api/prompts', { headers: basic('a', token) })).status, 401, 'Basic only works here');
    assert.equal((await call(service(), 'GET', promptsPath)).status, 401);
    const { authorization } = basic('a', token);
    const twice = await sendRawOnce(
      service(),
      `GET ${promptsPath} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`,
    );
    assert.equal(twice.status, 401);
  });

  it('401: the old key immediately after a reset, even if the response was cached', async () => {
    const client = await newClient(service());
    await post(client, { name: 'a', prompt: 'x', labels: ['production'] });
    await read(client, 'a');
    await client.call('DELETE', '/api/auth/token');
    assert.equal((await callLangfuse(client, 'GET', langfusePath('a'))).status, 401);
  });

  it('404: another workspace’s prompts, by every endpoint', async () => {
    const [client, other] = [await newClient(service()), await newClient(service())];
    await post(client, { name: 'secret', prompt: 'x', labels: ['production'] });
    const newLabels = { body: { newLabels: ['x'] } };
    for (const attempt of [
      callLangfuse(other, 'GET', langfusePath('secret')),
      callLangfuse(other, 'DELETE', langfusePath('secret')),
      callLangfuse(other, 'DELETE', langfusePath('secret', '?version=1')),
      callLangfuse(other, 'PATCH', langfusePath('secret', '/versions/1'), newLabels),
      callLangfuse(other, 'GET', promptsPath, { headers: { [workspaceHeader]: client.userId } }),
    ]) {
      assertLangfuseError(await attempt, 404, 'LangfuseNotFoundError');
    }
    const body = { name: 'thief', prompt: '@@@langfusePrompt:name=secret|label=production@@@' };
    assertLangfuseError(await callLangfuse(other, 'POST', promptsPath, { body }), 400, 'InvalidRequestError');
    assert.equal((await read(client, 'secret')).version, 1);
  });

  it('403: a viewer only reads; an editor does not move protected labels', async () => {
    const owner = await newClient(service());
    await owner.call('PATCH', '/api/workspace', { protectedLabels: ['production'] });
    await post(owner, { name: 'a', prompt: 'x', labels: ['production'] });
    const headers = { [workspaceHeader]: owner.userId };
    const viewer = await newMember(owner, 'viewer');
    assert.equal((await callLangfuse(viewer, 'GET', langfusePath('a'), { headers })).status, 200);
    const { body: projects } = await callLangfuse(viewer, 'GET', '/api/public/projects', { headers });
    assert.equal((projects as { data: { id: string }[] }).data[0]?.id, owner.userId);
    const create = { body: { name: 'a', prompt: 'y', labels: ['production'] }, headers };
    const patch = { body: { newLabels: ['x', 'production'] }, headers };
    for (const member of [viewer, await newMember(owner, 'editor')]) {
      if (member !== viewer)
        assert.equal((await callLangfuse(member, 'POST', promptsPath, { body: { name: 'a', prompt: 'z' }, headers })).status, 201);
      assertLangfuseError(await callLangfuse(member, 'POST', promptsPath, create), 403, 'ForbiddenError');
      assertLangfuseError(await callLangfuse(member, 'PATCH', langfusePath('a', '/versions/1'), patch), 403, 'ForbiddenError');
      assertLangfuseError(await callLangfuse(member, 'DELETE', langfusePath('a', '?version=1'), { headers }), 403, 'ForbiddenError');
      assertLangfuseError(await callLangfuse(member, 'DELETE', langfusePath('a'), { headers }), 403, 'ForbiddenError');
    }
    assert.deepEqual((await read(owner, 'a')).labels, ['production'], 'all labels of a request or none');
  });

  it('errors of the framework have Langfuse’s shape too', async () => {
    const client = await newClient(service());
    for (const [method, path, status] of [
      ['GET', '/api/public/none', 404],
      ['PUT', promptsPath, 405],
      ['GET', `${promptsPath}/%00`, 404],
      ['GET', `${promptsPath}/%ff`, 400],
      ['GET', `${promptsPath}/${'x'.repeat(3000)}`, 404],
      ['GET', langfusePath('x'.repeat(201)), 404],
    ] as const) {
      const response = await callLangfuse(client, method, path);
      assert.equal(response.status, status, `${method} ${path.slice(0, 60)}: ${response.text}`);
      assert.deepEqual(Object.keys(response.body as object), ['message', 'error'], path);
    }
    const { body, status } = await call(service(), 'POST', promptsPath, {
      headers: { ...basic('a', client.token), 'content-type': 'text/plain' },
      body: {},
    });
    assert.deepEqual([status, Object.keys(body as object)], [415, ['message', 'error']]);
    for (const path of ['.', '..', '%2e', '%2e%2e']) {
      const raw = await sendRawOnce(
        service(),
        `GET ${promptsPath}/${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${basic('a', client.token).authorization}\r\nconnection: close\r\n\r\n`,
      );
      assert.equal(raw.status, 404, path);
    }
  });

  it('422: a mustache prompt that would take too much time or memory, while other requests are served', async () => {
    const client = await newClient(service());
    const depth = 12;
    const nested = `${'{{#a}}'.repeat(depth)}x${'{{/a}}'.repeat(depth)}`;
    await post(client, { name: 'bomb', prompt: nested, labels: ['production'] });
    const bomb = await client.render('bomb', { variables: { a: Array.from({ length: 10 }, () => 1) } });
    assert.equal(bomb.status, 422, bomb.text.slice(0, 200));
    await post(client, { name: 'deep', prompt: `${'{{#a}}'.repeat(4900)}${'{{/a}}'.repeat(4900)}`, labels: ['production'] });
    assert.equal((await client.render('deep', { variables: { a: true } })).status, 422);
    const template = '[{{#a}}{{constructor}}{{toString}}{{#constructor.constructor}}x{{/constructor.constructor}}{{a.length}}{{/a}}]';
    const { body } = await client.call('POST', '/api/render', { syntax: 'mustache', template, variables: { a: 'xyz' } });
    assert.equal((body as { text: string }).text, '[3]', 'nothing that objects inherit is found');
  });

  it('409: includes that grow without bound are refused without being combined', async () => {
    const client = await newClient(service());
    await post(client, { name: 'p0', prompt: 'x'.repeat(1000), labels: ['production'] });
    for (let level = 1; level <= 6; level += 1) {
      const prompt = `@@@langfusePrompt:name=p${level - 1}|label=production@@@`.repeat(50);
      await post(client, { name: `p${level}`, prompt, labels: ['production'] });
    }
    assertLangfuseError(await callLangfuse(client, 'GET', langfusePath('p6')), 409, 'LangfuseConflictError');
    assert.equal((await client.render('p6', {})).status, 422);
    assert.equal(((await read(client, 'p1')).prompt as string).length, 50_000);
  });
});
