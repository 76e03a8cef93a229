import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maxFlags } from '../../../src/contract/limits.ts';
import { call } from '../../support/client.ts';
import { type Client, describeOnEveryEngine, newClient, type PromptBody, pathOf } from '../../support/prompts.ts';

const flagsPath = '/ofrep/v1/evaluate/flags';

interface Flag {
  key: string;
  value?: unknown;
  reason?: string;
  variant?: string;
  metadata?: Record<string, unknown>;
  errorCode?: string;
  errorDetails?: string;
}

const evaluate = (client: Client, key: string, body?: unknown) => client.call('POST', `${flagsPath}/${key}`, body);
const release = (client: Client, name: string, body: object) =>
  client.call('PUT', pathOf(name, '/labels/production/release'), { control: 1, arms: [{ version: 2, weight: 10_000 }], ...body });

async function newPrompt(client: Client, name: string, template = 'one'): Promise<void> {
  await client.create({ name, template });
  await client.save(name, { template: 'two' });
}

describeOnEveryEngine('POST /ofrep/v1/evaluate/flags/{key}', (service) => {
  it('200: names are found with and without encoded slashes, and the key is returned as it was sent', async () => {
    const client = await newClient(service());
    await newPrompt(client, 'support/triage/é');
    for (const key of ['support/triage/é', 'support%2Ftriage%2F%C3%A9', 'support/triage/é|production', 'support/triage/é%7Cproduction']) {
      const { status, body } = await evaluate(client, key);
      assert.deepEqual([status, (body as Flag).key, (body as Flag).value], [200, decodeURIComponent(key), 'one'], key);
    }
  });

  it('200: without a body, without a context and with unknown fields', async () => {
    const client = await newClient(service());
    await newPrompt(client, 'a');
    await release(client, 'a', {});
    const context = { targetingKey: null, plan: { nested: true }, list: [1], nothing: null, long: 'x'.repeat(5000), key: 'u' };
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, index]));
    for (const body of [undefined, {}, { context: {} }, { context, more: 1 }, { context: { ...many, targetingKey: '' } }]) {
      const response = await evaluate(client, 'a', body);
      assert.deepEqual([response.status, (response.body as Flag).reason, (response.body as Flag).variant], [200, 'DEFAULT', 'control']);
    }
  });

  it('200: counts as a read of the prompt', async () => {
    const client = await newClient(service());
    await newPrompt(client, 'a');
    await evaluate(client, 'a', { context: { targetingKey: 'u' } });
    await service().ctx.recorder.flush();
    const { data } = await client.get<{ data: (PromptBody & { usage: { callsLast24Hours: number } })[] }>('/api/prompts?include=usage');
    assert.equal(data[0]?.usage.callsLast24Hours, 1);
  });

  it('200: counts each targeting key once as a key of the prompt', async () => {
    const client = await newClient(service());
    await newPrompt(client, 'a');
    for (const targetingKey of ['u', 'v', 'u']) assert.equal((await evaluate(client, 'a', { context: { targetingKey } })).status, 200);
    await evaluate(client, 'a', { context: { targetingKey: '' } });
    await service().ctx.recorder.flush();
    assert.deepEqual(await client.get(pathOf('a', '/keys')), { keys: 2, days: 7 });
  });

  it('400: says what is wrong, and 404 for what does not exist', async () => {
    const client = await newClient(service());
    await newPrompt(client, 'a');
    const refused = async (body: object, code: string) => {
      const response = await evaluate(client, 'a', body);
      const { key, errorCode, errorDetails, ...rest } = response.body as Flag;
      assert.deepEqual([response.status, key, errorCode, typeof errorDetails, rest], [400, 'a', code, 'string', {}]);
    };
    await refused({ context: { targetingKey: 42 } }, 'INVALID_CONTEXT');
    await refused({ context: { targetingKey: 'x'.repeat(1001) } }, 'INVALID_CONTEXT');
    await refused({ context: 'user' }, 'INVALID_CONTEXT');
    await refused({ context: null }, 'INVALID_CONTEXT');
    await refused([], 'PARSE_ERROR');
    const broken = await call(service(), 'POST', `${flagsPath}/a`, {
      ...{ key: client.token, text: '{"context"' },
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual([broken.status, (broken.body as Flag).errorCode], [400, 'PARSE_ERROR']);
    const polluted = await call(service(), 'POST', `${flagsPath}/a`, {
      ...{ key: client.token, text: '{"context":{"__proto__":{"targetingKey":"u"}}}' },
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(polluted.status, 400);
    for (const key of ['nothing', 'a|nothing', 'a|b|c', '', '%00', 'a%00', 'a|%00', '..%2Fa', 'x'.repeat(3000), '%F0%9F%98%80']) {
      const { status, body } = await evaluate(client, key);
      assert.deepEqual([status, (body as Flag).errorCode], [404, 'FLAG_NOT_FOUND'], key);
    }
    const invalid = await evaluate(client, '%ZZ');
    assert.deepEqual([invalid.status, invalid.body], [400, { key: '%ZZ', errorCode: 'PARSE_ERROR', errorDetails: 'The URL is not valid' }]);
    assert.deepEqual((await client.call('GET', `${flagsPath}/a`)).status, 405);
  });

  it('400: an include that is missing', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: "{% render 'nobody' %}" });
    const { status, body } = await evaluate(client, 'a');
    assert.deepEqual([status, (body as Flag).errorCode, (body as Flag).errorDetails?.includes('nobody')], [400, 'GENERAL', true]);
  });

  it('401, 404: takes one key, from Authorization before X-API-Key, and finds nothing of another workspace', async () => {
    const client = await newClient(service());
    const other = await newClient(service());
    await newPrompt(client, 'a');
    const send = (headers: Record<string, string>, path = `${flagsPath}/a`) => call(service(), 'POST', path, { headers, body: {} });
    const wrong = `ph_${'0'.repeat(64)}`;
    assert.equal((await send({ 'x-api-key': client.token })).status, 200);
    assert.equal((await send({ 'x-api-key': wrong, authorization: `Bearer ${client.token}` })).status, 200);
    for (const headers of [{}, { 'x-api-key': wrong }, { 'x-api-key': `${client.token}, ${client.token}` }, { 'x-api-key': '' }]) {
      const { status, body } = await send(headers as Record<string, string>);
      assert.deepEqual([status, body], [401, { key: 'a', errorCode: 'GENERAL', errorDetails: 'Unauthorized' }]);
    }
    assert.equal((await send({ 'x-api-key': client.token, authorization: `Bearer ${wrong}` })).status, 401);
    assert.equal((await send({ 'x-api-key': client.token }, pathOf('a', '/render'))).status, 401, 'only for OpenFeature');
    assert.equal((await send({ 'x-api-key': other.token })).status, 404);
    const { status, body } = await send({ 'x-api-key': other.token, 'promptharbor-workspace': client.userId });
    assert.deepEqual([status, (body as Flag).errorCode], [404, 'GENERAL']);
  });
});

describeOnEveryEngine('POST /ofrep/v1/evaluate/flags', (service) => {
  const evaluateAll = (client: Client, body: unknown, etag?: string) =>
    call(service(), 'POST', flagsPath, { key: client.token, body, headers: etag === undefined ? {} : { 'if-none-match': etag } });

  it('200: evaluates all prompts in production for a caller, as the endpoint of one flag does', async () => {
    const client = await newClient(service());
    await newPrompt(client, 'a');
    await newPrompt(client, 'b');
    await client.create({ name: 'broken', template: "{% render 'nobody' %}" });
    await client.create({ name: 'chat', messages: [{ role: 'user', content: 'hi' }] });
    await client.create({ name: 'draft', template: 'x', labels: ['staging'] });
    await release(client, 'b', { rules: [{ if: { plan: ['internal'] }, version: 1 }] });
    for (const context of [{ targetingKey: 'u' }, { plan: 'internal' }, {}]) {
      const { flags } = (await evaluateAll(client, { context })).body as { flags: Flag[] };
      assert.deepEqual(
        flags.map(({ key }) => key),
        ['a', 'b', 'broken', 'chat'],
      );
      for (const flag of flags) assert.deepEqual((await evaluate(client, flag.key, { context })).body, flag);
      assert.deepEqual(flags[3]?.value, { messages: [{ role: 'user', content: 'hi' }], config: {} });
      assert.equal(flags[1]?.value, 'targetingKey' in context ? 'two' : 'one');
    }
  });

  it('304: until a prompt or the context changes', async () => {
    const client = await newClient(service());
    await newPrompt(client, 'a');
    const body = { context: { targetingKey: 'u', plan: 'free' } };
    const first = await evaluateAll(client, body);
    const etag = first.headers.get('etag') ?? '';
    const again = await evaluateAll(client, body, etag);
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
    assert.equal((await evaluateAll(client, { context: { ...body.context, plan: 'internal' } }, etag)).status, 200);
    assert.equal((await evaluateAll(client, { context: { targetingKey: 'v', plan: 'free' } }, etag)).status, 200);
    assert.equal((await evaluateAll(await newClient(service()), body, etag)).status, 200);
    await release(client, 'a', {});
    const changed = await evaluateAll(client, body, etag);
    assert.deepEqual([changed.status, (changed.body as { flags: Flag[] }).flags[0]?.value], [200, 'two']);
    await client.call('DELETE', pathOf('a', '/labels/production/release'));
    const rolledBack = await evaluateAll(client, body, changed.headers.get('etag') ?? '');
    assert.deepEqual([rolledBack.status, (rolledBack.body as { flags: Flag[] }).flags[0]?.value], [200, 'one']);
  });

  it('400: more prompts or text than one response can have, instead of a part of them', async () => {
    const client = await newClient(service());
    const prompts = Array.from({ length: maxFlags + 1 }, (_, index) => ({ name: `p${index}`, template: 'x', labels: ['production'] }));
    for (let start = 0; start < prompts.length; start += 50) {
      const saved = await client.call('POST', '/api/prompts/batch', { items: prompts.slice(start, start + 50) });
      assert.equal(saved.status, 200, saved.text);
    }
    const { status, body } = await evaluateAll(client, {});
    assert.deepEqual([status, (body as Flag).errorCode, (body as Flag).key], [400, 'GENERAL', undefined]);
    await client.call('DELETE', pathOf('p0'));
    assert.equal(((await evaluateAll(client, {})).body as { flags: Flag[] }).flags.length, maxFlags);
    for (const name of ['large/1', 'large/2', 'large/3', 'large/4']) {
      await client.create({ name, template: 'x'.repeat(250_000) });
      await client.call('DELETE', pathOf(`p${name.at(-1)}`));
    }
    assert.equal((await evaluateAll(client, {})).status, 400);
    assert.equal((await evaluate(client, 'large/1')).status, 200);
  });
});
