import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import {
  type ApiError,
  AuthenticationError,
  ConnectionError,
  type LoadedPrompts,
  type LoadOptions,
  PromptHarbor,
  PromptHarborError,
} from '../../client/src/index.ts';
import type { TestAccount } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { newClient } from '../support/prompts.ts';
import { retryUntil } from '../support/retry.ts';
import { type Service, startService } from '../support/service.ts';
import { newMember } from '../support/workspaces.ts';

const moves = Number(process.env.CLIENT_LABEL_MOVES ?? 100);

describe('ph.prompts.load', () => {
  let service: Service;
  let folder: string;
  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'promptharbor-load-'));
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  async function setUp(t: TestContext, options: LoadOptions = {}, wrap: (inner: typeof fetch) => typeof fetch = (inner) => inner) {
    const client = patient(service, await newClient(service));
    await client.create({ name: 'support/reply', template: 'Hello {{ customer }}' });
    await client.create({ name: 'other', template: 'Other' });
    const proxy = await startProxy(t, service.url);
    const paths: string[] = [];
    const counted: typeof fetch = (input, init) => {
      paths.push(new URL(String(input)).pathname + new URL(String(input)).search);
      return wrap(fetch)(input, init);
    };
    const ph = new PromptHarbor({ baseUrl: proxy.url, apiKey: client.token, fetch: counted });
    const load = async (more: LoadOptions = {}) => {
      const prompts = await ph.prompts.load({ ...options, ...more });
      t.after(() => prompts.close());
      return prompts;
    };
    return { client, proxy, ph, paths, load };
  }

  it('fetches everything in one call and renders without another', async (t) => {
    const { load, paths } = await setUp(t);
    const prompts = await load();
    assert.deepEqual(prompts.names, ['other', 'support/reply']);
    const before = paths.length;
    assert.deepEqual(await prompts.get('support/reply').render({ customer: 'Ada' }), {
      name: 'support/reply',
      version: 1,
      text: 'Hello Ada',
      config: {},
    });
    assert.equal(paths.slice(0, before).filter((path) => path.startsWith('/api/prompts')).length, 1);
    assert.ok(!paths.some((path) => path.includes('/render')));
    assert.throws(() => prompts.get('missing'), PromptHarborError);
    assert.equal(prompts.find('missing'), undefined);
  });

  it('loads a folder with the prompts that it includes from elsewhere, and follows changes to those prompts too', async (t) => {
    const { client, load } = await setUp(t, { folder: 'support' });
    await client.create({ name: 'shared/tone', template: 'Be kind.' });
    await client.create({ name: 'support/toned', template: "{% render 'shared/tone' %} {% render 'not/there' %}{% render 'a|b' %}" });
    await client.save('support/toned', { template: "{% render 'shared/tone' %} Yours", labels: ['production'] });
    const prompts = await load();
    assert.deepEqual(prompts.names, ['support/reply', 'support/toned']);
    const held = prompts.get('support/toned');
    assert.equal((await held.render()).text, 'Be kind. Yours');
    const change = nextChange(prompts);
    await client.save('shared/tone', { template: 'Be brief.', labels: ['production'] });
    assert.deepEqual(await change, { added: [], changed: ['support/toned'], removed: [] });
    assert.equal((await prompts.get('support/toned').render()).text, 'Be brief. Yours');
    assert.equal((await held.render()).text, 'Be kind. Yours', 'what is held does not change');
  });

  it('loads more than one page, at another label, in a workspace that it may only read', async (t) => {
    const owner = patient(service, await newClient(service));
    for (let number = 0; number < 101; number += 1) {
      await owner.create({ name: `many/${number}`, template: `${number}`, labels: ['staging'] });
    }
    const viewer = await newMember(service, owner, 'viewer');
    const ph = new PromptHarbor({ baseUrl: service.url, apiKey: viewer.token, workspace: owner.userId });
    const prompts = await ph.prompts.load({ label: 'staging', onAuthError: () => undefined });
    t.after(() => prompts.close());
    assert.equal(prompts.names.length, 101);
    await until(() => prompts.state.status === 'live');
    await service.ctx.store.memberships.remove(owner.userId, viewer.userId);
    await assert.rejects(prompts.refresh(), { code: 'workspace_not_found' });
    assert.equal(prompts.state.status, 'unauthorized');
  });

  it('renders templates with filters in the process', async (t) => {
    const { client, load, paths } = await setUp(t);
    await client.create({ name: 'shout', template: '{{ a | upcase }}' });
    const prompts = await load();
    assert.equal((await prompts.get('shout').render({ a: 'hey' })).text, 'HEY');
    assert.ok(!paths.some((path) => path.includes('/render')));
  });

  it('sees the last of many label moves, and removes what is deleted', async (t) => {
    const { client, load, paths } = await setUp(t);
    for (const template of ['Two', 'Three']) await client.save('support/reply', { template });
    const prompts = await load();
    await until(() => prompts.state.status === 'live');
    const before = paths.length;
    for (let move = 0; move < moves; move += 1) await client.label('support/reply', 'production', 1 + (move % 2));
    await client.label('support/reply', 'production', 3);
    const movedAt = Date.now();
    await until(() => prompts.get('support/reply').version === 3);
    t.diagnostic(`the last move was seen after ${Date.now() - movedAt} ms`);
    assert.ok(paths.length - before < moves, `${paths.length - before} requests for ${moves} moves`);
    const change = nextChange(prompts);
    await client.delete('other');
    assert.deepEqual(await change, { added: [], changed: [], removed: ['other'] });
    assert.throws(() => prompts.get('other'), /no prompt "other"/);
  });

  it('starts from the file when the service is down, and continues when it is back', async (t) => {
    const { client, load, proxy } = await setUp(t, { fallbackFile: join(folder, 'new', 'state.json') });
    const file = join(folder, 'new', 'state.json');
    const first = await load();
    await first.close();
    assert.equal(first.state.status, 'closed');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(folder, 'new')), ['state.json']);
    assert.ok(!(await readFile(file, 'utf8')).includes(client.token), 'no key in it');

    proxy.cut();
    const prompts = await load();
    assert.deepEqual([prompts.state.source, prompts.state.status], ['file', 'offline']);
    assert.ok(prompts.state.error instanceof ConnectionError);
    assert.ok(prompts.state.ageMs >= 0 && prompts.state.checkedAt <= new Date());
    assert.equal((await prompts.get('support/reply').render({ customer: 'Ada' })).text, 'Hello Ada');
    await client.save('support/reply', { template: 'Back {{ customer }}', labels: ['production'] });
    proxy.restore();
    await until(() => prompts.state.status === 'live' && prompts.state.source === 'service');
    assert.equal((await prompts.get('support/reply').render({ customer: 'Ada' })).text, 'Back Ada');
  });

  it('does not start from a file of another source, from a broken file, or without a file', async (t) => {
    const file = join(folder, 'other.json');
    const { load, proxy } = await setUp(t, { fallbackFile: file });
    await (await load()).close();
    proxy.cut();
    await assert.rejects(load({ label: 'staging' }), ConnectionError);
    // The client reads the file if the service is unreachable, but not if the key is missing.
    const withoutKey = new PromptHarbor({ baseUrl: proxy.url });
    await assert.rejects(withoutKey.prompts.load({ fallbackFile: file }), /There is no API key/);
    await writeFile(file, '{"format":1,');
    await assert.rejects(load(), ConnectionError);
    await assert.rejects(load({ fallbackFile: join(folder, 'none.json') }), ConnectionError);
  });

  it('keeps its prompts while the service is unreachable, and then fetches the missed changes', async (t) => {
    const errors: unknown[] = [];
    const { client, load, proxy } = await setUp(t, { onError: (err) => errors.push(err), pollIntervalMs: 300 });
    const prompts = await load();
    await until(() => prompts.state.status === 'live');
    proxy.cut();
    await until(() => prompts.state.status === 'offline');
    assert.ok(errors.length > 0);
    assert.equal((await prompts.get('support/reply').render({ customer: 'Ada' })).text, 'Hello Ada');
    await assert.rejects(prompts.refresh(), ConnectionError);
    await client.save('support/reply', { template: 'New {{ customer }}', labels: ['production'] });
    proxy.restore();
    await until(() => prompts.get('support/reply').version === 2);
    await until(() => prompts.state.status === 'live');
  });

  it('survives a restart of the service', async (t) => {
    const database = await sqlite.create();
    const first = await startService({ database });
    const client = patient(first, await newClient(first));
    await client.create({ name: 'a', template: 'One' });
    const proxy = await startProxy(t, first.url);
    const ph = new PromptHarbor({ baseUrl: proxy.url, apiKey: client.token });
    const prompts = await ph.prompts.load();
    await until(() => prompts.state.status === 'live');
    await first.close();
    const second = await startService({ database });
    t.after(async () => {
      await prompts.close();
      await second.close();
      await database.remove();
    });
    proxy.target(second.url);
    await patient(second, client).save('a', { template: 'Two', labels: ['production'] });
    await until(() => prompts.get('a').version === 2);
  });

  it('reports once that the key was reset, keeps the prompts, and continues with a new key', async (t) => {
    const authErrors: ApiError[] = [];
    const { client, ph, load } = await setUp(t, { onAuthError: (err) => void authErrors.push(err) });
    const prompts = await load();
    await until(() => prompts.state.status === 'live');
    const { token } = await new PromptHarbor({ baseUrl: service.url, apiKey: client.token }).auth.reset();
    await until(() => prompts.state.status === 'unauthorized');
    assert.ok(prompts.state.error instanceof AuthenticationError);
    assert.equal((await prompts.get('support/reply').render({ customer: 'Ada' })).text, 'Hello Ada');
    await assert.rejects(prompts.refresh(), AuthenticationError);
    assert.equal(authErrors.length, 1);
    await assert.rejects(load({ onAuthError: () => undefined }), AuthenticationError, 'a start without access fails');

    ph.setApiKey(token);
    await until(() => prompts.state.status === 'live');
    const change = nextChange(prompts);
    await patient(service, { ...client, token }).save('support/reply', { template: 'New', labels: ['production'] });
    assert.deepEqual((await change).changed, ['support/reply']);
  });

  it('uses the new key from onAuthError, even at the start', async (t) => {
    const { client, load } = await setUp(t);
    const owner = new PromptHarbor({ baseUrl: service.url, apiKey: client.token });
    const old = client.token;
    let current = (await owner.auth.reset()).token;
    let asked = 0;
    const onAuthError = async () => {
      asked += 1;
      // At first, the callback returns the old key, which is invalid too.
      return asked === 1 ? old : current;
    };
    const prompts = await load({ onAuthError });
    assert.equal(asked, 2);
    await until(() => prompts.state.status === 'live');
    current = (await owner.auth.reset()).token;
    await until(() => asked === 3 && prompts.state.status === 'live');
    await owner.versions.create('other', { template: 'New', labels: ['production'] });
    await until(() => prompts.get('other').version === 2);
  });

  it('polls for changes where streams are blocked, without fetching unchanged prompts', async (t) => {
    const statuses: number[] = [];
    const { client, load } = await setUp(t, { pollIntervalMs: 50 }, (inner) => async (input, init) => {
      if (String(input).includes('/api/events')) return new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } });
      const response = await inner(input, init);
      statuses.push(response.status);
      return response;
    });
    const prompts = await load();
    await until(() => statuses.includes(304));
    assert.equal(prompts.state.status, 'polling');
    await client.save('other', { template: 'New', labels: ['production'] });
    await until(() => prompts.get('other').version === 2);
  });

  it('sees every change behind a proxy that cuts streams again and again', async (t) => {
    const { client, load, proxy } = await setUp(t, { pollIntervalMs: 500 });
    const prompts = await load();
    for (let version = 2; version < 5; version += 1) {
      await until(() => prompts.state.status === 'live');
      proxy.drop();
      await client.save('other', { template: `Version ${version}`, labels: ['production'] });
      await until(() => prompts.get('other').version === version);
    }
  });

  it('is live once the stream is open, and current once everything was fetched after that', async (t) => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let isLoaded = false;
    const { load } = await setUp(t, {}, (inner) => async (input, init) => {
      if (isLoaded && String(input).includes('/api/prompts')) await isReleased;
      return inner(input, init);
    });
    const prompts = await load();
    isLoaded = true;
    await until(() => prompts.state.status === 'live');
    const { checkedAt } = prompts.state;
    await until(() => prompts.state.ageMs > 0);
    assert.deepEqual(prompts.state.checkedAt, checkedAt);
    release();
    await until(() => prompts.state.ageMs === 0);
  });

  it('is live again after a request failed while the stream stayed open', async (t) => {
    let failures = 0;
    const { load } = await setUp(t, { pollIntervalMs: 60_000 }, (inner) => async (input, init) => {
      if (failures === 0 && String(input).includes('/api/prompts') && new Headers(init?.headers).has('if-none-match')) {
        failures += 1;
        return new Response('', { status: 502 });
      }
      return inner(input, init);
    });
    const prompts = await load();
    await until(() => failures === 1);
    await until(() => prompts.state.status === 'live' && prompts.state.ageMs === 0);
    assert.equal(prompts.state.error, undefined);
  });

  it('does not break when a listener throws, and stops after close', async (t) => {
    const errors: unknown[] = [];
    const { client, load, paths } = await setUp(t, {
      onError: (err) => errors.push(err),
      onChange: () => {
        throw new Error('mine');
      },
    });
    const prompts = await load();
    const change = nextChange(prompts);
    await client.save('other', { template: 'New', labels: ['production'] });
    await change;
    assert.deepEqual(errors.map(String), ['Error: mine']);
    await prompts.close();
    const requests = paths.length;
    await client.save('other', { template: 'Newer', labels: ['production'] });
    await client.list();
    assert.equal(paths.length, requests);
    assert.equal(prompts.get('other').version, 2);
  });
});

/** Returns functions that retry their request while the service is busy, for example because another service starts in this process. */
function patient({ url }: Service, account: TestAccount) {
  const ph = new PromptHarbor({ baseUrl: url, apiKey: account.token, retries: 30 });
  return {
    ...account,
    create: ph.prompts.create,
    save: ph.versions.create,
    label: (name: string, label: string, version: number) => ph.labels.move(name, { label, version }),
    delete: ph.prompts.delete,
    list: ph.prompts.list,
  };
}

function nextChange(prompts: LoadedPrompts): Promise<{ added: string[]; changed: string[]; removed: string[] }> {
  return new Promise((resolve) => {
    const stop = prompts.onChange((change) => {
      stop();
      resolve(change);
    });
  });
}

function until(isReached: () => boolean): Promise<void> {
  return retryUntil(`never: ${isReached}`, isReached);
}

/** Starts a proxy that can be cut off or pointed at another service. */
async function startProxy(t: TestContext, url: string) {
  let target = new URL(url);
  let isCut = false;
  const sockets = new Set<Socket>();
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isCut) return void client.resetAndDestroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    drop();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target(next: string) {
      target = new URL(next);
      drop();
    },
    cut() {
      isCut = true;
      drop();
    },
    restore() {
      isCut = false;
    },
    drop,
  };
}
